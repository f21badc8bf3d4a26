import { expect, test } from 'vitest';
import type { Area } from './drawn';
import { matchPieces } from './match-pieces';
import type { Piece } from './wire';

function area(pieces: Piece[]): Area {
  const cells = ['a', 'b', 'c', 'd'].map((id, i) => ({
    id,
    x: i,
    y: 0,
    shape: { type: 'square' } as const,
    tone: 'light' as const,
  }));
  return { id: 'board', title: '', kind: 'board', width: 4, height: 1, cells, pieces };
}

const disc = (cell: string, seat = 0): Piece => ({ cell, kind: 'disc', tone: { seat } });

test('what stays keeps its name, what moves takes it along, what is new gets another', () => {
  const before = matchPieces([], area([disc('a'), disc('b', 1)]));
  const after = matchPieces(before, area([disc('b', 1), disc('d'), disc('c', 2)]));
  const name = (list: typeof after, cell: string) => list.find(({ piece }) => piece.cell === cell)?.key;
  expect(name(after, 'b')).toBe(name(before, 'b'));
  expect(name(after, 'd')).toBe(name(before, 'a'));
  expect(before.map(({ key }) => key)).not.toContain(name(after, 'c'));
});

test('names are given to one piece only', () => {
  const before = matchPieces([], area([disc('a')]));
  const after = matchPieces(before, area([disc('b'), disc('c'), disc('a')]));
  expect(new Set(after.map(({ key }) => key)).size).toBe(3);
  expect(after[2]?.key).toBe(before[0]?.key);
});

test('a piece lies where its cell is, and its own step from it', () => {
  expect(matchPieces([], area([{ ...disc('c'), dx: 0.25, dy: -0.5 }]))[0]).toMatchObject({ x: 2.25, y: -0.5 });
});
