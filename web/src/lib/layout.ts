/** How large things are drawn, from how much room there is and how small their smallest text is. */

import type { Area } from './drawn';
import { CAPTION_SCALE, cellTextSize, READABLE } from './type-size';
import type { Counter } from './wire';

/** The smallest type of an area, in units; coordinates may be smaller, since the board can be played without. */
export function smallestText(area: Area): number {
  const captions = (area.texts ?? []).filter(({ coordinate }) => !coordinate).map(({ size }) => size * CAPTION_SCALE);
  const cells = area.cells.filter(({ text }) => text).map((cell) => cellTextSize(cell));
  return Math.min(0.5, ...captions, ...cells);
}

/** The least dots a unit at which an area can be read, from `least` to `most`. */
export function legibleUnit(area: Area, least: number, most: number): number {
  return Math.min(most, Math.max(least, READABLE / smallestText(area)));
}

export interface Room {
  width: number;
  height: number;
}

/** What a tray takes besides its drawing, in dots: rims and caption. */
export const TRAY_RIM: Room = { width: 20, height: 34 };
export const TRAY_GAP = 8;
export const TRAY_LEAST = 30;
export const TRAY_MOST = 60;

/** The counters that stand at a tray: those of its seat, where it is the seat's first. */
export function countersAt(
  tray: Pick<Area, 'id' | 'seat'>,
  { areas, counters = [] }: { areas: Pick<Area, 'id' | 'seat' | 'kind'>[]; counters?: Counter[] },
): Counter[] {
  if (tray.seat === undefined) return [];
  const first = areas.find(({ kind, seat }) => kind === 'tray' && seat === tray.seat);
  return first?.id === tray.id ? counters.filter(({ seat }) => seat === tray.seat) : [];
}

/** Letters beyond which notes are explanations rather than calls. */
const WORDY = 120;

/** Whether a position's notes are explanations, which are read once. */
export function isWordy(notes: string[] = []): boolean {
  return notes.join(' ').length > WORDY;
}

/** About how wide the caption of a tray is, with its seat's mark and its counters. */
export function captionWidth(tray: Area, counters: Counter[] = []): number {
  const words = [tray.title, ...counters.map(({ label, value }) => `${label} ${value}`)];
  return words.reduce((sum, text) => sum + text.length * 7 + 8, tray.seat === undefined ? 0 : 28);
}

/** The width and height of a tray at so many dots a unit, under a caption this wide. */
function traySize(tray: Area, unit: number, caption = 0): Room {
  return {
    width: Math.max(tray.width * unit, caption) + TRAY_RIM.width,
    height: tray.height * unit + TRAY_RIM.height,
  };
}

/** Rows of this width into which trays flow: how high each is, at so many dots a unit. */
function rows(trays: Area[], width: number, unit: number, captions: number[]): number[] {
  const heights: number[] = [];
  let rowWidth = 0;
  for (const [i, tray] of trays.entries()) {
    const size = traySize(tray, unit, captions[i]);
    const trayWidth = Math.min(width, size.width);
    if (heights.length === 0 || rowWidth + TRAY_GAP + trayWidth > width) {
      heights.push(size.height);
      rowWidth = trayWidth;
    } else {
      heights.push(Math.max(heights.pop() ?? 0, size.height));
      rowWidth += TRAY_GAP + trayWidth;
    }
  }
  return heights;
}

function stacked(heights: number[]): number {
  return heights.reduce((sum, height) => sum + height, 0) + TRAY_GAP * Math.max(0, heights.length - 1);
}

/** How high trays are that flow into rows of this width, at so many dots a unit. */
export function flowHeight(trays: Area[], width: number, unit: number, captions: number[] = []): number {
  return stacked(rows(trays, width, unit, captions));
}

/** The least dots a unit at which all of these trays can be read. */
function leastUnit(trays: Area[]): number {
  return Math.ceil(Math.max(TRAY_LEAST, ...trays.map((tray) => legibleUnit(tray, TRAY_LEAST, 40))));
}

/** The most dots a unit, from `least`, of which `fits` is true; where it is of none, `least`. */
function mostUnit(least: number, fits: (unit: number) => boolean): number {
  for (let unit = TRAY_MOST; unit > least; unit--) if (fits(unit)) return unit;
  return least;
}

/** The most dots a unit at which all trays fit into the room; where they fit at none, the least that can be read. */
export function trayUnit(trays: Area[], room: Room, captions: number[] = []): number {
  return mostUnit(leastUnit(trays), (unit) => flowHeight(trays, room.width, unit, captions) <= room.height);
}

/** The most dots a unit at which trays take no more rows, and none is wider, than where they can just be read. */
export function rowUnit(trays: Area[], width: number, captions: number[] = []): number {
  const least = leastUnit(trays);
  const nRows = rows(trays, width, least, captions).length;
  return mostUnit(
    least,
    (unit) =>
      rows(trays, width, unit, captions).length <= nRows &&
      trays.every((tray, i) => traySize(tray, unit, captions[i]).width <= width),
  );
}

/** How much larger a board must be for trays to leave their rows above and below it for a column beside it. */
const WORTH_A_COLUMN = 1.12;
/** The part of its largest size that a board keeps for trays to be larger than they must. */
const KEPT = 0.84;

/**
 * The dots a unit of trays in a column beside a board, where the board becomes larger by it than with the trays in
 * rows above and below, which leave it `below` as its height; `undefined` where it does not.
 */
export function columnUnit(
  board: Room,
  trays: Area[],
  room: Room,
  below: number,
  largest: number,
  captions: number[] = [],
): number | undefined {
  if (trays.length === 0) return undefined;
  const sizes = (unit: number) => trays.map((tray, i) => traySize(tray, unit, captions[i]));
  const boardUnit = (width: number, height: number) => Math.min(largest, width / board.width, height / board.height);
  const beside = (unit: number) => {
    const column = Math.max(...sizes(unit).map(({ width }) => width));
    return boardUnit(room.width - column - 2 * TRAY_GAP, room.height);
  };
  const fits = (unit: number) => stacked(sizes(unit).map(({ height }) => height)) <= room.height;
  const least = leastUnit(trays);
  const worth = WORTH_A_COLUMN * boardUnit(room.width, below);
  if (!fits(least) || beside(least) < worth) return undefined;
  return mostUnit(least, (unit) => fits(unit) && beside(unit) >= Math.max(worth, KEPT * beside(least)));
}

/** The part of the width that trays may take beside boards where there is little height. */
const BESIDE = 0.46;

/**
 * The dots a unit of trays that all stand beside the boards, where there is little height: as large as the boards leave
 * room for at their largest and all are in sight, and no smaller than can be read.
 */
export function besideUnit(boards: Area[], trays: Area[], room: Room, captions: number[] = []): number {
  const across = boards.reduce((sum, { width, height }) => sum + width / height, 0);
  const left = Math.min(room.width * BESIDE, room.width - across * room.height - TRAY_GAP * boards.length);
  return mostUnit(leastUnit(trays), (unit) => {
    const sizes = trays.map((tray, i) => traySize(tray, unit, captions[i]));
    return sizes.every(({ width }) => width <= left) && stacked(sizes.map(({ height }) => height)) <= room.height;
  });
}
