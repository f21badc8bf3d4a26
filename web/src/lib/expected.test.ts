import { expect, test } from 'vitest';
import { expected } from './expected';

test('what an engine expects has a sign and few digits', () => {
  for (const [value, text] of [
    [0.4213, '+0.42'],
    [-1, '−1'],
    [0.001, '0'],
    [-0.001, '0'],
    [0, '0'],
    [12.34, '+12.3'],
    [2048.7, '+2049'],
  ] as const) {
    expect(expected(value)).toBe(text);
  }
});
