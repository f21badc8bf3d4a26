import { expect, test } from 'vitest';
import { controlText, isLow, leftNow, timeText } from './clock';

test('times are short to read, and have tenths at the end', () => {
  for (const [ms, text] of [
    [300_000, '5:00'],
    [299_100, '5:00'],
    [61_000, '1:01'],
    [10_000, '0:10'],
    [9_990, '0:09.9'],
    [450, '0:00.4'],
    [0, '0:00.0'],
    [-5, '0:00.0'],
    [3_909_000, '1:05:09'],
    [86_400_000, '1 d'],
    [187_200_000, '2 d 4 h'],
  ] as const) {
    expect(timeText(ms)).toBe(text);
  }
});

test('a person is warned when little is left', () => {
  const fischer = { kind: 'fischer', initial: 180_000, increment: 2_000 } as const;
  expect([isLow(fischer, 17_000), isLow(fischer, 19_000)]).toEqual([true, false]);
  expect(isLow({ kind: 'ply', time: 5_000 }, 4_900)).toBe(true);
  expect(isLow({ kind: 'days', days: 3 }, 86_400_000)).toBe(false);
});

test('only clocks that run go on', () => {
  const control = { kind: 'ply', time: 5_000 } as const;
  const clock = { control, left: [5_000, 5_000, null], running: [0], started: true };
  expect([0, 1, 2].map((seat) => leftNow(clock, seat, 1_000))).toEqual([4_000, 5_000, null]);
  expect(leftNow(clock, 0, 9_000)).toBe(0);
});

test('controls are said in words', () => {
  expect(controlText({ kind: 'fischer', initial: 300_000, increment: 3_000 })).toBe(
    '5 min, and 3 s more with each ply',
  );
  expect(controlText({ kind: 'days', days: 1 })).toBe('1 day a ply');
});
