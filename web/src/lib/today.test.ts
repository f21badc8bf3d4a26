import { expect, test } from 'vitest';
import { problemOfTheDay, problemOfToday } from './today';
import type { LessonView } from './wire';

const DAY = 86_400_000;
const shelf = (...sizes: number[]) => sizes.map((n) => ({ steps: Array.from({ length: n }) }) as LessonView);
const SHELVES: Record<string, LessonView[]> = { a: shelf(2), none: [], c: shelf(1, 3) };
const on = (day: number) => problemOfToday(['a', 'none', 'c'], async (game) => SHELVES[game] ?? [], day * DAY + 9);

test('games take turns by the day, and one without problems is passed over', async () => {
  expect(await on(0)).toBe('/problems/a?lesson=1&step=1');
  expect(await on(1)).toBe('/problems/c?lesson=2&step=1');
  expect(await on(2)).toBe('/problems/c?lesson=2&step=2');
  expect(await on(3)).toBe('/problems/a?lesson=1&step=2');
});

test('the problems of all lessons of a game take turns, as in the command', () => {
  const places = [0, 1, 2, 3, 4, 5].map((day) => problemOfTheDay(shelf(1, 0, 3), day * DAY + 5));
  const turns = places.map((place) => place && [place.lesson, place.step]);
  expect(turns).toEqual([
    [1, 1],
    [3, 1],
    [3, 2],
    [3, 3],
    [1, 1],
    [3, 1],
  ]);
  expect(problemOfTheDay(shelf(0), 5 * DAY)).toBeUndefined();
});

test('without any problem there is none of the day', async () => {
  expect(await problemOfToday(['none'], async () => [], 5 * DAY)).toBeUndefined();
  expect(await problemOfToday([], async () => [], 5 * DAY)).toBeUndefined();
});
