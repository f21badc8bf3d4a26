/** What is drawn on a stage and can be touched there: a table in progress, or a position that is analysed. */

import type { Table } from './table.svelte';

/** What an action is worth to the seat that may choose it. */
export interface ValueMark {
  /** A short number. */
  text: string;
  /** From 0, the worst of what is shown, to 1, the best. */
  rank: number;
  exact: boolean;
}

export type Board = Pick<
  Table,
  | 'view'
  | 'picture'
  | 'look'
  | 'hold'
  | 'prefix'
  | 'targets'
  | 'reacting'
  | 'movable'
  | 'last'
  | 'seatNames'
  | 'tones'
  | 'sent'
  | 'touch'
  | 'pickUp'
  | 'putDown'
> & {
  /** Values to be written where they can be chosen, by the id that is touched. */
  readonly marks?: ReadonlyMap<string, ValueMark> | undefined;
};
