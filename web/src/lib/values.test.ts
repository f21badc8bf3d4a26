import { describe, expect, it } from 'vitest';
import choices from '../fixtures/choices.json';
import { Narrowing } from './narrowing';
import { countText, endText, knownText, marksOf, nextTouches, part, rangeOf, shortText, valueText } from './values';
import type { CandidateView, Choices } from './wire';

const candidate = (action: string, path: string[], value: number): CandidateView => ({
  action,
  token: action,
  path,
  values: [value, -value],
  certainty: 'estimate',
  standard_error: null,
  visits: 10,
  depth: null,
  ends: null,
});

describe('a value in few characters', () => {
  it('is as exact as its range needs', () => {
    expect([1, -1, 0, 0.314, -0.004].map((value) => valueText(value, [-1, 1]))).toEqual([
      '+1',
      '−1',
      '0',
      '+0.31',
      '0',
    ]);
    expect(shortText(-0.25, [-1, 1])).toBe('−.25');
    expect(valueText(0.5, [0, 1])).toBe('0.50');
    expect([12.34, -7].map((value) => valueText(value, [-20, 20]))).toEqual(['+12.3', '−7']);
    expect([20_480, 123_456].map((value) => valueText(value, [0, 200_000]))).toEqual(['20480', '123k']);
    expect([999, 12_345, 3_400_000].map(countText)).toEqual(['999', '12k', '3.4M']);
  });

  it('says of how many actions it is known how, and nothing of estimates', () => {
    const guess = candidate('a', [], 0.2);
    const exact = { ...candidate('b', [], -1), certainty: 'exact' } as const;
    expect(knownText('table', [exact, exact], 2)).toBe('known from a table');
    // An estimate stands first here.
    expect(knownText('table', [guess, exact, exact], 9)).toBe('2 of 9 actions known from a table');
    expect(knownText('search', [exact, guess], 2)).toBe('1 of 2 actions searched to the end');
    expect([knownText('table', [guess], 1), knownText(null, [exact], 1), knownText('table', [], 0)]).toEqual([
      '',
      '',
      '',
    ]);
  });

  it('says when the game is over', () => {
    expect((['win', 'loss', 'draw'] as const).map((result) => endText({ result, plies: 11 }))).toEqual([
      'wins in 11',
      'loses in 11',
      'draws in 11',
    ]);
  });

  it('lies within its range', () => {
    expect(part(0, [-1, 1])).toBe(0.5);
    expect(part(7, [0, 5])).toBe(1);
    expect(rangeOf(null, [3, 9])).toEqual([3, 9]);
    expect(rangeOf(null, [3])).toEqual([2, 4]);
    expect(rangeOf([-1, 1], [0])).toEqual([-1, 1]);
  });
});

describe('where a value belongs', () => {
  const moves = Narrowing.of((choices as unknown as Record<string, Choices>).captioned as Choices);
  const all = [
    candidate('d1-d2', ['d1', 'd2'], 0.1),
    candidate('d1-d3', ['d1', 'd3'], 0.6),
    candidate('a4-a3', ['a4', 'a3'], -0.4),
  ];

  it('is at the next touch, the best of those that go on from it', () => {
    const marks = marksOf(all, 0, [-1, 1], moves, []);
    expect([...marks].map(([id, { text, rank }]) => [id, text, rank])).toEqual([
      ['d1', '+.60', 1],
      ['a4', '−.40', 0],
    ]);
    expect([...marksOf(all, 0, [-1, 1], moves, ['d1']).keys()]).toEqual(['d2', 'd3']);
  });

  it('is nowhere where the touches lead elsewhere', () => {
    expect(nextTouches(moves, ['a4'], all[0] as CandidateView)).toEqual([]);
    expect(nextTouches(moves, [], candidate('d1-d9', ['d1', 'd9'], 0))).toEqual([]);
  });
});
