/**
 * Bodies in space: a solid area, turned, as a flat one.
 *
 * The body turns like a globe on a table: about its upright axis, and towards the person or away. What faces away is
 * left out, and the rest is sorted from back to front. Seen from near enough that it looks like a body, and from far
 * enough that nothing is much smaller for being behind.
 */

import type { Area, Cell, Point } from './drawn';

type Spot = [x: number, y: number, z: number];

/** How a body is turned, in degrees: its front to the right, and downward. */
export interface Turn {
  yaw: number;
  pitch: number;
}

/** From a corner: front, right side and top are all to be seen. */
export const CORNERWISE: Turn = { yaw: -35, pitch: 27 };

/** From the person's eye to the body's centre, in units. */
export const DISTANCE = 9;
/** Where the light comes from: above, in front, a little from the left. */
const LIGHT: Spot = [-0.3, 0.72, 0.62];
/** How much darker is what the light does not reach. */
const DARKEST = 0.28;
/** A facet seen as edgewise as this is not seen. */
const THIN = 1e-4;

/** A turn more; nobody can look over the top and down the back. */
export function turned({ yaw, pitch }: Turn, by: Turn): Turn {
  return { yaw: yaw + by.yaw, pitch: Math.max(-90, Math.min(90, pitch + by.pitch)) };
}

export function rotate([x, y, z]: Spot, { yaw, pitch }: Turn): Spot {
  const [a, b] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
  const [ahead, right] = [z * Math.cos(a) - x * Math.sin(a), x * Math.cos(a) + z * Math.sin(a)];
  return [right, y * Math.cos(b) - ahead * Math.sin(b), y * Math.sin(b) + ahead * Math.cos(b)];
}

/** Half the width of a square in which the body has room however it is turned. */
export function reach(area: Area): number {
  const corners = area.cells.flatMap(({ shape }) => (shape.type === 'facet' ? shape.corners : []));
  const radius = Math.max(0.1, ...corners.map((corner) => Math.hypot(...corner)));
  return (radius * DISTANCE) / Math.sqrt(DISTANCE ** 2 - radius ** 2);
}

/** The area as it is seen: what faces the person, flat, the nearest last. */
export function seen(area: Area, turn: Turn, middle = reach(area)): Area {
  const facets = area.cells.flatMap((cell) => facet(cell, turn, middle) ?? []);
  const cells = facets.sort((a, b) => a.depth - b.depth).map(({ cell }) => cell);
  return { ...area, width: 2 * middle, height: 2 * middle, cells };
}

function facet(cell: Cell, turn: Turn, middle: number): { cell: Cell; depth: number } | undefined {
  if (cell.shape.type !== 'facet') return undefined;
  const corners = cell.shape.corners.map((corner) => rotate(corner, turn));
  const points = corners.map(([x, y, z]): Point => {
    const near = DISTANCE / (DISTANCE - z);
    return [middle + x * near, middle - y * near];
  });
  if (clockwise(points) < THIN) return undefined;
  const [x, y] = mean(points);
  const [a, b, , d] = corners as [Spot, Spot, Spot, Spot];
  const [along, down] = [minus(b, a), minus(d, a)];
  const half: Point = [Math.hypot(...along) / 2, Math.hypot(...down) / 2];
  const dark = (1 - Math.max(0, dot(unit(cross(down, along)), unit(LIGHT)))) * DARKEST;
  const about = points.map(([px, py]): Point => [px - x, py - y]);
  return {
    cell: { ...cell, x, y, shape: { type: 'polygon', points: about, half, lie: lie(about, half), dark } },
    depth: corners.reduce((sum, [, , z]) => sum + z, 0),
  };
}

/** What lays a text of body units on a facet that is seen aslant: the matrix of an SVG transform, without its shift. */
function lie(points: Point[], half: Point): [number, number, number, number] {
  const [a, b, c, d] = points as [Point, Point, Point, Point];
  const edge = (i: 0 | 1): [number, number] => [b[i] - a[i] + c[i] - d[i], d[i] - a[i] + c[i] - b[i]];
  const [[ax, dx], [ay, dy]] = [edge(0), edge(1)];
  return [ax / half[0] / 4, ay / half[0] / 4, dx / half[1] / 4, dy / half[1] / 4];
}

/** Twice the area of a polygon, y downward; below 0 where its corners run the other way round. */
function clockwise(points: Point[]): number {
  return points.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length] as Point;
    return sum + x * nextY - nextX * y;
  }, 0);
}

function mean(points: Point[]): Point {
  const sum = points.reduce(([sx, sy], [x, y]): Point => [sx + x, sy + y], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}

function minus(a: Spot, b: Spot): Spot {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: Spot, b: Spot): Spot {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Spot, b: Spot): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function unit(a: Spot): Spot {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}
