import { describe, expect, test } from 'vitest';
import type { Area } from './drawn';
import {
  captionWidth,
  columnUnit,
  countersAt,
  flowHeight,
  legibleUnit,
  rowUnit,
  smallestText,
  TRAY_GAP,
  TRAY_LEAST,
  TRAY_MOST,
  TRAY_RIM,
  trayUnit,
} from './layout';
import { captionSize, cellTextSize } from './type-size';

function tray(width: number, height: number, change: Partial<Area> = {}): Area {
  return { id: '', title: '', kind: 'tray', width, height, cells: [], pieces: [], ...change };
}

test('trays flow into rows', () => {
  const two = [tray(4, 1), tray(4, 1)];
  const width = 4 * 50 + TRAY_RIM.width;
  expect(flowHeight(two, 2 * width + TRAY_GAP, 50)).toBe(50 + TRAY_RIM.height);
  expect(flowHeight(two, 2 * width, 50)).toBe(2 * (50 + TRAY_RIM.height) + TRAY_GAP);
  expect(flowHeight([tray(40, 1)], 100, 50)).toBe(50 + TRAY_RIM.height);
  expect(flowHeight([], 100, 50)).toBe(0);
});

test('trays are as large as there is room for them', () => {
  const nine = Array.from({ length: 9 }, () => tray(4.2, 1.2));
  const large = trayUnit(nine, { width: 850, height: 250 });
  expect(flowHeight(nine, 850, large)).toBeLessThanOrEqual(250);
  expect(large).toBeGreaterThan(TRAY_LEAST);
  expect(trayUnit(nine, { width: 850, height: 2000 })).toBe(TRAY_MOST);
  expect(trayUnit(nine, { width: 374, height: 100 })).toBe(TRAY_LEAST);
});

test('what is written small asks for larger units', () => {
  const small = tray(4, 1, { texts: [{ x: 0, y: 0, text: 'held', size: 0.19 }] });
  expect(smallestText(small)).toBeCloseTo(0.247);
  expect(legibleUnit(small, 20, 44)).toBeCloseTo(38.5, 1);
  expect(legibleUnit(tray(4, 1), 20, 44)).toBe(20);
  const rim = tray(4, 1, { texts: [{ x: 0, y: 0, text: 'a', size: 0.1, coordinate: true }] });
  expect(legibleUnit(rim, 20, 44)).toBe(20);
});

test('long words in cells are written smaller', () => {
  const cell = (text: string) => ({ id: '', x: 0, y: 0, shape: { type: 'square' }, tone: 'light', text }) as const;
  expect(cellTextSize(cell('quicksilver'))).toBeLessThan(cellTextSize(cell('tin')));
  expect(cellTextSize(cell('7'))).toBe(0.5);
});

test('what stands in a low cell is written nearer to its rims where it would be hard to read', () => {
  const bar = {
    id: '',
    x: 0,
    y: 0,
    shape: { type: 'rect', width: 4, height: 0.4 },
    tone: 'light',
    text: '13',
  } as const;
  expect(cellTextSize(bar)).toBeCloseTo(0.26);
  expect(cellTextSize(bar, 100)).toBeCloseTo(0.26);
  expect(cellTextSize(bar, 36) * 36).toBeCloseTo(12);
  expect(cellTextSize(bar, 20)).toBeCloseTo(0.38);
});

test('words over a tray take room too', () => {
  const stock = tray(2, 1, { title: "White's stock", seat: 1 });
  const counters = [{ seat: 1, label: 'piles', value: '0 of 4' }];
  const words = captionWidth(stock, counters);
  expect(words).toBeGreaterThan(captionWidth(tray(2, 1, { title: 'Bag' })));
  expect(flowHeight([stock, stock], 300, 30, [words, words])).toBe(2 * (30 + TRAY_RIM.height) + TRAY_GAP);
  expect(flowHeight([stock, stock], 300, 30)).toBe(30 + TRAY_RIM.height);
});

test('the counters of a seat stand at its first tray only', () => {
  const [hand, stock] = [tray(2, 1, { id: 'hand', seat: 1 }), tray(2, 1, { id: 'stock', seat: 1 })];
  const counters = [
    { seat: 1, label: 'points', value: '3' },
    { seat: 0, label: 'points', value: '5' },
    { label: 'deck', value: '40' },
  ];
  const picture = { areas: [hand, stock], counters };
  expect(countersAt(hand, picture)).toEqual(counters.slice(0, 1));
  expect(countersAt(stock, picture)).toEqual([]);
  expect(countersAt(tray(2, 1), picture)).toEqual([]);
});

test('on a small screen trays grow as far as they need no more rows', () => {
  const trays = [tray(3, 1), tray(3, 1)];
  const unit = rowUnit(trays, 374);
  expect(unit).toBeGreaterThan(TRAY_LEAST);
  expect(2 * (3 * unit + TRAY_RIM.width) + TRAY_GAP).toBeLessThanOrEqual(374);
  expect(2 * (3 * (unit + 1) + TRAY_RIM.width) + TRAY_GAP).toBeGreaterThan(374);
  // One that is too wide at any unit is pushed sideways.
  expect(rowUnit([tray(30, 1)], 374)).toBe(TRAY_LEAST);
  expect(rowUnit([tray(2, 1)], 374)).toBe(TRAY_MOST);
});

describe('trays stand in a column beside a board', () => {
  const room = { width: 850, height: 600 };
  const hands = [tray(5, 1.5), tray(5, 1.5), tray(5, 1.5)];

  test('where it is larger for it', () => {
    const unit = columnUnit({ width: 10, height: 10 }, hands, room, 330, 136) ?? 0;
    expect(unit).toBeGreaterThanOrEqual(TRAY_LEAST);
    const left = room.width - 5 * unit - TRAY_RIM.width;
    expect(left).toBeGreaterThan(330 * 1.12);
    expect(3 * (1.5 * unit + TRAY_RIM.height) + 2 * TRAY_GAP).toBeLessThanOrEqual(room.height);
  });

  test('but not beside a wide board, a small one, or where they are too many', () => {
    expect(columnUnit({ width: 20, height: 5 }, hands, room, 330, 136)).toBeUndefined();
    expect(columnUnit({ width: 2, height: 2 }, hands, room, 330, 136)).toBeUndefined();
    expect(columnUnit({ width: 10, height: 10 }, Array(9).fill(tray(5, 1.5)), room, 330, 136)).toBeUndefined();
    expect(columnUnit({ width: 10, height: 10 }, [], room, 600, 136)).toBeUndefined();
  });
});

test('coordinates stay legible on a small board, and do not outshine a large one', () => {
  const coordinate = { size: 0.28, coordinate: true };
  expect(captionSize(coordinate, 23) * 23).toBeGreaterThanOrEqual(9.5);
  expect(captionSize(coordinate, 40) * 40).toBeCloseTo(0.28 * 1.1 * 40, 6);
  expect(captionSize(coordinate, 130) * 130).toBeLessThanOrEqual(22);
  // Never so large that they run into each other.
  expect(captionSize(coordinate, 10)).toBeLessThanOrEqual(0.55);
  expect(captionSize({ size: 0.3 }, 20)).toBeCloseTo(0.39, 6);
});
