/** The problem of the day over all games: one game a day, and its problem of the day. */

import { problemOfTheDay } from './progress';
import type { LessonView } from './wire';

/**
 * The address of the problem of the day, the same for all. `ids` are the games, which take turns by the day; one without
 * problems is passed over. Undefined where no game has any.
 */
export async function problemOfToday(
  ids: readonly string[],
  problemsOf: (game: string) => Promise<LessonView[]>,
  now: number,
): Promise<string | undefined> {
  const first = problemOfTheDay(ids.length, now) - 1;
  for (const game of [...ids.slice(Math.max(0, first)), ...ids.slice(0, Math.max(0, first))]) {
    const shelf = await problemsOf(game);
    const step = problemOfTheDay(shelf.at(-1)?.steps.length ?? 0, now);
    if (step > 0) return `/problems/${encodeURIComponent(game)}?lesson=${shelf.length}&step=${step}`;
  }
  return undefined;
}
