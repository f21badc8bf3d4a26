/**
 * The lines that were tried: a tree of plies, kept as its lines from the start to their ends. A link holds it as text:
 * for each line how many plies it shares with the one before, and the others. A server keeps it with the record of a
 * finished game: for each line how many plies it shares with what was played, and the others.
 */

import type { TriedLine } from './wire';

/** Plies as a history writes them. */
export type Line = readonly string[];

/** How many plies two lines have in common. */
export function shared(one: Line, other: Line): number {
  const most = Math.min(one.length, other.length);
  let n = 0;
  while (n < most && one[n] === other[n]) n++;
  return n;
}

/** Whether a line begins with these plies. */
export function begins(line: Line, path: Line): boolean {
  return path.length <= line.length && shared(line, path) === path.length;
}

/** A run of plies, and what else was tried in place of plies of it. */
export interface Branch {
  /** The plies before its first. */
  before: Line;
  plies: Line;
  /** By the number of plies before them, each a run of its own. */
  others: Map<number, Branch[]>;
}

export class Variations {
  private constructor(
    /** What was played; empty where nothing is recorded. */
    readonly own: Line,
    /** Those that were tried; none of them begins another one. */
    readonly lines: readonly Line[],
  ) {}

  static of(own: Line): Variations {
    return new Variations(own, []);
  }

  /** The line that a game is followed along: what was played, or else what was tried first. */
  get main(): Line {
    return this.own.length > 0 ? this.own : (this.lines[0] ?? []);
  }

  /** With the plies of `path`. */
  add(path: Line): Variations {
    if (path.length === 0 || [this.own, ...this.lines].some((line) => begins(line, path))) return this;
    const at = this.lines.findIndex((line) => begins(path, line));
    const lines = at < 0 ? [...this.lines, path] : this.lines.map((line, i) => (i === at ? path : line));
    return new Variations(this.own, lines);
  }

  /** Without what goes on with the last ply of `path`. What was played stays. */
  without(path: Line): Variations {
    const kept = this.lines.filter((line) => !begins(line, path));
    const rest = new Variations(this.own, kept);
    return kept.length < this.lines.length ? rest.add(path.slice(0, -1)) : this;
  }

  /** What was played or tried after `path`, first what was played. */
  next(path: Line): string[] {
    const tokens = [this.own, ...this.lines]
      .filter((line) => begins(line, path))
      .flatMap((line) => line[path.length] ?? []);
    return [...new Set(tokens)];
  }

  /** The first line that goes on from `path`, to its end. */
  onFrom(path: Line): Line {
    return [this.main, ...this.lines].find((line) => begins(line, path)) ?? path;
  }

  /** The main line with what branches off it. */
  tree(): Branch {
    return branch([this.main, ...this.lines.filter((line) => line !== this.main)], 0);
  }

  /** With all that another tree of the same game has. */
  with(other: Variations): Variations {
    return other.lines.reduce((all: Variations, line) => all.add(line), this);
  }

  /** Whether the same was tried in another tree of the same game. */
  isSame(other: Variations): boolean {
    const texts = new Set(this.lines.map((line) => line.join(' ')));
    return texts.size === other.lines.length && other.lines.every((line) => texts.has(line.join(' ')));
  }

  /**
   * What came of a tree that was changed here and there: what was added on either side is in it, and what was removed on
   * either side is not.
   */
  merge(before: Variations, theirs: Variations): Variations {
    const [old, here, there] = [before.#tried(), this.#tried(), theirs.#tried()];
    const stays = (ply: string) => (here.has(ply) && there.has(ply)) || !old.has(ply);
    let all = Variations.of(this.own);
    for (const line of [...this.lines, ...theirs.lines]) {
      let n = line.length;
      while (n > 0 && !stays(this.#key(line.slice(0, n)))) n--;
      all = all.add(line.slice(0, n));
    }
    return all;
  }

  /** All plies that were tried, each as the line to it. */
  #tried(): Set<string> {
    const ways = (line: Line) => line.map((_, i) => this.#key(line.slice(0, i + 1)));
    return new Set(this.lines.flatMap(ways));
  }

  /** A line as text, short for what was played. */
  #key(line: Line): string {
    const n = shared(this.own, line);
    return [n, ...line.slice(n)].join(' ');
  }

  /** As a server keeps it. */
  toKept(): TriedLine[] {
    return this.lines.map((line) => {
      const after = shared(this.own, line);
      return { after, plies: line.slice(after) };
    });
  }

  static ofKept(own: Line, lines: readonly TriedLine[]): Variations {
    return lines.reduce((all, { after, plies }) => all.add([...own.slice(0, after), ...plies]), Variations.of(own));
  }

  toText(): string {
    let before = this.own;
    const texts = this.lines.map((line) => {
      const n = shared(before, line);
      before = line;
      return [n, ...line.slice(n)].join(' ');
    });
    return texts.join('\n');
  }

  /** What a link says, as far as it makes sense. */
  static read(own: Line, text: string): Variations {
    return Variations.#readAll(own, text).read;
  }

  /** Whether all that a link says makes sense. */
  static isReadable(own: Line, text: string): boolean {
    return Variations.#readAll(own, text).isWhole;
  }

  static #readAll(own: Line, text: string): { read: Variations; isWhole: boolean } {
    let before = own;
    let [read, isWhole] = [Variations.of(own), true];
    for (const written of text.split('\n')) {
      const [n, ...tokens] = written.split(' ').filter((token) => token !== '');
      if (n === undefined) continue;
      const from = Number(n);
      if (!Number.isInteger(from) || from < 0 || from > before.length) {
        isWhole = false;
        continue;
      }
      before = [...before.slice(0, from), ...tokens];
      read = read.add(before);
    }
    return { read, isWhole };
  }

  /** A place in the tree as text: which line, and how many of its plies. */
  placeText(path: Line): string {
    const at = [this.own, ...this.lines].findIndex((line) => begins(line, path));
    return `${Math.max(0, at)}.${at < 0 ? 0 : path.length}`;
  }

  readPlace(text: string): Line | undefined {
    const match = /^(\d+)\.(\d+)$/.exec(text);
    const line = match && [this.own, ...this.lines][Number(match[1])];
    return line ? line.slice(0, Number(match?.[2])) : undefined;
  }
}

/** The first of the lines from its ply number `from` on; what branches off it follows the ply that it replaces. */
function branch(lines: readonly Line[], from: number): Branch {
  const [first = [], ...rest] = lines;
  const byLength = new Map<number, Line[]>();
  for (const line of rest) {
    const n = shared(first, line);
    byLength.set(n, [...(byLength.get(n) ?? []), line]);
  }
  const others = new Map<number, Branch[]>();
  for (const [n, some] of byLength) {
    const firstTokens = [...new Set(some.map((line) => line[n]))];
    others.set(
      n,
      firstTokens.map((token) =>
        branch(
          some.filter((line) => line[n] === token),
          n,
        ),
      ),
    );
  }
  return { before: first.slice(0, from), plies: first.slice(from), others };
}
