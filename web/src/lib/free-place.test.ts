import { expect, test } from 'vitest';
import { type Box, freePlace } from './free-place';

const ROOM: [number, number] = [390, 844];
const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

test('a message is at the top where nothing is in its way', () => {
  expect(freePlace([300, 44], ROOM, [])).toBe(3);
  // Beside the message is not below it.
  expect(freePlace([100, 44], ROOM, [box(0, 0, 140, 50), box(250, 0, 140, 50)])).toBe(3);
});

test('a message is below the controls at the top, or in the first gap that is high enough', () => {
  const bar = [box(16, 5, 44, 44), box(300, 5, 44, 44)];
  expect(freePlace([374, 44], ROOM, bar)).toBe(52);
  expect(freePlace([374, 44], ROOM, [...bar, box(20, 80, 100, 30)])).toBe(113);
  expect(freePlace([374, 44], ROOM, [...bar, box(20, 105, 100, 30)])).toBe(52);
});

test('a message is at the bottom where only that is free, and never outside', () => {
  expect(freePlace([374, 44], ROOM, [box(0, 0, 390, 795)])).toBe(797);
  expect(freePlace([374, 900], ROOM, [box(0, 0, 390, 50)])).toBe(3);
});

test('a message that has to cover something covers as little as can be', () => {
  const wide = box(0, 0, 390, 400);
  const narrow = box(0, 400, 30, 444);
  expect(freePlace([374, 44], ROOM, [wide, narrow])).toBe(403);
});

test('a message stays where it was as long as it covers nothing there', () => {
  const bar = [box(16, 5, 44, 44)];
  expect(freePlace([374, 44], ROOM, bar, 200)).toBe(200);
  expect(freePlace([374, 44], ROOM, [...bar, box(20, 210, 100, 30)], 200)).toBe(52);
  // The window has become lower.
  expect(freePlace([374, 44], [390, 240], bar, 200)).toBe(52);
});
