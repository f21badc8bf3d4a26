/**
 * Text that somebody pasted or brought in a file: records, each a line of JSON, and score sheets, which the server takes
 * each on one line with the game's spec in front. A pasted sheet may go over several lines and name no game.
 */

import { fragment, sourceQuery } from './analysis-link';
import { readLines } from './lines';
import { Variations } from './variations';
import type { AnalysedPosition, AnalysisMessage, AnalysisRequest } from './wire';

export interface PastedSheet {
  /** The line of the text that it begins on, from 1. */
  line: number;
  /** The game's spec; undefined where the sheet names none and none was chosen. */
  game: string | undefined;
  /** The plies, without the numbers. */
  plies: string[];
}

export interface Pasted {
  /** What the server is sent. Everything begins on the line that it began on. */
  lines: string;
  sheets: PastedSheet[];
}

const NUMBER = /^\d+\.$/;
/** The number may stand directly before its ply: `1.a`. */
const JOINED = /^(\d+\.)(?=[^\d\s.])/;

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function wordsOf(line: string): string[] {
  return line
    .split(/\s+/)
    .flatMap((word) => word.replace(JOINED, '$1 ').split(' '))
    .filter((word) => word !== '');
}

/** Reads such a text. `games` are the ids that there are, and `chosen` is the spec of sheets that name none. */
export function readPasted(text: string, games: readonly string[], chosen: string): Pasted {
  // A record may have been laid out over several lines.
  if (isJson(text)) return { lines: text.trim().replace(/\s*\n\s*/g, ' '), sheets: [] };
  const sent: string[] = [];
  const sheets: PastedSheet[] = [];
  /** The sheet that the next line goes on with. */
  let words: string[] | undefined;
  const end = () => {
    const [sheet] = sheets.slice(-1);
    if (!words || !sheet) return;
    const named = games.includes(words[0]?.split(':')[0] ?? '');
    const isBare = !named && (chosen !== '' || NUMBER.test(words[0] ?? ''));
    const spec = named ? words[0] : isBare ? chosen || undefined : undefined;
    sheet.game = spec;
    sheet.plies = (named ? words.slice(1) : words).filter((word) => !NUMBER.test(word));
    // What names no game is not sent; what is no sheet at all is, for the server to say so.
    if (spec !== undefined || !isBare) sent[sheet.line - 1] = [...(isBare ? [spec] : []), ...words].join(' ');
    if (!named && !isBare) sheets.pop();
    words = undefined;
  };
  /** Whether a line begins another sheet. Before a 1 the game's name may stand on a line of its own. */
  const begins = (first: string, before: string[]) =>
    first === '1.' ? before.length > 1 : games.includes(first.split(':')[0] ?? '');
  for (const [i, line] of text.split('\n').entries()) {
    const found = wordsOf(line);
    const first = found[0] ?? '';
    sent.push('');
    if (first === '' || first.startsWith('{')) {
      end();
      sent[i] = line.trim();
    } else if (words && !begins(first, words)) {
      words.push(...found);
    } else {
      end();
      sheets.push({ line: i + 1, game: undefined, plies: [] });
      words = found;
    }
  }
  end();
  return { lines: sent.join('\n'), sheets };
}

/** The id of the game of a line that is sent, a record or a score sheet; undefined where it names none. */
export function gameOf(line: string): string | undefined {
  try {
    const { game } = JSON.parse(line) as { game?: unknown };
    return typeof game === 'string' ? game.split(':')[0] : undefined;
  } catch {
    return wordsOf(line)[0]?.split(':')[0];
  }
}

/** A game that was not played to its end. */
export interface Unfinished {
  n_plies: number;
  analyse: string;
  play: string;
}

/** The position that a sheet leads to, where the rules allow its plies and the game goes on from there. */
export async function unfinished({ game, plies }: PastedSheet): Promise<Unfinished | undefined> {
  if (game === undefined) return undefined;
  const source = { kind: 'position', game } as const;
  const body: AnalysisRequest = { of: source, n_plies: 0, line: plies, plies_from: plies.length, agents: [] };
  let reached: AnalysedPosition | undefined;
  try {
    await readLines<AnalysisMessage>('api/analysis', body, new AbortController().signal, (message) => {
      if (message.type === 'position') reached = message;
    });
  } catch {
    // What is wrong with it the import has said.
    return undefined;
  }
  if (!reached || reached.result) return undefined;
  return {
    n_plies: plies.length,
    analyse: `./analysis?${sourceQuery(source)}${fragment(Variations.of([]).add(plies), plies)}`,
    play: `./?${new URLSearchParams({ new: game, position: reached.position })}`,
  };
}
