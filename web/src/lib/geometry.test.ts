import { describe, expect, test } from 'vitest';
import type { Cell, Point, Shape } from './drawn';
import {
  arrowHead,
  backdrops,
  capsule,
  type Direction,
  halfExtent,
  hexagon,
  nearestLine,
  neighbour,
  outline,
  pathData,
  trimmed,
} from './geometry';

function cell(id: string, x: number, y: number, shape: Shape = { type: 'square' }): Cell {
  return { id, x, y, shape, tone: 'light' };
}

const square = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => cell(`${'abc'[x]}${y + 1}`, x + 0.5, y + 0.5)));

// Rows half a cell to the right of the one above.
const hexes = [0, 1, 2].flatMap((y) =>
  [0, 1, 2].map((x) => cell(`${'abc'[x]}${y + 1}`, x + y / 2, y * 0.866, { type: 'hexagon' })),
);

// The columns A | 1 2 3 | 4 5 6 | B of a board of points.
const points = [
  cell('A', 0, 1),
  cell('1', 1, 0),
  cell('2', 1, 1),
  cell('3', 1, 2),
  cell('4', 2, 0),
  cell('5', 2, 1),
  cell('6', 2, 2),
  cell('B', 3, 1),
];

function go(cells: Cell[], from: string, ...directions: Direction[]): string | undefined {
  let at = cells.find(({ id }) => id === from);
  for (const direction of directions) at = at && neighbour(cells, at, direction);
  return at?.id;
}

describe('arrow keys', () => {
  test('walk a square board and stop at its rim', () => {
    expect(go(square, 'b2', 'right')).toBe('c2');
    expect(go(square, 'b2', 'up')).toBe('b1');
    expect(go(square, 'a1', 'right', 'down', 'down', 'left')).toBe('a3');
    expect(go(square, 'c3', 'right')).toBeUndefined();
    expect(go(square, 'a1', 'up')).toBeUndefined();
  });
  test('climb a hexagonal board, whose rows are shifted', () => {
    expect(go(hexes, 'a1', 'right')).toBe('b1');
    expect(['a2', 'b2']).toContain(go(hexes, 'b1', 'down'));
    expect(go(hexes, 'a1', 'down')).toBe('a2');
    expect(go(hexes, 'c3', 'up')).toBe('c2');
  });
  test('follow columns of points', () => {
    expect(go(points, 'A', 'right')).toBe('2');
    expect(go(points, '1', 'down', 'down')).toBe('3');
    expect(go(points, 'B', 'left')).toBe('5');
  });
  test.each([
    ['square', square],
    ['hexagonal', hexes],
    ['points', points],
  ])('reach every cell of a board: %s', (_, cells) => {
    const reached = new Set([cells[0] as Cell]);
    for (const at of reached) {
      for (const direction of ['up', 'down', 'left', 'right'] as const) {
        const next = neighbour(cells, at, direction);
        if (next) reached.add(next);
      }
    }
    expect(reached.size).toBe(cells.length);
  });
});

test('a hexagon stands on a corner and is one unit wide', () => {
  const corners = hexagon();
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  expect(Math.max(...xs) - Math.min(...xs)).toBeCloseTo(1);
  expect(Math.max(...ys)).toBeCloseTo(halfExtent({ type: 'hexagon' })[1]);
});

test('what only lies under other cells is a backdrop', () => {
  const rack = cell('rack', 0.5, 1, { type: 'rect', width: 1, height: 2 });
  const holes = [0.5, 1.5].map((y, i) => cell(`hole${i}`, 0.5, y, { type: 'circle', radius: 0.4 }));
  expect(backdrops([rack, ...holes])).toEqual(new Set(['rack']));
  expect(backdrops(square)).toEqual(new Set());
});

test('an arrow has its head at its end, and its line does not stick out of it', () => {
  const points: Point[] = [
    [0, 0],
    [0, 2],
    [2, 2],
  ];
  const head = arrowHead(points, 0.1);
  const [tip, left, right] = head?.corners ?? [];
  expect(tip).toEqual([2, 2]);
  expect(left?.[0]).toBeCloseTo(1.7);
  expect((left?.[1] ?? 0) - 2).toBeCloseTo(2 - (right?.[1] ?? 0));
  expect(head?.length).toBeCloseTo(0.3);
  expect(trimmed(points, 0.5)).toEqual([
    [0, 0],
    [0, 2],
    [1.5, 2],
  ]);
  expect(trimmed(points, 3)).toEqual([
    [0, 0],
    [0, 1],
  ]);
  expect(trimmed(points, 9)).toEqual([[0, 0]]);
  expect(arrowHead([[0, 0]], 0.1)).toBeUndefined();
});

test('one line goes around cells that lie together', () => {
  const face = [cell('a', 0.5, 0.5), cell('b', 1.5, 0.5), cell('c', 0.5, 1.5), cell('d', 1.5, 1.5)];
  const rim = outline(face);
  expect(new Set(rim.map(String))).toEqual(new Set(['0,0', '2,0', '2,2', '0,2']));
  for (const [x, y] of outline(face, 0.1))
    expect([0.1, 1.9].map((at) => Math.min(Math.abs(x - at), Math.abs(y - at)))).toContainEqual(expect.closeTo(0));
  expect(outline([cell('h', 0, 0, { type: 'hexagon' })])).toHaveLength(6);
});

test('of lines that cross, a touch means the nearest', () => {
  const lines = [
    {
      id: 'along',
      points: [
        [0, 0],
        [4, 0],
      ] as Point[],
    },
    {
      id: 'down',
      points: [
        [2, -2],
        [2, 2],
      ] as Point[],
    },
  ];
  expect(nearestLine(lines, [1, 0.1])?.id).toBe('along');
  expect(nearestLine(lines, [2.1, 1])?.id).toBe('down');
  // Beyond its end a line is as far as the end.
  expect(nearestLine(lines, [2.2, 3])?.id).toBe('down');
  expect(nearestLine([], [0, 0])).toBeUndefined();
});

test('a shape as path data is as wide and as high as itself', () => {
  const shapes: Shape[] = [
    { type: 'square' },
    { type: 'rect', width: 2, height: 0.5 },
    { type: 'hexagon' },
    { type: 'circle', radius: 0.3 },
    { type: 'card' },
  ];
  for (const shape of shapes) {
    // Each command's last two numbers lead on; `h` and `v` have one.
    let [x, y] = [0, 0];
    const [xs, ys]: [number[], number[]] = [[], []];
    for (const [, command, list] of pathData(shape, [3, 5]).matchAll(/([MLhvaz])([^MLhvaz]*)/g)) {
      const numbers = (list ?? '').split(/[ ,]+/).filter(Boolean).map(Number);
      const pairs = command === 'M' ? numbers.flatMap((n, i) => (i % 2 ? [] : [[n, numbers[i + 1] ?? 0]])) : [];
      for (const [px, py] of pairs as Point[]) {
        [x, y] = [px, py];
        xs.push(x);
        ys.push(y);
      }
      if (command === 'h') x += numbers[0] ?? 0;
      else if (command === 'v') y += numbers[0] ?? 0;
      else if (command === 'a') [x, y] = [x + (numbers[5] ?? 0), y + (numbers[6] ?? 0)];
      xs.push(x);
      ys.push(y);
    }
    const [w, h] = halfExtent(shape);
    expect(Math.min(...xs), shape.type).toBeCloseTo(3 - w, 2);
    expect(Math.max(...xs), shape.type).toBeCloseTo(3 + w, 2);
    // A circle's arcs begin at its left and at its right.
    expect(Math.max(...ys), shape.type).toBeCloseTo(shape.type === 'circle' ? 5 : 5 + h, 2);
  }
});

describe('the rim around two points', () => {
  test('lies as far from them on each side', () => {
    expect(capsule([0, 0], [2, 0], 0.5)).toBe('M0 0.5L2 0.5A0.5 0.5 0 0 0 2 -0.5L0 -0.5A0.5 0.5 0 0 0 0 0.5Z');
    expect(capsule([1, 1], [1, 3], 0.5)).toBe('M0.5 1L0.5 3A0.5 0.5 0 0 0 1.5 3L1.5 1A0.5 0.5 0 0 0 0.5 1Z');
  });

  test('is a circle around a single point', () => {
    expect(capsule([1, 1], [1, 1], 0.5)).toBe('M1 1.5L1 1.5A0.5 0.5 0 0 0 1 0.5L1 0.5A0.5 0.5 0 0 0 1 1.5Z');
  });
});
