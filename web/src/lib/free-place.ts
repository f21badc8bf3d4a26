/** Where a message covers nothing that one touches. */

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const GAP = 3;

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/**
 * The top of a box of this width and height, in the middle of a room of that width and height, so that it covers no control: as
 * high as can be, or where it was before if that covers none. Where it has to cover something, it covers as little as can be.
 */
export function freePlace(
  [width, height]: [number, number],
  [roomWidth, roomHeight]: [number, number],
  controls: readonly Box[],
  before?: number,
): number {
  const left = (roomWidth - width) / 2;
  const lowest = Math.max(GAP, roomHeight - height - GAP);
  const covered = (top: number): number => {
    const box = { left, right: left + width, top: top - GAP + 1, bottom: top + height + GAP - 1 };
    return controls.reduce((sum, control) => sum + overlap(box, control), 0);
  };
  // The highest free place is at the top or right below a control; where there is none, one is right above a control perhaps.
  const beside = controls.flatMap(({ top, bottom }) => [bottom + GAP, top - GAP - height]);
  const isWithin = (top: number) => top >= GAP && top <= lowest;
  if (before !== undefined && isWithin(before) && covered(before) === 0) return before;
  const tops = [GAP, lowest, ...beside].filter(isWithin).sort((a, b) => a - b);
  let best = GAP;
  for (const top of tops) if (covered(top) < covered(best)) best = top;
  return best;
}
