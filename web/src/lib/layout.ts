/** How large things are drawn, from how much room there is and how small their smallest text is. */

import { halfExtent } from './geometry';
import type { Area, Cell, Counter, Picture } from './protocol';

/** Dots below which text is hard to read. */
const READABLE = 9.5;

/** A caption's size counts its capitals; a type's size counts more. */
export const CAPTION_SCALE = 1.3;

/** The type in a cell: as large as it fits, and no larger than others. */
export function cellTextSize(cell: Cell): number {
  const [w, h] = halfExtent(cell.shape);
  return Math.min(0.5, h * 0.9, (w * 3.4) / Math.max(2, (cell.text ?? '').length));
}

/** The smallest type of an area, in units; coordinates may be smaller, since the board can be played without. */
export function smallestText(area: Area): number {
  const captions = (area.texts ?? []).filter(({ coordinate }) => !coordinate).map(({ size }) => size * CAPTION_SCALE);
  const cells = area.cells.filter(({ text }) => text).map(cellTextSize);
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
export function countersAt(tray: Area, { areas, counters = [] }: Picture): Counter[] {
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

/** About how wide the words over a tray are, its seat's mark and the counters at it included. */
export function captionWidth(tray: Area, counters: Counter[] = []): number {
  const words = [tray.title, ...counters.map(({ label, value }) => `${label} ${value}`)];
  return words.reduce((sum, text) => sum + text.length * 7 + 8, tray.seat === undefined ? 0 : 28);
}

/** How high trays are that flow into rows of this width, at so many dots a unit. */
export function flowHeight(trays: Area[], width: number, unit: number, captions: number[] = []): number {
  let [total, rowWidth, rowHeight] = [0, 0, 0];
  for (const [i, tray] of trays.entries()) {
    const trayWidth = Math.min(width, Math.max(tray.width * unit, captions[i] ?? 0) + TRAY_RIM.width);
    const trayHeight = tray.height * unit + TRAY_RIM.height;
    if (rowWidth > 0 && rowWidth + TRAY_GAP + trayWidth > width) {
      total += rowHeight + TRAY_GAP;
      [rowWidth, rowHeight] = [0, 0];
    }
    rowWidth += trayWidth + (rowWidth > 0 ? TRAY_GAP : 0);
    rowHeight = Math.max(rowHeight, trayHeight);
  }
  return total + rowHeight;
}

/** The most dots a unit at which all trays fit into the room; where they fit at none, the least that can be read. */
export function trayUnit(trays: Area[], room: Room, captions: number[] = []): number {
  const least = Math.ceil(Math.max(TRAY_LEAST, ...trays.map((tray) => legibleUnit(tray, TRAY_LEAST, 40))));
  for (let unit = TRAY_MOST; unit > least; unit--) {
    if (flowHeight(trays, room.width, unit, captions) <= room.height) return unit;
  }
  return least;
}
