/** Areas as they are drawn: the server's, and bodies in space once they have been turned and projected. */

import type * as wire from './wire';

export type Point = [number, number];

/** A facet of a turned body as it is seen; made in the page, never sent. */
export interface Polygon {
  type: 'polygon';
  /** The corners, from its centre. */
  points: Point[];
  /** Half its sides' lengths before it is turned. */
  half: Point;
  /** What lays a text on it: the matrix of an SVG transform, without its shift. */
  lie: [number, number, number, number];
  /** How much of the light it misses, 0 to 1. */
  dark: number;
}

/** A hexagon with a side at the top, of a board that was turned. */
export interface FlatHexagon {
  type: 'hexagon';
  flat: true;
}

export type Shape = wire.Shape | FlatHexagon | Polygon;

/** `inert`: only to be seen, such as the inside of a body that is being twisted. */
export type Cell = Omit<wire.Cell, 'shape'> & { shape: Shape; inert?: boolean };

export type Area = Omit<wire.Area, 'cells'> & { cells: Cell[] };
