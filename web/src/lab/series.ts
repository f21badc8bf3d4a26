/** A line of a plot, with the band of its interval where it has one. */
export interface Series {
  label: string;
  /** As style sheets write it. */
  colour: string;
  /** In the order of `x`. */
  points: { x: number; y: number; low?: number; high?: number }[];
}

/** The part of the way after which a mean has settled a little: the intervals of the first few games would hide all that follows. */
const SETTLED = 0.05;
const RIM = 0.1;

/** From where to where the lines and their bands go once they have settled; nothing where that is a single number. */
export function settledRange(series: readonly Series[]): [number, number] | undefined {
  const points = series.flatMap(({ points }) => points);
  const from = SETTLED * Math.max(...points.map(({ x }) => x));
  const ends = points.filter(({ x }) => x >= from).flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const rim = RIM * (most - least);
  return rim > 0 ? [least - rim, most + rim] : undefined;
}
