/** Shapes in board units: outlines, extents, and which cell an arrow key leads to. */

import type { Cell, Point, Shape } from './protocol';

export type Direction = 'up' | 'down' | 'left' | 'right';

/** Half the width and half the height of a shape. */
export function halfExtent(shape: Shape): Point {
  switch (shape.type) {
    case 'square':
      return [0.5, 0.5];
    case 'rect':
      return [shape.width / 2, shape.height / 2];
    case 'hexagon':
      return [0.5, 1 / Math.sqrt(3)];
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

/** The corners of a hexagon that stands on a corner, `scale` times one unit wide, around the origin. */
export function hexagon(scale = 1): Point[] {
  const radius = scale / Math.sqrt(3);
  return [0, 1, 2, 3, 4, 5].map((i) => {
    const angle = Math.PI / 6 + (i * Math.PI) / 3;
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

/** The head of an arrow at the end of a line: three corners. */
export function arrowHead(points: Point[], width: number): Point[] {
  const end = points.at(-1);
  const before = points.at(-2);
  if (!end || !before) return [];
  const length = Math.hypot(end[0] - before[0], end[1] - before[1]) || 1;
  const [ux, uy] = [(end[0] - before[0]) / length, (end[1] - before[1]) / length];
  const size = Math.max(0.12, width * 3);
  const base: Point = [end[0] - ux * size, end[1] - uy * size];
  return [
    end,
    [base[0] - uy * size * 0.5, base[1] + ux * size * 0.5],
    [base[0] + uy * size * 0.5, base[1] - ux * size * 0.5],
  ];
}
