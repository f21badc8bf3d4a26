/**
 * Which piece of a new picture is which of the old one, so that it can be seen to move. Pictures do not name their
 * pieces; alike pieces are paired by place, then by nearness.
 */

import type { Area } from './drawn';
import type { Piece } from './wire';

/** A piece with a name that it keeps from picture to picture. */
export interface Placed {
  key: number;
  piece: Piece;
  x: number;
  y: number;
}

/** The pieces of an area, where they lie. */
function places(area: Area): Omit<Placed, 'key'>[] {
  const cells = new Map(area.cells.map((cell) => [cell.id, cell]));
  return area.pieces.map((piece) => {
    const cell = cells.get(piece.cell);
    return { piece, x: (cell?.x ?? 0) + (piece.dx ?? 0), y: (cell?.y ?? 0) + (piece.dy ?? 0) };
  });
}

function look(piece: Piece): string {
  return JSON.stringify([piece.kind, piece.tone, piece.text ?? '', piece.size ?? 0]);
}

let lastKey = 0;

/** Names for the pieces of `area`, those of `before` going on where the same piece is meant. */
export function matchPieces(before: Placed[], area: Area): Placed[] {
  const now = places(area);
  const keys: (number | undefined)[] = now.map(() => undefined);
  const free = new Set(before);

  const take = (i: number, old: Placed) => {
    keys[i] = old.key;
    free.delete(old);
  };
  const samePlace = new Map(before.map((old) => [`${look(old.piece)}@${old.x},${old.y}`, old]));
  now.forEach((item, i) => {
    const old = samePlace.get(`${look(item.piece)}@${item.x},${item.y}`);
    if (old && free.has(old)) take(i, old);
  });
  now.forEach((item, i) => {
    if (keys[i] !== undefined) return;
    const wanted = look(item.piece);
    const distance = (old: Placed) => Math.hypot(old.x - item.x, old.y - item.y);
    const alike = [...free].filter((old) => look(old.piece) === wanted);
    const nearest = alike.sort((a, b) => distance(a) - distance(b))[0];
    if (nearest) take(i, nearest);
  });
  return now.map((item, i) => {
    lastKey += 1;
    return { ...item, key: keys[i] ?? lastKey };
  });
}
