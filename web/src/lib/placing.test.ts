import { expect, test } from 'vitest';
import { ERASER, touched } from './placing';

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
