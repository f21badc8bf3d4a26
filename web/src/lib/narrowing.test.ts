import { describe, expect, test } from 'vitest';
import { choices } from '../fixtures';
import { completions, Narrowing, type Outcome } from './narrowing';

const moves = Narrowing.of(choices.moves);
const repeated = Narrowing.of(choices.repeated);
const swaps = Narrowing.of(choices.swaps);

describe('targets', () => {
  test('are the beginnings at first, then what goes on from the touches', () => {
    expect(moves.targets([])).toEqual(new Set(['d1', 'a4', 'pass']));
    expect(moves.targets(['d1'])).toEqual(new Set(['d2', 'd3']));
    expect(moves.targets(['e5'])).toEqual(new Set());
    expect(moves.count(['d1'])).toBe(2);
  });
});

describe('touch', () => {
  test('completes an action only with the last thing of its path', () => {
    expect(moves.touch([], 'd1')).toEqual({ kind: 'chosen', prefix: ['d1'] });
    expect(moves.touch(['d1'], 'd3')).toEqual({ kind: 'complete', action: 'd1-d3', prefix: ['d1', 'd3'] });
    expect(moves.touch([], 'pass')).toEqual({ kind: 'complete', action: 'pass', prefix: ['pass'] });
  });
  test('fills nothing in, even where one way only is left', () => {
    expect(moves.touch([], 'a4')).toEqual({ kind: 'chosen', prefix: ['a4'] });
  });
  test('of what cannot begin anything is ignored', () => {
    expect(moves.touch([], 'e5')).toEqual({ kind: 'ignored' });
    expect(moves.touch(['d1'], 'e5')).toEqual({ kind: 'ignored' });
  });
  test('of the last thing once more takes it back', () => {
    expect(moves.touch(['d1'], 'd1')).toEqual({ kind: 'chosen', prefix: [] });
  });
  test('of the last thing once more goes on where the path does', () => {
    expect(repeated.touch(['hand:R'], 'hand:R')).toEqual({ kind: 'chosen', prefix: ['hand:R', 'hand:R'] });
  });
  test('of another beginning starts over', () => {
    expect(moves.touch(['d1'], 'a4')).toEqual({ kind: 'chosen', prefix: ['a4'] });
    expect(moves.touch(['d1'], 'pass')).toEqual({ kind: 'complete', action: 'pass', prefix: ['pass'] });
  });
  test('of a premove leads to the last choice, and nowhere where that begins no action', () => {
    expect(moves.follow(['d1', 'd3'])).toEqual({ kind: 'complete', action: 'd1-d3', prefix: ['d1', 'd3'] });
    expect(moves.follow(['d1', 'd3', 'pass'])).toEqual({ kind: 'complete', action: 'pass', prefix: ['pass'] });
    expect(moves.follow(['pass', 'd1'])).toEqual({ kind: 'chosen', prefix: ['d1'] });
    expect(moves.follow(['d1', 'd3', 'e5'])).toEqual({ kind: 'ignored' });
    expect(moves.follow([])).toEqual({ kind: 'ignored' });
  });
  test('by touch every action can be reached and no other', () => {
    for (const [narrowing, actions] of [
      [moves, ['a4-a3', 'd1-d2', 'd1-d3', 'pass']],
      [swaps, ['O>RY', 'OO>K', 'RO>Y']],
    ] as const) {
      const found = new Set<string>();
      const follow = (touched: string[]): void => {
        for (const id of narrowing.targets(touched)) {
          const outcome = narrowing.touch(touched, id);
          if (outcome.kind === 'complete') found.add(outcome.action);
          else if (outcome.kind === 'chosen') follow(outcome.prefix);
        }
      };
      follow([]);
      expect([...found].sort()).toEqual(actions);
      expect(narrowing.actions).toEqual(actions);
    }
  });
});

test('reacting lists exactly the ids that do something', () => {
  const does = (touched: string[], id: string): boolean => {
    const outcome: Outcome = moves.touch(touched, id);
    return outcome.kind !== 'ignored';
  };
  for (const touched of [[], ['d1']]) {
    const all = ['d1', 'd2', 'd3', 'a4', 'a3', 'pass', 'e5'];
    expect(new Set(all.filter((id) => does(touched, id)))).toEqual(moves.reacting(touched));
  }
});

describe('where the order is free', () => {
  test('pieces are touched in any order, on either side of the button', () => {
    expect(swaps.targets(['hand:O'])).toEqual(new Set(['hand:R', 'hand:O', 'for']));
    expect(swaps.targets(['hand:O', 'hand:R'])).toEqual(new Set(['for']));
    expect(swaps.targets(['hand:O', 'for'])).toEqual(new Set(['center:R', 'center:Y']));
    expect(swaps.touch(['hand:O', 'for', 'center:Y', 'center:R'], 'ok')).toMatchObject({ action: 'O>RY' });
    expect(swaps.count(['hand:O', 'hand:R'])).toBe(1);
  });

  test('each of them is taken back by touching it once more', () => {
    expect(swaps.touch(['hand:R', 'hand:O'], 'hand:R')).toEqual({ kind: 'chosen', prefix: ['hand:O'] });
    expect(swaps.touch(['hand:O', 'for'], 'for')).toEqual({ kind: 'chosen', prefix: ['hand:O'] });
    expect(swaps.reacting(['hand:R', 'hand:O'])).toEqual(new Set(['for', 'hand:R', 'hand:O']));
  });

  test('as much stays chosen as still begins something', () => {
    expect(swaps.stillValid(['hand:O', 'hand:R', 'for'])).toEqual(['hand:O', 'hand:R', 'for']);
    expect(Narrowing.of(choices.fewer_swaps).stillValid(['hand:O', 'hand:R'])).toEqual(['hand:O']);
  });
});

test('a partly made choice outlives a change as far as it still begins something', () => {
  expect(repeated.stillValid(['hand:R', 'hand:B'])).toEqual(['hand:R', 'hand:B']);
  expect(repeated.stillValid(['hand:R', 'hand:G'])).toEqual(['hand:R']);
  expect(moves.stillValid(['hand:R'])).toEqual([]);
  expect(moves.stillValid(['pass'])).toEqual([]);
});

test('captions come with the steps', () => {
  const captioned = Narrowing.of(choices.captioned);
  expect(captioned.caption([])).toBeUndefined();
  expect(captioned.caption(['d1'])).toBe('d1 so far');
  expect(captioned.waits(['d1'])).toBe(false);
  expect(moves.caption(['d1'])).toBeUndefined();
});

describe('where the graph is cut off', () => {
  const many = Narrowing.of(choices.cut_off);

  test('the server is asked what goes on', () => {
    expect(many.targets([])).toEqual(new Set(['a', 'b']));
    expect(many.actions).toEqual([]);
    expect(many.example).toBe('a-b-c');
    expect(many.touch([], 'a')).toEqual({ kind: 'chosen', prefix: ['a'] });
    expect([many.waits([]), many.waits(['a'])]).toEqual([false, true]);
    const more = many.learn(['a'], choices.cut_off_at_a);
    expect([more.waits(['a']), more.count(['a']), more.caption(['a'])]).toEqual([false, 3, 'a so far']);
    expect(more.targets(['a'])).toEqual(new Set(['b', 'c']));
    expect(more.touch(['a'], 'c')).toMatchObject({ kind: 'complete', action: 'a-c' });
    expect(more.waits(['a', 'b'])).toBe(true);
    const most = more.learn(['a', 'b'], choices.cut_off_at_a_b);
    expect(most.touch(['a', 'b'], 'd')).toMatchObject({ kind: 'complete', action: 'a-b-d' });
    expect(most.actions).toEqual(['a-b-c', 'a-b-d', 'a-c']);
    expect(most.touch(['a', 'b'], 'x')).toEqual({ kind: 'ignored' });
  });

  test('while it waits, a touch can only be taken back', () => {
    expect(many.targets(['a'])).toEqual(new Set());
    expect(many.reacting(['a'])).toEqual(new Set(['a']));
    expect(many.touch(['a'], 'b')).toEqual({ kind: 'ignored' });
    expect(many.touch(['a'], 'a')).toEqual({ kind: 'chosen', prefix: [] });
  });

  test('a beginning stays chosen as far as it is known', () => {
    expect(many.stillValid(['a', 'b'])).toEqual(['a']);
    expect(many.stillValid(['x'])).toEqual([]);
  });
});

test('before the first view there is nothing to choose', () => {
  expect(Narrowing.nothing.targets([])).toEqual(new Set());
  expect(Narrowing.nothing.waits([])).toBe(false);
  expect(Narrowing.nothing.touch([], 'd1')).toEqual({ kind: 'ignored' });
});

test('completions begin with what was typed before they merely contain it', () => {
  const { actions } = moves;
  expect(completions(actions, 'd')).toEqual(['d1-d2', 'd1-d3']);
  expect(completions(actions, 'A')).toEqual(['a4-a3', 'pass']);
  expect(completions(actions, '-d3')).toEqual(['d1-d3']);
  expect(completions(actions, '', 2)).toEqual(['a4-a3', 'd1-d2']);
  expect(completions(actions, 'zz')).toEqual([]);
});
