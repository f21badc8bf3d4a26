/** What a touch does to what lies on a place while a position is set up. */

import type { PlaceToFill } from './wire';

/** Instead of a piece: takes away. */
export const ERASER = -1;

/**
 * What lies on `place` after its cell number `level` was touched with a piece, or with the eraser. A place of several
 * cells is filled up to the one touched, or down to below it where it is the highest; on another the piece takes the
 * place of what lies there, goes where it lies already, or comes on top where there is room for a pile.
 */
export function touched(place: PlaceToFill, on: readonly number[], level: number, tool: number): number[] {
  if (place.ids.length > 1) {
    const height = tool === ERASER || on.length === level + 1 ? level : level + 1;
    return Array.from({ length: height }, (_, i) => on[i] ?? tool);
  }
  if (tool === ERASER) return on.slice(0, -1);
  if (place.most === 1) return on[0] === tool ? [] : [tool];
  return on.length < place.most ? [...on, tool] : [...on];
}
