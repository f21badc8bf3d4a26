/** Shapes in board units: outlines, extents, and which cell an arrow key leads to. */

import type { Cell, Point, Shape } from './drawn';

export type Direction = 'up' | 'down' | 'left' | 'right';

/** Half the width and half the height of a shape. */
export function halfExtent(shape: Shape): Point {
  switch (shape.type) {
    case 'square':
      return [0.5, 0.5];
    case 'rect':
      return [shape.width / 2, shape.height / 2];
    case 'hexagon':
      return 'flat' in shape ? [1 / Math.sqrt(3), 0.5] : [0.5, 1 / Math.sqrt(3)];
    case 'circle':
      return [shape.radius, shape.radius];
    case 'card':
      return [0.35, 0.5];
    case 'facet':
      return [0, 0];
    case 'polygon':
      return shape.half;
  }
}

/** The corners of a hexagon that stands on a corner or lies flat, `scale` times one unit across, around the origin. */
export function hexagon(scale = 1, flat = false): Point[] {
  const radius = scale / Math.sqrt(3);
  return [0, 1, 2, 3, 4, 5].map((i) => {
    const angle = (flat ? 0 : Math.PI / 6) + (i * Math.PI) / 3;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

/** The corners of a polygon around the origin, each this much nearer to it. */
export function shrunk(points: Point[], by: number): Point[] {
  return points.map(([x, y]) => {
    const scale = Math.max(0.1, 1 - (by * Math.SQRT2) / (Math.hypot(x, y) || 1));
    return [x * scale, y * scale];
  });
}

/** The radii of the corners of squares and rectangles, and of cards. */
export const CORNER = 0.015;
export const CARD_CORNER = 0.06;

/** A shape around this point as SVG's path data, so that many can be drawn as one. */
export function pathData(shape: Shape, [x, y]: Point): string {
  if (shape.type === 'circle') {
    const r = shape.radius;
    return `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;
  }
  if (shape.type === 'square' || shape.type === 'rect' || shape.type === 'card') {
    const [w, h] = halfExtent(shape);
    const r = shape.type === 'card' ? CARD_CORNER : CORNER;
    const [across, down] = [round(2 * (w - r)), round(2 * (h - r))];
    const arc = (dx: number, dy: number) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
    return (
      `M${round(x - w + r)} ${round(y - h)}h${across}${arc(r, r)}v${down}${arc(-r, r)}` +
      `h${-across}${arc(-r, -r)}v${-down}${arc(r, -r)}z`
    );
  }
  return `M${pointList(corners(shape).map(([dx, dy]): Point => [x + dx, y + dy]))}z`;
}

/** Points as SVG takes them. */
export function pointList(points: Point[]): string {
  return points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');
}

/** Three decimals: a thousandth of a cell is less than a screen's dot. */
export function round(x: number): number {
  return Math.round(x * 1000) / 1000;
}

const AXES: Record<Direction, Point> = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

/**
 * The cell that an arrow key leads to: of those that lie more in its direction than beside it, the nearest, where a
 * step aside counts for more than a step ahead. `undefined` at the rim.
 */
export function neighbour(cells: Cell[], from: Cell, direction: Direction): Cell | undefined {
  const [ax, ay] = AXES[direction];
  let best: Cell | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const cell of cells) {
    const [dx, dy] = [cell.x - from.x, cell.y - from.y];
    const ahead = dx * ax + dy * ay;
    const aside = Math.abs(dx * ay) + Math.abs(dy * ax);
    // Twice as far aside as ahead still counts, so that the rows of a hexagonal board can be climbed.
    if (cell === from || ahead < 0.05 || aside > 2 * ahead) continue;
    const cost = ahead + 1.5 * aside;
    if (cost < bestCost) [best, bestCost] = [cell, cost];
  }
  return best;
}

/** Cells that only lie under others, such as a sheet below a board's holes: a keyboard need not stop there. */
export function backdrops(cells: Cell[]): Set<string> {
  const under = new Set<string>();
  for (const [i, cell] of cells.entries()) {
    const [w, h] = halfExtent(cell.shape);
    const covers = cells
      .slice(i + 1)
      .filter((other) => Math.abs(other.x - cell.x) < w - 0.05 && Math.abs(other.y - cell.y) < h - 0.05);
    if (covers.length > 1) under.add(cell.id);
  }
  return under;
}

/** The corners of a shape, from its centre. */
function corners(shape: Shape): Point[] {
  if (shape.type === 'hexagon') return hexagon(1, 'flat' in shape);
  if (shape.type === 'polygon') return shape.points;
  const [w, h] = halfExtent(shape);
  return [
    [-w, -h],
    [w, -h],
    [w, h],
    [-w, h],
  ];
}

/** A line around cells that lie together, this much within their rim: the convex hull of their corners. */
export function outline(cells: Cell[], inset = 0): Point[] {
  const points = cells.flatMap(({ x, y, shape }) => corners(shape).map(([dx, dy]): Point => [x + dx, y + dy]));
  points.sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const rim = [...half(points), ...half(points.reverse())];
  const [x, y] = middle(rim);
  return shrunk(
    rim.map(([px, py]): Point => [px - x, py - y]),
    inset,
  ).map(([px, py]): Point => [px + x, py + y]);
}

/** One side of the hull of points in order, without the last of them, which begins the other side. */
function half(points: Point[]): Point[] {
  const chain: Point[] = [];
  for (const point of points) {
    while (chain.length > 1 && !turnsLeft(chain.at(-2) as Point, chain.at(-1) as Point, point)) chain.pop();
    chain.push(point);
  }
  return chain.slice(0, -1);
}

function turnsLeft([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): boolean {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 1e-9;
}

function middle(points: Point[]): Point {
  const sum = points.reduce(([sx, sy], [x, y]): Point => [sx + x, sy + y], [0, 0]);
  return [sum[0] / Math.max(1, points.length), sum[1] / Math.max(1, points.length)];
}

/** How far a point is from a line's nearest stretch. */
function distanceTo(points: Point[], [x, y]: Point): number {
  const stretches = points.slice(1).map((end, i) => {
    const [[ax, ay], [bx, by]] = [points[i] as Point, end];
    const [dx, dy] = [bx - ax, by - ay];
    const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1);
    const at = Math.max(0, Math.min(1, along));
    return Math.hypot(ax + at * dx - x, ay + at * dy - y);
  });
  return Math.min(...stretches);
}

/** The line that passes a point most closely. */
export function nearestLine<Line extends { points: Point[] }>(lines: Line[], to: Point): Line | undefined {
  return lines.reduce<Line | undefined>(
    (best, line) => (!best || distanceTo(line.points, to) < distanceTo(best.points, to) ? line : best),
    undefined,
  );
}

export interface ArrowHead {
  corners: Point[];
  length: number;
}

/** The head of an arrow at the end of a line. */
export function arrowHead(points: Point[], width: number): ArrowHead | undefined {
  const end = points.at(-1);
  const before = points.at(-2);
  if (!end || !before) return undefined;
  const along = Math.hypot(end[0] - before[0], end[1] - before[1]) || 1;
  const [ux, uy] = [(end[0] - before[0]) / along, (end[1] - before[1]) / along];
  const length = Math.max(0.12, width * 3);
  const base: Point = [end[0] - ux * length, end[1] - uy * length];
  const corners: Point[] = [
    end,
    [base[0] - uy * length * 0.5, base[1] + ux * length * 0.5],
    [base[0] + uy * length * 0.5, base[1] - ux * length * 0.5],
  ];
  return { corners, length };
}

/** A line that ends this much earlier, so that it does not stick out of its arrow's head. */
export function trimmed(points: Point[], by: number): Point[] {
  let left = by;
  for (let i = points.length - 1; i > 0; i--) {
    const [from, to] = [points[i - 1], points[i]] as [Point, Point];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length > left) {
      const at = 1 - left / length;
      return [...points.slice(0, i), [from[0] + (to[0] - from[0]) * at, from[1] + (to[1] - from[1]) * at]];
    }
    left -= length;
  }
  return points.slice(0, 1);
}

/** The rim of what lies no further than `reach` from the line between two points, as a path. */
export function capsule([x1, y1]: Point, [x2, y2]: Point, reach: number): string {
  const length = Math.hypot(x2 - x1, y2 - y1);
  // Of a single point any direction will do.
  const [dx, dy] = length > 0 ? [(x2 - x1) / length, (y2 - y1) / length] : [1, 0];
  const [a, b] = [-dy * reach, dx * reach];
  const at = (x: number, y: number) => `${round(x)} ${round(y)}`;
  const arc = `A${reach} ${reach} 0 0 0 `;
  return `M${at(x1 + a, y1 + b)}L${at(x2 + a, y2 + b)}${arc}${at(x2 - a, y2 - b)}L${at(x1 - a, y1 - b)}${arc}${at(x1 + a, y1 + b)}Z`;
}
