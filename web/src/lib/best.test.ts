// @vitest-environment happy-dom

import { beforeEach, expect, test } from 'vitest';
import { Best } from './best';

beforeEach(() => localStorage.clear());

test('the best result is kept for each game with its parameters', () => {
  const best = new Best(localStorage);
  expect(best.of('a')).toBeUndefined();
  expect(best.note('a', 100)).toBe(true);
  expect(best.note('a', 100)).toBe(false);
  expect(best.note('a', 90)).toBe(false);
  expect(new Best(localStorage).of('a')).toBe(100);
  expect(best.note('a:size=3', -5)).toBe(true);
  expect(best.of('a:size=3')).toBe(-5);
  localStorage.setItem('raichi.best.a', 'much');
  expect(best.of('a')).toBeUndefined();
});
