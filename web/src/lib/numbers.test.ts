import { expect, test } from 'vitest';
import { percentWithin, short, signed, time, within } from './numbers';

test('numbers are as exact as they need to be', () => {
  expect([0.4249, -1, 12.34, 345.6, 12345.6, 0, -0.001].map(short)).toEqual(
    ['0.42', '−1', '12.3', '346', '12,346', '0', '−0'].map((text) => (text === '−0' ? '0' : text)),
  );
  expect(percentWithin({ value: 0.585, low: 0.5611, high: 0.608 })).toBe('58.5 % (56.1 to 60.8)');
  expect(within({ value: -0.5, low: -0.61, high: -0.4 })).toBe('−0.5 (−0.61 to −0.4)');
  expect(within({ value: -0.5, low: null, high: null })).toBe('−0.5');
  expect(percentWithin({ value: 0.585, low: null, high: null })).toBe('58.5 %');
  expect([35.4, -3.6, 0].map(signed)).toEqual(['+35', '−4', '0']);
  expect([2_400, 250_000, 7_500_000].map(time)).toEqual(['2 s', '4 min 10 s', '2 h 5 min']);
});
