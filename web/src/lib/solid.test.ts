import { describe, expect, test } from 'vitest';
import { cubes } from '../fixtures';
import type { Area, Cell, Polygon } from './drawn';
import { CORNERWISE, reach, rotate, seen, type Turn, turned } from './solid';

const FRONT: Turn = { yaw: 0, pitch: 0 };

type Spot = [number, number, number];

function faces(area: Area): string {
  return [...new Set(area.cells.map(({ id }) => id.charAt(0)))].sort().join('');
}

function polygon(area: Area, id: string): Cell & { shape: Polygon } {
  const cell = area.cells.find((one) => one.id === id);
  if (cell?.shape.type !== 'polygon') throw new Error(`${id} is not to be seen`);
  return cell as Cell & { shape: Polygon };
}

describe('a body', () => {
  test('turns like a globe: the front goes right with the yaw and down with the pitch', () => {
    const close = (spot: Spot) => spot.map((x) => Math.round(x * 1000) / 1000 + 0);
    expect(close(rotate([0, 0, 1], { yaw: 90, pitch: 0 }))).toEqual([1, 0, 0]);
    expect(close(rotate([0, 0, 1], { yaw: 0, pitch: 90 }))).toEqual([0, -1, 0]);
    expect(close(rotate([0, 1, 0], { yaw: 77, pitch: 90 }))).toEqual([0, 0, 1]);
  });

  test('is not turned over', () => {
    expect(turned({ yaw: 350, pitch: 60 }, { yaw: 45, pitch: 45 })).toEqual({ yaw: 395, pitch: 90 });
    expect(turned({ yaw: 0, pitch: 0 }, { yaw: 0, pitch: -200 })).toEqual({ yaw: 0, pitch: -90 });
  });

  test.each<[Turn, string]>([
    [FRONT, 'f'],
    [CORNERWISE, 'fru'],
    [{ yaw: 45, pitch: 0 }, 'fl'],
    [{ yaw: 180, pitch: 0 }, 'b'],
    [{ yaw: 0, pitch: 90 }, 'u'],
    [{ yaw: 145, pitch: -30 }, 'bdl'],
  ])('shows what faces the person only: %o', (turn, expected) => {
    expect(faces(seen(cubes.three, turn))).toBe(expected);
  });

  test('has room however it is turned', () => {
    const solid = cubes.three;
    const room = 2 * reach(solid);
    for (let yaw = 0; yaw < 360; yaw += 15) {
      for (let pitch = -90; pitch <= 90; pitch += 15) {
        const flat = seen(solid, { yaw, pitch });
        expect(flat.width).toBeCloseTo(room);
        const shapes = flat.cells.flatMap(({ x, y, shape }) =>
          shape.type === 'polygon' ? shape.points.map(([px, py]) => [x + px, y + py]) : [],
        );
        expect(shapes.length).toBeGreaterThan(0);
        expect(Math.min(...shapes.flat())).toBeGreaterThanOrEqual(0);
        expect(Math.max(...shapes.flat())).toBeLessThanOrEqual(room);
      }
    }
  });

  test('is nearer where it is drawn later', () => {
    const flat = seen(cubes.three, { yaw: -20, pitch: 0 });
    const order = flat.cells.map(({ id }) => id);
    // The right side goes away from the person: its far column comes first, the near one and the front later.
    expect(order.indexOf('r2')).toBeLessThan(order.indexOf('r0'));
    expect(order.indexOf('r2')).toBeLessThan(order.indexOf('f0'));
  });

  test('keeps ids, texts and tones, and is lit from above', () => {
    const flat = seen(cubes.one, CORNERWISE);
    expect(polygon(flat, 'f0')).toMatchObject({ text: 'F', tone: 'green' });
    const dark = (id: string) => polygon(flat, id).shape.dark;
    expect(dark('u0')).toBeLessThan(dark('f0'));
    expect(dark('f0')).toBeLessThan(dark('r0'));
    expect(dark('r0')).toBeLessThan(0.5);
  });

  test('lays a text upright on its front, and aslant on its sides', () => {
    const [a, b, c, d] = polygon(seen(cubes.one, FRONT), 'f0').shape.lie;
    expect([b, c].map((x) => Math.abs(x) < 1e-9)).toEqual([true, true]);
    expect(a).toBeCloseTo(d);
    // Nine units from the eye to the centre, eight to the front.
    expect(a).toBeCloseTo(9 / 8);
    const side = polygon(seen(cubes.one, CORNERWISE), 'r0').shape.lie;
    expect(side[0]).toBeGreaterThan(0);
    expect(side[0]).toBeLessThan(a);
    expect(side[1]).toBeLessThan(0);
  });
});
