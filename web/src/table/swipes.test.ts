import { expect, test } from 'vitest';
import { direction } from './swipes';

test('strokes go one of four ways, or none', () => {
  expect(direction(60, 5)).toBe('right');
  expect(direction(-60, -20)).toBe('left');
  expect(direction(3, -80)).toBe('up');
  expect(direction(-30, 80)).toBe('down');
  expect(direction(20, 0)).toBeUndefined();
  expect(direction(60, 55)).toBeUndefined();
});
