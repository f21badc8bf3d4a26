/** What is drawn on a stage and can be touched there: a table in progress, or a position that is analysed. */

import type { Table } from './table.svelte';

/** For so long after the touch that chose an action, in milliseconds, another may be the second of a double click. */
export const DOUBLE_CLICK = 400;

/** What an action is worth to the seat that may choose it. */
export interface ValueMark {
  /** A short number. */
  text: string;
  /** From 0, the worst of what is shown, to 1, the best. */
  rank: number;
  exact: boolean;
  /** Whether it is the best of what is shown, where `rank` compares with more than that. */
  best?: boolean;
  /** Whether it is of all that is left to touch, in any order. */
  whole?: boolean;
}

/** What stands for several things that are touched in any order. */
export function setOf(ids: string[]): string {
  return [...ids].sort().join('\n');
}

export type Board = Pick<
  Table,
  | 'view'
  | 'picture'
  | 'look'
  | 'hold'
  | 'chosen'
  | 'targets'
  | 'reacting'
  | 'movable'
  | 'last'
  | 'hinted'
  | 'seatNames'
  | 'tones'
  | 'sent'
  | 'touch'
  | 'pickUp'
  | 'putDown'
> & {
  /** Places that belong together, each a way from place to place. */
  readonly joined?: readonly (readonly string[])[] | undefined;
  /** Values to be written where they can be chosen, by the id that is touched. */
  readonly marks?: ReadonlyMap<string, ValueMark> | undefined;
};
