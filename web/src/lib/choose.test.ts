import { describe, expect, test } from 'vitest';
import { back, candidates, completions, onward, removable, type Step, stillValid, targets, without } from './choose';
import { Narrowing } from './narrowing';
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

function narrowing(touches: Touch[], loose: string[] = []): Narrowing {
  return Narrowing.of({ n_actions: touches.length, touches, any_order: loose, captions: false, example: '' });
}

function touch(touches: Touch[], prefix: string[], id: string): Step {
  return narrowing(touches).touch(prefix, id);
}

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
    expect(new Set(does)).toEqual(narrowing(rook).reacting(prefix));
  }
});

describe('where the order is open', () => {
  const swaps: Touch[] = [
    { action: 'RO>Y', path: ['hand:R', 'hand:O', 'for', 'center:Y', 'ok'] },
    { action: 'OO>K', path: ['hand:O', 'hand:O', 'for', 'center:K', 'ok'] },
    { action: 'O>RY', path: ['hand:O', 'for', 'center:R', 'center:Y', 'ok'] },
  ];
  const pieces = ['hand:R', 'hand:O', 'center:R', 'center:Y', 'center:K'];
  const loose = new Set(pieces);

  test('what is still missing may be touched next, and what ends a run only after all of it', () => {
    const path = ['a', 'b', 'a', '!', 'c'];
    const open = new Set(['a', 'b', 'c']);
    expect(onward(path, [], open)).toEqual(['a', 'b']);
    expect(onward(path, ['b', 'a'], open)).toEqual(['a']);
    expect(onward(path, ['a', 'a', 'b'], open)).toEqual(['!']);
    expect(onward(path, ['a', 'b', '!'], open)).toBeUndefined();
    expect(onward(path, ['a', 'a', 'a'], open)).toBeUndefined();
    expect(onward(path, ['b', 'a', 'a', '!', 'c'], open)).toEqual([]);
    expect(onward(path, ['b', 'a', 'a', '!', 'c', 'c'], open)).toBeUndefined();
    expect(onward(path, ['b'])).toBeUndefined();
  });

  test('pieces are touched in any order, on either side of the button', () => {
    expect(targets(swaps, ['hand:O'], loose)).toEqual(new Set(['hand:R', 'hand:O', 'for']));
    expect(targets(swaps, ['hand:O', 'hand:R'], loose)).toEqual(new Set(['for']));
    expect(targets(swaps, ['hand:O', 'for'], loose)).toEqual(new Set(['center:R', 'center:Y']));
    const choice = narrowing(swaps, pieces);
    expect(choice.touch(['hand:O', 'for', 'center:Y', 'center:R'], 'ok')).toMatchObject({ action: 'O>RY' });
    expect(choice.count(['hand:O', 'hand:R'])).toBe(1);
  });

  test('each of them is taken back by touching it once more', () => {
    expect(removable(['hand:O', 'for', 'center:Y', 'center:R'], loose)).toEqual(['center:Y', 'center:R']);
    expect(removable(['hand:O', 'for'], loose)).toEqual(['for']);
    expect(removable([], loose)).toEqual([]);
    expect(without(['hand:O', 'for'], 'hand:O', loose)).toBeUndefined();
    const choice = narrowing(swaps, pieces);
    expect(choice.touch(['hand:R', 'hand:O'], 'hand:R')).toEqual({ kind: 'chosen', prefix: ['hand:O'] });
    expect(choice.touch(['hand:O', 'for'], 'for')).toEqual({ kind: 'chosen', prefix: ['hand:O'] });
    expect(choice.reacting(['hand:R', 'hand:O'])).toEqual(new Set(['for', 'hand:R', 'hand:O']));
  });

  test('as much stays chosen as still begins something', () => {
    expect(stillValid(swaps, ['hand:O', 'hand:R', 'for'], loose)).toEqual(['hand:O', 'hand:R', 'for']);
    expect(stillValid(swaps.slice(1), ['hand:O', 'hand:R'], loose)).toEqual(['hand:O']);
  });
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
