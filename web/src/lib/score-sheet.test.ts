import { describe, expect, it } from 'vitest';
import { sheetLines, sheetText } from './score-sheet';
import type { PlyView } from './wire';

const plies = (text: string, seats: number[]) =>
  text.split(' ').map((one, i): PlyView => ({ by: seats[i] ?? 0, text: one }));

describe('a score sheet', () => {
  it('numbers every ply of the first seat', () => {
    const lines = sheetLines(plies('a b a c a1/1c b', [0, 1, 0, 1, 0, 1]));
    expect(lines).toHaveLength(3);
    expect(lines[2]).toEqual({ number: 3, first: { ply: 5, text: 'a1/1c' }, second: [{ ply: 6, text: 'b' }] });
    expect(sheetText(lines)).toBe('1. a b 2. a c 3. a1/1c b');
  });

  it('follows seats that act twice, or begin second', () => {
    const lines = sheetLines(plies('b c d e', [1, 0, 0, 1]));
    expect(lines.map(({ number }) => number)).toEqual([undefined, 1, 2]);
    expect(sheetText(lines)).toBe('b 1. c 2. d e');
    expect(sheetText(sheetLines(plies('b c d', [0, 1, 1])))).toBe('1. b c d');
    expect(sheetLines([])).toEqual([]);
  });
});
