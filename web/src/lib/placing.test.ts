// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { ERASER, touched } from './placing';
import { Placing } from './placing.svelte';
import type { PlacingView } from './wire';

afterEach(() => vi.unstubAllGlobals());

const cell = { ids: ['a1'], most: 1 };
const pile = { ids: ['a1'], most: 3 };
const heap = { ids: ['a:0', 'a:1', 'a:2'], most: 3 };

test('on a cell a piece takes the place of another, and goes where it is put again', () => {
  expect(touched(cell, [], 0, 1)).toEqual([1]);
  expect(touched(cell, [0], 0, 1)).toEqual([1]);
  expect(touched(cell, [1], 0, 1)).toEqual([]);
  expect(touched(cell, [1], 0, ERASER)).toEqual([]);
  expect(touched(cell, [], 0, ERASER)).toEqual([]);
});

test('a pile grows as far as it may, and is taken away from the top', () => {
  expect(touched(pile, [0, 0], 0, 1)).toEqual([0, 0, 1]);
  expect(touched(pile, [0, 0, 1], 0, 1)).toEqual([0, 0, 1]);
  expect(touched(pile, [0, 0, 1], 0, ERASER)).toEqual([0, 0]);
});

test('a heap is as high as where it is touched, and one lower when touched there again', () => {
  expect(touched(heap, [], 1, 0)).toEqual([0, 0]);
  expect(touched(heap, [0, 0], 1, 0)).toEqual([0]);
  expect(touched(heap, [0, 0, 0], 0, 0)).toEqual([0]);
  expect(touched(heap, [0, 0, 0], 1, ERASER)).toEqual([0]);
});

test('what comes after the page was left is told to nobody', async () => {
  const waiting: (() => void)[] = [];
  const state = { arrangement: [[]], to_act: 0, pieces: [], places: [{ ids: ['a1'], most: 1 }] };
  vi.stubGlobal(
    'fetch',
    () => new Promise((resolve) => waiting.push(() => resolve(new Response(JSON.stringify(state))))),
  );
  const shown: PlacingView[] = [];
  const placing = new Placing('any', (now) => shown.push(now));
  const opened = placing.open();
  waiting.shift()?.();
  await opened;
  expect(shown).toHaveLength(1);
  placing.touch('a1');
  placing.close();
  waiting.shift()?.();
  await new Promise((resolve) => setTimeout(resolve));
  expect([shown.length, placing.failure, waiting]).toEqual([1, undefined, []]);
});
