import { describe, expect, test } from 'vitest';
import { isTelling, SCALE_STEPS, seatTones, shades } from './tone';

describe('seats', () => {
  test('called by colours are shown in them', () => {
    expect(seatTones(['Black', 'White'])).toEqual(['black', 'white']);
    expect(shades({ seat: 1 }, seatTones(['Black', 'White'])).fill).toBe('var(--tone-white)');
    expect(seatTones(['White (Swedes)', 'Black (Muscovites)'])).toEqual(['white', 'black']);
  });
  test('called otherwise have colours of their own', () => {
    expect(seatTones(['X', 'O'])).toEqual([{ seat: 0 }, { seat: 1 }]);
    expect(shades({ seat: 1 }, seatTones(['X', 'O'])).fill).toBe('var(--tone-seat-1)');
    expect(seatTones(['Black', 'black'])).toEqual([{ seat: 0 }, { seat: 1 }]);
    expect(shades({ seat: 12 }).fill).toBe('var(--tone-seat-2)');
  });
});

test('the scale grows darker step by step, and what is written on it stays readable', () => {
  const lightness = (step: number) => Number(/oklch\(([\d.]+)/.exec(shades({ scale: step }).fill)?.[1]);
  for (let step = 1; step <= SCALE_STEPS; step++) expect(lightness(step)).toBeLessThan(lightness(step - 1));
  expect(lightness(SCALE_STEPS + 5)).toBe(lightness(SCALE_STEPS));
  expect(shades({ scale: 0 }).on).toBe('var(--ink-fixed)');
  expect(shades({ scale: 15 }).on).toBe('var(--paper-fixed)');
});

test('a colour that says something is told from a ground that may be tinted', () => {
  expect((['red', 'white', { seat: 1 }, { scale: 3 }] as const).map(isTelling)).toEqual([true, true, true, true]);
  expect((['light', 'dark', 'accent', 'plain', 'neutral'] as const).map(isTelling)).toEqual(Array(5).fill(false));
});
