import { expect, test } from 'vitest';
import { drawn } from './chance';

test('an outcome is drawn as often as it weighs', () => {
  const outcomes = [
    { token: '~a', weight: 1 },
    { token: '~b', weight: 3 },
  ];
  expect([0, 0.24, 0.25, 0.99].map((at) => drawn(outcomes, at))).toEqual(['~a', '~a', '~b', '~b']);
  expect([drawn(outcomes, 1), drawn([], 0.5)]).toEqual(['~b', undefined]);
});
