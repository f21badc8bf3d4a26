/** What seats are called in sentences: by the people who sit there, and "you" where it is this page's own. */

import type { View } from './wire';

/** The name of the person who sits there, where it tells seats apart; else the seat's own. */
export function nameOf(view: View, seat: number): string {
  const at = view.seats[seat];
  if (!at) return `seat ${seat + 1}`;
  const others = view.seats.filter((other) => other.occupant === at.occupant);
  return at.kind === 'human' && at.occupant && others.length === 1 ? at.occupant : at.name;
}

/** `you` where it is the only seat of this page; somebody with several is told which. */
export function called(view: View, seat: number): string {
  return view.you.length === 1 && view.you[0] === seat ? 'you' : nameOf(view, seat);
}

/** As a sentence begins: `You`, `Ann`. */
export function calledFirst(view: View, seat: number): string {
  const name = called(view, seat);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Who has offered the rematch, as far as it is known: the one other person, or somebody. */
export function whoOffers(view: View): string {
  const others = view.seats.flatMap(({ kind }, seat) => (kind === 'human' && !view.you.includes(seat) ? [seat] : []));
  const [other] = others;
  return other !== undefined && others.length === 1 && view.you.length > 0 ? nameOf(view, other) : 'Somebody';
}
