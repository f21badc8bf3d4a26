import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Drill } from './drill.svelte';
import { withoutRepeats } from './repeats';
import type { Exercise } from './wire';

const exercise = (right: number): Exercise => ({
  question: 'What is it?',
  figures: [],
  answers: [],
  right,
  because: `It is ${right}`,
  steps: [],
});

let now = 0;
let ended: number[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  now = 0;
  ended = [];
});
afterEach(() => vi.useRealTimers());

const drill = (exercises: Exercise[]) =>
  new Drill(
    exercises,
    10,
    (n) => ended.push(n),
    () => now,
  );

test('right answers count, wrong ones are explained first', () => {
  const run = drill([exercise(1), exercise(0), exercise(2), exercise(0)]);
  run.answer(1);
  expect([run.at, run.nRight, run.said]).toEqual([1, 1, 'Right.']);
  run.answer(2);
  expect([run.at, run.nRight, run.nAnswered, run.said]).toEqual([1, 1, 2, 'It is 0.']);
  run.answer(0);
  expect(run.nAnswered).toBe(2);
  vi.advanceTimersByTime(2_000);
  expect(run.at).toBe(2);
  run.answer(2);
  run.answer(0);
  expect([run.over, ended]).toEqual([true, [3]]);
});

test('what is answered after the end does not count', () => {
  const run = drill([exercise(0), exercise(0), exercise(0)]);
  run.answer(0);
  now = 9_999;
  run.answer(0);
  now = 10_000;
  run.answer(0);
  expect([run.nRight, run.nAnswered, run.left, run.over]).toEqual([2, 2, 0, true]);
  run.tick();
  expect(ended).toEqual([2]);
});

test('the clock ends a drill by itself', () => {
  const run = drill([exercise(0)]);
  now = 12_000;
  vi.advanceTimersByTime(200);
  expect([run.over, ended]).toEqual([true, [0]]);
});

test('no question is asked twice running, in another order neither', () => {
  const asked = (...pieces: string[]): Exercise => ({
    ...exercise(0),
    figures: pieces.map((text) => ({ kind: 'disc', tone: 'plain', text })),
  });
  const kept = withoutRepeats(
    [['Y', 'B'], ['Y', 'B'], ['B', 'Y'], ['R'], ['Y', 'B']].map((pieces) => asked(...pieces)),
  );
  expect(kept.map(({ figures }) => figures.map(({ text }) => text).join(' '))).toEqual(['Y B', 'R', 'Y B']);
});
