import { describe, expect, test } from 'vitest';
import { Narrowing } from './narrowing';
import type { Touch } from './protocol';

const rook: Touch[] = [
  { action: 'd1-d2', path: ['d1', 'd2'] },
  { action: 'd1-d3', path: ['d1', 'd3'] },
  { action: 'a4-a3', path: ['a4', 'a3'] },
  { action: 'pass', path: ['pass'] },
];

describe('where all is known', () => {
  const narrowing = Narrowing.of({ n_actions: 4, touches: rook, captions: false, example: 'a4-a3' });

  test('nothing is asked, and an action is complete with its last touch', () => {
    expect(narrowing.targets([])).toEqual(new Set(['d1', 'a4', 'pass']));
    expect(narrowing.touch([], 'd1')).toEqual({ kind: 'chosen', prefix: ['d1'] });
    expect(narrowing.lacks(['d1'])).toBe(false);
    expect(narrowing.count(['d1'])).toBe(2);
    expect(narrowing.touch(['d1'], 'd3')).toEqual({ kind: 'complete', action: 'd1-d3', prefix: ['d1', 'd3'] });
    expect(narrowing.touch(['d1'], 'd1')).toEqual({ kind: 'chosen', prefix: [] });
    expect(narrowing.touch(['d1'], 'a4')).toEqual({ kind: 'chosen', prefix: ['a4'] });
    expect(narrowing.touch(['d1'], 'e5')).toEqual({ kind: 'ignored' });
    expect(narrowing.reacting(['d1'])).toEqual(new Set(['d2', 'd3', 'd1', 'a4', 'pass']));
  });

  test('what is still a beginning stays chosen', () => {
    expect(narrowing.stillValid(['d1', 'd4'])).toEqual(['d1']);
    expect(narrowing.stillValid(['e5'])).toEqual([]);
  });
});

describe('where half-made choices have captions', () => {
  const narrowing = Narrowing.of({ n_actions: 4, touches: rook, captions: true, example: 'a4-a3' });

  test('the caption is asked for, and the choice need not wait for it', () => {
    expect(narrowing.lacks([])).toBe(false);
    expect(narrowing.lacks(['d1'])).toBe(true);
    expect(narrowing.waits(['d1'])).toBe(false);
    expect(narrowing.touch(['d1'], 'd2')).toMatchObject({ kind: 'complete', action: 'd1-d2' });
    const after = narrowing.learn(
      ['d1'],
      { n_actions: 2, touches: rook.slice(0, 2), captions: true, example: 'd1-d2' },
      'a rook',
    );
    expect(after.lacks(['d1'])).toBe(false);
    expect(after.caption(['d1'])).toBe('a rook');
    expect(after.caption([])).toBeUndefined();
  });
});

describe('where there are too many', () => {
  const many = Narrowing.of({ n_actions: 9000, next: ['d1', 'a4'], captions: true, example: 'a4-a3' });

  test('what goes on is asked for after each touch', () => {
    expect(many.targets([])).toEqual(new Set(['d1', 'a4']));
    expect(many.touches([])).toBeUndefined();
    expect(many.example).toBe('a4-a3');
    expect(many.touch([], 'd1')).toEqual({ kind: 'chosen', prefix: ['d1'] });
    expect([many.lacks(['d1']), many.waits(['d1'])]).toEqual([true, true]);
    const more = many.learn(['d1'], { n_actions: 900, next: ['d2', 'd3'], captions: true, example: 'd1-d2-x' });
    expect([more.lacks(['d1']), more.waits(['d1'])]).toEqual([false, false]);
    expect(more.count(['d1'])).toBe(900);
    expect(more.targets(['d1'])).toEqual(new Set(['d2', 'd3']));
    expect(more.touch(['d1'], 'a4')).toEqual({ kind: 'chosen', prefix: ['a4'] });
  });

  test('while it waits, a touch can only be taken back', () => {
    expect(many.targets(['d1'])).toEqual(new Set());
    expect(many.reacting(['d1'])).toEqual(new Set(['d1']));
    expect(many.touch(['d1'], 'a4')).toEqual({ kind: 'ignored' });
    expect(many.touch(['d1'], 'd1')).toEqual({ kind: 'chosen', prefix: [] });
  });

  test('the rest is known once it is little, and an answer may say that the action is complete', () => {
    const few = many.learn(['d1'], { n_actions: 2, touches: rook.slice(0, 2), captions: false, example: 'd1-d2' });
    expect(few.lacks(['d1', 'd2'])).toBe(false);
    expect(few.touch(['d1'], 'd2')).toMatchObject({ kind: 'complete', action: 'd1-d2' });
    const whole = many.learn(['pass'], { n_actions: 1, touches: rook.slice(3), captions: false, example: 'pass' });
    expect(whole.complete(['pass'])).toMatchObject({ kind: 'complete', action: 'pass' });
    expect(many.complete(['pass'])).toBeUndefined();
  });

  test('a beginning stays chosen as far as it can be judged', () => {
    expect(many.stillValid(['d1', 'd2'])).toEqual(['d1']);
    expect(many.stillValid(['x'])).toEqual([]);
  });
});

test('before the first view there is nothing to choose, nor to ask', () => {
  expect(Narrowing.nothing.targets([])).toEqual(new Set());
  expect(Narrowing.nothing.lacks([])).toBe(false);
  expect(Narrowing.nothing.touch([], 'd1')).toEqual({ kind: 'ignored' });
});
