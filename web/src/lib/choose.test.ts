import { describe, expect, test } from 'vitest';
import { back, candidates, completions, reacting, stillValid, targets, touch } from './choose';
import type { Touch } from './protocol';

const rook: Touch[] = [
  { action: 'd1-d2', path: ['d1', 'd2'] },
  { action: 'd1-d3', path: ['d1', 'd3'] },
  { action: 'a4-a3', path: ['a4', 'a3'] },
  { action: 'pass', path: ['pass'] },
];

const exchange: Touch[] = [
  { action: 'RR>K', path: ['hand:R', 'hand:R', 'center:K', 'ok'] },
  { action: 'RB>P', path: ['hand:R', 'hand:B', 'center:P', 'ok'] },
];

describe('targets', () => {
  test('are the beginnings at first, then what goes on from the touches', () => {
    expect(targets(rook, [])).toEqual(new Set(['d1', 'a4', 'pass']));
    expect(targets(rook, ['d1'])).toEqual(new Set(['d2', 'd3']));
    expect(targets(rook, ['e5'])).toEqual(new Set());
  });
  test('narrow the actions that are still meant', () => {
    expect(candidates(rook, ['d1']).map(({ action }) => action)).toEqual(['d1-d2', 'd1-d3']);
  });
});

describe('touch', () => {
  test('completes an action only with the last thing of its path', () => {
    expect(touch(rook, [], 'd1')).toEqual({ kind: 'chosen', prefix: ['d1'] });
    expect(touch(rook, ['d1'], 'd3')).toEqual({ kind: 'complete', action: 'd1-d3', prefix: ['d1', 'd3'] });
    expect(touch(rook, [], 'pass')).toEqual({ kind: 'complete', action: 'pass', prefix: ['pass'] });
  });
  test('fills nothing in, even where one way only is left', () => {
    expect(touch(rook, [], 'a4')).toEqual({ kind: 'chosen', prefix: ['a4'] });
  });
  test('of what cannot begin anything is ignored', () => {
    expect(touch(rook, [], 'e5')).toEqual({ kind: 'ignored' });
    expect(touch(rook, ['d1'], 'e5')).toEqual({ kind: 'ignored' });
  });
  test('of the last thing once more takes it back', () => {
    expect(touch(rook, ['d1'], 'd1')).toEqual({ kind: 'chosen', prefix: [] });
  });
  test('of the last thing once more goes on where the path does', () => {
    expect(touch(exchange, ['hand:R'], 'hand:R')).toEqual({ kind: 'chosen', prefix: ['hand:R', 'hand:R'] });
  });
  test('of another beginning starts over', () => {
    expect(touch(rook, ['d1'], 'a4')).toEqual({ kind: 'chosen', prefix: ['a4'] });
    expect(touch(rook, ['d1'], 'pass')).toEqual({ kind: 'complete', action: 'pass', prefix: ['pass'] });
  });
  test('by touch every action can be reached and no other', () => {
    for (const { action, path } of [...rook, ...exchange]) {
      const touches = rook.some((t) => t.action === action) ? rook : exchange;
      let prefix: string[] = [];
      path.forEach((id, i) => {
        const step = touch(touches, prefix, id);
        if (i < path.length - 1) expect(step.kind).toBe('chosen');
        else expect(step).toMatchObject({ kind: 'complete', action });
        if (step.kind !== 'ignored') prefix = step.prefix;
      });
    }
  });
});

test('exactly what reacts is said to', () => {
  for (const prefix of [[], ['d1']]) {
    const all = ['d1', 'd2', 'd3', 'a4', 'a3', 'pass', 'e5'];
    const does = all.filter((id) => touch(rook, prefix, id).kind !== 'ignored');
    expect(new Set(does)).toEqual(reacting(rook, prefix));
  }
});

test('back takes one touch off', () => {
  expect(back(['a', 'b'])).toEqual(['a']);
  expect(back([])).toEqual([]);
});

test('a half-made choice outlives a change as far as it still begins something', () => {
  expect(stillValid(exchange, ['hand:R', 'hand:B'])).toEqual(['hand:R', 'hand:B']);
  expect(stillValid(exchange, ['hand:R', 'hand:G'])).toEqual(['hand:R']);
  expect(stillValid(rook, ['hand:R'])).toEqual([]);
  expect(stillValid(rook, ['pass'])).toEqual([]);
});

test('completions begin with what was typed before they merely contain it', () => {
  expect(completions(rook, 'd')).toEqual(['d1-d2', 'd1-d3']);
  expect(completions(rook, 'A')).toEqual(['a4-a3', 'pass']);
  expect(completions(rook, '-d3')).toEqual(['d1-d3']);
  expect(completions(rook, '', 2)).toEqual(['d1-d2', 'd1-d3']);
  expect(completions(rook, 'zz')).toEqual([]);
});
