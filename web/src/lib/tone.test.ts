import { expect, test } from 'vitest';
import { isTelling, SCALE_STEPS, shades, stroke } from './tone';

test('a seat is shown in the colour that the game says, or in one of its own', () => {
  const tones = ['yellow', { seat: 1 }] as const;
  expect(shades({ seat: 0 }, [...tones]).fill).toBe('var(--tone-yellow)');
  expect(shades({ seat: 1 }, [...tones]).fill).toBe('var(--tone-seat-1)');
  expect(shades({ seat: 12 }).fill).toBe('var(--tone-seat-2)');
});

test('a black line lies on the page too, and has a colour of its own there', () => {
  expect(stroke('black')).toBe('var(--line-black)');
  expect(stroke({ seat: 0 }, ['black'])).toBe('var(--line-black)');
  expect(stroke('white')).toBe('var(--tone-white)');
  expect(stroke('plain')).toBe('var(--line-plain)');
});

test('the scale grows darker step by step, and what is written on it stays readable', () => {
  const lightness = (step: number) => Number(/oklch\(([\d.]+)/.exec(shades({ scale: step }).fill)?.[1]);
  for (let step = 1; step <= SCALE_STEPS; step++) expect(lightness(step)).toBeLessThan(lightness(step - 1));
  expect(lightness(SCALE_STEPS + 5)).toBe(lightness(SCALE_STEPS));
  expect(shades({ scale: 0 }).on).toBe('var(--ink-fixed)');
  expect(shades({ scale: 15 }).on).toBe('var(--paper-fixed)');
});

test('paints are mixed, darkened and paled, and each mixture can be written on', () => {
  const fill = (...mix: number[]) => shades({ mix: mix as [number, number, number, number, number] }).fill;
  // The same stand in the tests of what is printed.
  expect(fill(0, 0, 0, 0, 0)).toBe('#ffffff');
  expect(fill(100, 0, 0, 0, 0)).toBe('#d91f1f');
  expect(fill(50, 0, 100, 0, 0)).toBe('#5446a6');
  expect(fill(100, 100, 100, 100, 0)).toBe('#3d2b1f');
  expect(fill(0, 100, 0, 100, 100)).toBe('#cfc8a2');
  expect(shades({ mix: [0, 100, 0, 0, 0] }).on).toBe('var(--ink-fixed)');
  expect(shades({ mix: [100, 100, 100, 100, 0] }).on).toBe('var(--paper-fixed)');
});

test('a colour that says something is told from a ground that may be tinted', () => {
  expect((['red', 'white', { seat: 1 }, { scale: 3 }] as const).map(isTelling)).toEqual([true, true, true, true]);
  expect((['light', 'dark', 'accent', 'plain', 'neutral'] as const).map(isTelling)).toEqual(Array(5).fill(false));
});
