/**
 * What has moved between two pictures, so that it can be seen to move. Pictures do not name their pieces: alike pieces
 * are paired by place, then by nearness, then across areas, and a piece of another look in the same place has turned.
 */

import type { Area, Cell, Picture, Piece } from './wire';

/** A place in an area's own units. */
interface Spot {
  area: string;
  x: number;
  y: number;
}

/** One of the pieces of an area, by its index. */
export interface Which {
  area: string;
  piece: number;
}

/**
 * What happens to a piece of the new picture or, where it leaves, of the old one. `was` is a piece of the old picture;
 * places are those of the pictures, whichever way they are drawn.
 */
export type Motion = Which &
  (
    | /** From one place to another, perhaps from another area and with another look. */
    { kind: 'move'; from: Spot; was: Which; alike: boolean }
    /** It shows another side. */
    | { kind: 'turn'; was: Which }
    /** It is another number now. */
    | { kind: 'change' }
    /** From so many units above, down its column. */
    | { kind: 'fall'; height: number }
    /** From wherever cards come from. */
    | { kind: 'deal' }
    | { kind: 'appear' }
    /** `into` is the piece that it becomes a part of. */
    | { kind: 'leave'; into?: number }
  );

interface Item {
  area: string;
  index: number;
  piece: Piece;
  cell: Cell | undefined;
  spot: Spot;
  look: string;
}

/** More than so many pieces that have changed is another position rather than a ply. */
const MOST = 120;
/** Places nearer than this are the same. */
const NEAR = 0.02;
/** Cells that are touched as one and stand one above the other are a column, down which things fall. */
const COLUMN = 3;

function items({ areas }: Picture): Item[] {
  return areas.flatMap((area) => {
    const cells = new Map(area.cells.map((cell) => [cell.id, cell]));
    return area.pieces.map((piece, index) => {
      const cell = cells.get(piece.cell);
      const spot = { area: area.id, x: (cell?.x ?? 0) + (piece.dx ?? 0), y: (cell?.y ?? 0) + (piece.dy ?? 0) };
      const look = JSON.stringify([piece.kind, piece.tone, piece.text ?? '', piece.size ?? 0]);
      return { area: area.id, index, piece, cell, spot, look };
    });
  });
}

function distance(a: Spot, b: Spot): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function isCard({ kind }: Piece): boolean {
  return kind === 'card' || kind === 'card-back';
}

/** Takes pairs out of both lists, the nearest first. */
function pair(old: Set<Item>, now: Set<Item>, fits: (before: Item, after: Item) => boolean): [Item, Item][] {
  const candidates = [...now].flatMap((after) =>
    [...old].filter((before) => fits(before, after)).map((before): [Item, Item] => [before, after]),
  );
  // The sort is stable: of equally near ones the first in the pictures.
  candidates.sort(([a, b], [c, d]) => distance(a.spot, b.spot) - distance(c.spot, d.spot));
  return candidates.filter(([before, after]) => {
    if (!old.has(before) || !now.has(after)) return false;
    old.delete(before);
    now.delete(after);
    return true;
  });
}

/** From how far above a piece falls down its column. */
function drop(area: Area | undefined, { cell, spot }: Item): number | undefined {
  if (!area || cell?.touch === undefined) return undefined;
  const column = area.cells.filter(({ touch, x }) => touch === cell.touch && Math.abs(x - cell.x) < NEAR);
  return column.length >= COLUMN ? spot.y - Math.min(...column.map(({ y }) => y)) + 1 : undefined;
}

/** What has moved from one picture to the next; bodies are turned, not moved. */
export function motions(before: Picture, after: Picture): Motion[] {
  const flat = ({ areas }: Picture) => ({ areas: areas.filter(({ kind }) => kind !== 'solid') });
  const old = new Set(items(flat(before)));
  const now = new Set(items(flat(after)));
  const sameArea = (a: Item, b: Item) => a.area === b.area;
  const samePlace = (a: Item, b: Item) => sameArea(a, b) && distance(a.spot, b.spot) < NEAR;

  // Most pieces stay where they are: found by name rather than by comparing all with all.
  const stayed = new Map([...old].map((item) => [`${item.look}@${item.area}:${item.spot.x},${item.spot.y}`, item]));
  for (const item of now) {
    const same = stayed.get(`${item.look}@${item.area}:${item.spot.x},${item.spot.y}`);
    if (!same || !old.has(same)) continue;
    old.delete(same);
    now.delete(item);
  }
  if (old.size > MOST || now.size > MOST) return [];

  const moved = pair(old, now, (a, b) => sameArea(a, b) && a.look === b.look);
  const turned = pair(old, now, (a, b) => samePlace(a, b) && (a.piece.kind === b.piece.kind || bothCards(a, b)));
  const carried = pair(old, now, (a, b) => !sameArea(a, b) && (a.look === b.look || bothCards(a, b)));
  const which = ({ area, index }: Item): Which => ({ area, piece: index });
  const went = ([a, b]: [Item, Item]): Motion => ({
    ...which(b),
    kind: 'move',
    from: a.spot,
    was: which(a),
    alike: a.look === b.look,
  });

  const result: Motion[] = [
    ...moved.map(went),
    ...carried.map(went),
    ...turned.map(([a, b]): Motion => {
      const isNumber = b.piece.kind === 'tile' || b.piece.kind === 'token';
      return isNumber ? { ...which(b), kind: 'change' } : { ...which(b), kind: 'turn', was: which(a) };
    }),
  ];
  for (const item of now) {
    const area = after.areas.find(({ id }) => id === item.area);
    const height = drop(area, item);
    if (height !== undefined) result.push({ ...which(item), kind: 'fall', height });
    else result.push({ ...which(item), kind: isCard(item.piece) ? 'deal' : 'appear' });
  }
  // What has vanished into another of its row or column went there.
  const changed = turned.map(([, b]) => b);
  const aligned = (a: Spot, b: Spot) => Math.min(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) < NEAR;
  for (const item of old) {
    const [into] = changed
      .filter((one) => item.piece.kind === 'tile' && sameArea(one, item) && aligned(one.spot, item.spot))
      .sort((a, b) => distance(a.spot, item.spot) - distance(b.spot, item.spot));
    result.push({ ...which(item), kind: 'leave', ...(into ? { into: into.index } : {}) });
  }
  return result;
}

function bothCards(a: Item, b: Item): boolean {
  return isCard(a.piece) && isCard(b.piece);
}
