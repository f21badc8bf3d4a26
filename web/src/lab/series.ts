/** A line of a plot, with the band of its interval where it has one. */
export interface Series {
  label: string;
  /** As style sheets write it. */
  colour: string;
  /** In the order of `x`. */
  points: { x: number; y: number; low?: number; high?: number }[];
}
