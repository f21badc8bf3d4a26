/**
 * The problem of the day: games take turns by the day, and so do the problems of each. The command chooses in the same way
 * (`raichi problems --today`).
 */

import type { LessonView } from './wire';

const DAY_MS = 86_400_000;

/** Whose turn it is today of so many, from 0; days begin at midnight UTC. */
function turn(n: number, now: number): number {
  return n === 0 ? 0 : Math.floor(now / DAY_MS) % n;
}

/** Both from 1. */
export interface Place {
  lesson: number;
  step: number;
}

/** The problem of the day of one game, the same for all: those of all its lessons take turns. */
export function problemOfTheDay(shelf: readonly LessonView[], now: number): Place | undefined {
  const places = shelf.flatMap(({ steps }, i) => steps.map((_, j) => ({ lesson: i + 1, step: j + 1 })));
  return places[turn(places.length, now)];
}

/**
 * The address of the problem of the day, the same for all. `ids` are the games, which take turns by the day; one without
 * problems is passed over. Undefined where no game has any.
 */
export async function problemOfToday(
  ids: readonly string[],
  problemsOf: (game: string) => Promise<LessonView[]>,
  now: number,
): Promise<string | undefined> {
  const first = turn(ids.length, now);
  for (const game of [...ids.slice(first), ...ids.slice(0, first)]) {
    const place = problemOfTheDay(await problemsOf(game), now);
    if (place) return `/problems/${encodeURIComponent(game)}?lesson=${place.lesson}&step=${place.step}`;
  }
  return undefined;
}
