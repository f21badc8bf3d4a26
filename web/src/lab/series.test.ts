import { expect, test } from 'vitest';
import { settledRange } from './series';

test('the first few games do not stretch the range of a mean', () => {
  const points = [
    { x: 2, y: 900, low: -4000, high: 6000 },
    { x: 50, y: 1080, low: 1000, high: 1200 },
    { x: 1000, y: 1090, low: 1060, high: 1120 },
  ];
  const line = { label: 'Player', colour: 'red', points };
  expect(settledRange([line])).toEqual([980, 1220]);
  // While there are few games, their intervals are all that is known.
  expect(settledRange([{ ...line, points: points.slice(0, 1) }])).toEqual([-5000, 7000]);
  expect(settledRange([{ ...line, points: [{ x: 1, y: 3 }] }])).toBeUndefined();
  expect(settledRange([])).toBeUndefined();
});
