/** Which sound, if any, goes with what has happened. */

import type { Motion } from './motions';
import type { Sound } from './sounds';
import type { View } from './wire';

function end(view: View): Sound {
  const payoffs = view.result?.payoffs ?? [];
  const [seat] = view.you;
  const own = view.you.length === 1 && seat !== undefined ? (payoffs[seat] ?? 0) : 0;
  if (own === 0) return 'draw';
  return own > 0 ? 'win' : 'lose';
}

function isTurn(view: View | undefined): boolean {
  return !!view && view.you.some((seat) => view.choices[seat]);
}

/** The sounds from one view to the next, the first at once. */
export function heard(before: View | undefined, view: View, moved: Motion[]): Sound[] {
  if (!before || before.table !== view.table) return [];
  if (view.result) return before.result ? [] : [end(view)];
  if (view.n_plies <= before.n_plies) return [];
  const kinds = new Set(moved.map(({ kind }) => kind));
  const ply: Sound = kinds.has('deal') ? 'deal' : kinds.has('leave') || kinds.has('turn') ? 'capture' : 'place';
  // Where all seats are one's own, every turn is.
  const others = view.you.length < view.seats.length;
  return others && isTurn(view) && !isTurn(before) ? [ply, 'turn'] : [ply];
}
