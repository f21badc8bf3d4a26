import { expect, test } from 'vitest';
import { hexEntry, views } from '../fixtures';
import { halfExtent } from './geometry';
import { setUpright, turnedAbout } from './turn-about';
import type { Area } from './wire';

const boards: Area[] = [hexEntry.picture, ...Object.values(views).map(({ picture }) => picture)].flatMap(({ areas }) =>
  areas.filter(({ kind }) => kind === 'board'),
);

test('a board turned about twice is the board', () => {
  expect(boards.length).toBeGreaterThan(2);
  for (const area of boards) {
    const twice = turnedAbout(turnedAbout(area));
    expect(twice.cells.map(({ id }) => id)).toEqual(area.cells.map(({ id }) => id));
    for (const [i, cell] of area.cells.entries()) {
      expect(twice.cells[i]?.x).toBeCloseTo(cell.x, 9);
      expect(twice.cells[i]?.y).toBeCloseTo(cell.y, 9);
    }
    expect(twice.pieces).toEqual(area.pieces);
  }
});

test('each coordinate stays beside the same cells', () => {
  for (const area of boards) {
    const turned = turnedAbout(area);
    // The cell nearest to a coordinate is the same one.
    const nearest = (one: Area, i: number) => {
      const text = one.texts?.[i];
      if (!text) return undefined;
      const far = (cell: Area['cells'][number]) => Math.hypot(cell.x - text.x, cell.y - text.y);
      const least = Math.min(...one.cells.map(far));
      return one.cells.filter((cell) => far(cell) < least + 1e-6).map(({ id }) => id);
    };
    for (const [i, text] of (area.texts ?? []).entries())
      if (text.coordinate) expect(nearest(turned, i)).toEqual(nearest(area, i));
  }
});

test('a board set upright lies within its area, its coordinates beside the same cells', () => {
  const hasCards = (area: Area) => area.cells.some(({ shape }) => shape.type === 'card');
  for (const area of boards.filter((area) => !hasCards(area))) {
    const upright = setUpright(area);
    expect([upright.width, upright.height]).toEqual([area.height, area.width]);
    for (const [i, { x, y, shape }] of upright.cells.entries()) {
      const [w, h] = halfExtent(shape);
      expect(x - w).toBeGreaterThanOrEqual(-0.01);
      expect(y - h).toBeGreaterThanOrEqual(-0.01);
      expect(x + w).toBeLessThanOrEqual(upright.width + 0.01);
      expect(y + h).toBeLessThanOrEqual(upright.height + 0.01);
      expect(halfExtent(shape)).toEqual([...halfExtent(area.cells[i]?.shape as typeof shape)].reverse());
    }
    for (const [i, text] of (upright.texts ?? []).entries()) {
      const before = area.texts?.[i] as typeof text;
      for (const [k, cell] of upright.cells.entries()) {
        const there = area.cells[k] as typeof cell;
        expect(Math.hypot(cell.x - text.x, cell.y - text.y)).toBeCloseTo(
          Math.hypot(there.x - before.x, there.y - before.y),
          9,
        );
      }
    }
  }
});
