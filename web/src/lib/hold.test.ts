// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Hold, hasActed, holdTime, outcomes } from './hold.svelte';
import { settings } from './settings.svelte';
import type { Picture, PlyView, View } from './wire';

const end = (text: string): Picture => ({ areas: [], badges: [{ seat: 1, kind: 'gain', text }] });
const round = (...texts: string[]): PlyView[] => [
  { by: 'chance', text: '~?', begins: 'Round 2' },
  ...texts.map((text): PlyView => ({ by: 0, text })),
];

function view(before: Picture | undefined, you: number[] = [0]): View {
  return { you, result: null, picture: { areas: [], ...(before && { before }) } } as unknown as View;
}

beforeEach(() => {
  vi.useFakeTimers();
  settings.pauses = true;
});
afterEach(() => {
  vi.useRealTimers();
});

test('a new end of a round is held for some seconds, once', () => {
  const hold = new Hold();
  hold.see(view(undefined), []);
  hold.see(view(end('won 20')), round());
  expect(hold.picture).toEqual(end('won 20'));
  vi.advanceTimersByTime(holdTime(end('won 20')) - 1);
  expect(hold.picture).toBeDefined();
  vi.advanceTimersByTime(2);
  expect(hold.picture).toBeUndefined();
  hold.see(view(end('won 20')), round());
  expect(hold.picture).toBeUndefined();
  hold.see(view(end('won 30')), round());
  expect(outcomes(hold.picture)).toEqual([{ seat: 1, kind: 'gain', text: 'won 30' }]);
  hold.skip();
  expect(hold.picture).toBeUndefined();
});

test('behind a curtain it stays, and its time begins when that is lifted', () => {
  const hold = new Hold();
  hold.see(view(undefined), []);
  hold.see(view(end('won 20')), round());
  hold.wait();
  vi.advanceTimersByTime(60_000);
  expect(hold.picture).toEqual(end('won 20'));
  hold.restart();
  vi.advanceTimersByTime(holdTime(end('won 20')) - 1);
  expect(hold.picture).toBeDefined();
  vi.advanceTimersByTime(2);
  expect(hold.picture).toBeUndefined();
  // Where nothing is held, nothing begins.
  hold.restart();
  expect(hold.picture).toBeUndefined();
});

test('it is not held for those who come later, who want speed, or who have acted since', () => {
  const late = new Hold();
  late.see(view(end('won 20')), round());
  expect(late.picture).toBeUndefined();

  const fast = new Hold();
  settings.pauses = false;
  fast.see(view(undefined), []);
  fast.see(view(end('won 20')), round());
  expect(fast.picture).toBeUndefined();
  settings.pauses = true;

  const acted = new Hold();
  acted.see(view(undefined), []);
  acted.see(view(end('won 20')), round('bet'));
  expect(acted.picture).toBeUndefined();
  // Others' actions are none of one's own.
  const watching = new Hold();
  watching.see(view(undefined, []), []);
  watching.see(view(end('won 20'), []), round('bet'));
  expect(watching.picture).toBeDefined();
});

test('a seat that acted before the round began has not acted in it', () => {
  expect(hasActed([{ by: 0, text: 'fold' }, ...round()], [0])).toBe(false);
  expect(hasActed(round('call'), [0])).toBe(true);
  expect(hasActed(round('call'), [1])).toBe(false);
  expect(hasActed([], [0])).toBe(false);
});

test('there is longer to read more, up to a bound', () => {
  expect(holdTime(end('won 20'))).toBeLessThan(holdTime(end('won 20 with two pairs, kings and sevens')));
  expect(holdTime(end('x'.repeat(5000)))).toBeLessThanOrEqual(9000);
});
