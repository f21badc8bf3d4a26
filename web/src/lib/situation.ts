/** Whose turn it is, in words. */

import { nameOf } from './people';
import type { View } from './wire';

export interface Situation {
  text: string;
  /** Whether this page is to choose. */
  yours: boolean;
  thinking: boolean;
}

function listed(names: string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

export function situation(view: View, sent: boolean): Situation {
  const quiet = (text: string, thinking = false) => ({ text, yours: false, thinking });
  if (view.result) return quiet(view.result.sentence);
  if (view.to_act === 'over') return quiet('The game is over.');
  if (view.to_act === 'chance') return quiet('Chance acts', true);
  if (sent) return quiet('Sending', true);

  const name = (seat: number) => nameOf(view, seat);
  const yours = view.you.filter((seat) => view.choices[seat]);
  const first = yours[0];
  if (first !== undefined) {
    // With several seats, the one to act is named.
    const as = view.seats.length > 1 ? ` as ${view.seats[first]?.name ?? `seat ${first + 1}`}` : '';
    const others = view.to_act.filter((seat) => !view.you.includes(seat));
    const meanwhile = others.length > 0 ? '; the others choose at the same time' : '';
    return { text: `Your turn${as}${meanwhile}`, yours: true, thinking: false };
  }
  if (view.thinking.length > 0) return quiet(`${listed(view.thinking.map(name))} thinking`, true);
  const away = view.to_act.filter((seat) => view.seats[seat]?.connected === false);
  const waiting = away.length > 0 ? `; ${listed(away.map(name))} ${away.length > 1 ? 'are' : 'is'} away` : '';
  return quiet(`${listed(view.to_act.map(name))} to act${waiting}`);
}
