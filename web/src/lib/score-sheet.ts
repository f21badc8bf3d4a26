/** The list of plies as a score sheet in two columns: a number before every ply of the first seat. */

import type { PlyView } from './wire';

/** A ply of a sheet, and its place in the game, from 1. */
export interface SheetPly {
  ply: number;
  text: string;
}

/** A line of a sheet: what the first seat did, and what the second did until the first acted again. */
export interface SheetLine {
  /** Undefined on a line that begins with the second seat. */
  number: number | undefined;
  first: SheetPly | undefined;
  second: SheetPly[];
}

export function sheetLines(plies: PlyView[]): SheetLine[] {
  const lines: SheetLine[] = [];
  let number = 0;
  for (const [i, { by, text }] of plies.entries()) {
    const ply = { ply: i + 1, text };
    if (by === 0) {
      number += 1;
      lines.push({ number, first: ply, second: [] });
      continue;
    }
    if (lines.length === 0) lines.push({ number: undefined, first: undefined, second: [] });
    lines.at(-1)?.second.push(ply);
  }
  return lines;
}

/** The sheet as it is written: `1. a b 2. a c`. */
export function sheetText(lines: SheetLine[]): string {
  const words = lines.flatMap(({ number, first, second }) => [
    ...(number === undefined ? [] : [`${number}.`]),
    ...(first === undefined ? [] : [first.text]),
    ...second.map(({ text }) => text),
  ]);
  return words.join(' ');
}
