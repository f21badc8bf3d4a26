import { expect, test } from 'vitest';
import { cubes } from '../fixtures';
import type { Area, Cell } from './drawn';
import { CORNERWISE, seen } from './solid';
import { about, areAlike, partsOf, seenTwisted, type Twist, twistBetween } from './twist';

type Spot = [x: number, y: number, z: number];

function middle({ shape }: Cell): Spot {
  const corners = shape.type === 'facet' ? shape.corners : [];
  return [0, 1, 2].map((axis) => corners.reduce((sum, corner) => sum + (corner[axis] ?? 0), 0) / 4) as Spot;
}

/** The body after a twist: each facet of the layer shows what was where it came from. */
function twisted(area: Area, { axis, from, to, degrees }: Twist): Area {
  const at = (spot: Spot) =>
    area.cells.find((cell) => middle(cell).every((x, i) => Math.abs(x - (spot[i] ?? 0)) < 0.01)) as Cell;
  const cells = area.cells.map((cell) => {
    const spot = middle(cell);
    if (spot[axis] < from - 0.01 || spot[axis] > to + 0.01) return cell;
    const { tone, text } = at(about(axis, -degrees, spot));
    return { ...cell, tone, ...(text === undefined ? {} : { text }) };
  });
  return { ...area, cells };
}

const third = 1 / 3;
const twists: Twist[] = [
  { axis: 0, from: third, to: 1, degrees: 90 },
  { axis: 1, from: -1, to: -third, degrees: -90 },
  { axis: 2, from: third, to: 1, degrees: 180 },
  { axis: 0, from: -third, to: third, degrees: 90 },
  { axis: 1, from: -third, to: 1, degrees: -90 },
];

test.each(twists)('a twist is known by what it changes: %o', (twist) => {
  const found = twistBetween(cubes.three, twisted(cubes.three, twist));
  expect(found?.axis).toBe(twist.axis);
  expect(found?.degrees).toBe(twist.degrees);
  expect(found?.from).toBeCloseTo(twist.from);
  expect(found?.to).toBeCloseTo(twist.to);
});

test('whatever the size, a twist is known', () => {
  // Facets whose middles lie between hundredths.
  const scaled = (area: Area, by: number): Area => ({
    ...area,
    cells: area.cells.map((cell) => {
      if (cell.shape.type !== 'facet') return cell;
      const corners = cell.shape.corners.map((corner) => corner.map((x) => x * by)) as typeof cell.shape.corners;
      return { ...cell, shape: { ...cell.shape, corners } };
    }),
  });
  for (const size of [0.95, 0.7125, 0.33]) {
    for (const twist of twists) {
      const found = twistBetween(scaled(cubes.three, size), scaled(twisted(cubes.three, twist), size));
      expect([found?.axis, found?.degrees], String(size)).toEqual([twist.axis, twist.degrees]);
      expect(found?.from).toBeCloseTo(twist.from * size);
    }
  }
});

test('what is no twist is none', () => {
  const { three } = cubes;
  expect(areAlike(three, { ...three })).toBe(true);
  expect(twistBetween(three, three)).toBeUndefined();
  const [first, ...rest] = three.cells as [Cell, ...Cell[]];
  const painted = { ...three, cells: [{ ...first, tone: 'purple' as const }, ...rest] };
  expect(areAlike(three, painted)).toBe(false);
  expect(twistBetween(three, painted)).toBeUndefined();
  // Two twists at once, about different axes.
  const [one, two] = twists as [Twist, Twist];
  expect(twistBetween(three, twisted(twisted(three, one), two))).toBeUndefined();
});

test('on its way a layer stands aslant, and at the end everything is in its place', () => {
  const [twist] = twists as [Twist];
  const after = twisted(cubes.three, twist);
  expect(partsOf(after, twist, 0.5)).toHaveLength(2);
  const facets = (part: number) => seenTwisted(after, twist, part, CORNERWISE).cells.filter(({ inert }) => !inert);
  const name = ({ id, x, y }: Cell) => `${id} ${x.toFixed(3)} ${y.toFixed(3)}`;
  const still = seen(after, CORNERWISE).cells.map(name);
  expect(facets(1).map(name).sort()).toEqual(still.sort());
  expect(facets(0.5).map(name).sort()).not.toEqual(still);
  // At its beginning it looks as before.
  const looks = (cells: Cell[]) => cells.map(({ tone, x, y }) => `${tone} ${x.toFixed(3)} ${y.toFixed(3)}`).sort();
  expect(looks(facets(0))).toEqual(looks(seen(cubes.three, CORNERWISE).cells));
});
