/** How large what is written on a picture is. */

import type { Cell } from './drawn';
import { halfExtent } from './geometry';
import type { Caption } from './wire';

/** Dots below which text is hard to read; in a cell one expects it, and it stands apart. */
export const READABLE = 9.5;
const READABLE_IN_CELL = 12;

/** A caption's size counts its capitals; a type's size counts more. */
export const CAPTION_SCALE = 1.3;

/**
 * The type in a cell: as large as it fits, and no larger than others. At so many dots a unit it comes nearer to the rims
 * above and below it where it would be hard to read otherwise.
 */
export function cellTextSize(cell: Cell, unit = 0): number {
  const [w, h] = halfExtent(cell.shape);
  const across = Math.min(0.5, (w * 3.4) / Math.max(2, (cell.text ?? '').length));
  const least = unit > 0 ? Math.min(READABLE_IN_CELL / unit, h * 1.9) : 0;
  return Math.min(across, Math.max(h * 1.3, least));
}

/** Dots that words and coordinates are high at most: on a small board they must not outshine it. */
const LARGEST_WORDS = 28;
const LARGEST_COORDINATES = 22;
/** Units that a coordinate may take of the rim, where it would be hard to read otherwise. */
const WIDEST_COORDINATE = 0.55;

/** The type of a caption or a coordinate, in units, at so many dots a unit. */
export function captionSize({ size, coordinate }: Pick<Caption, 'size' | 'coordinate'>, unit: number): number {
  const units = size * (coordinate ? 1.1 : CAPTION_SCALE);
  if (unit <= 0) return units;
  if (!coordinate) return Math.min(units, LARGEST_WORDS / unit);
  return Math.min(Math.max(units, Math.min(WIDEST_COORDINATE, READABLE / unit)), LARGEST_COORDINATES / unit);
}
