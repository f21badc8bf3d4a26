/** Addresses of analyses: what is analysed, and in the fragment, which no server sees, the tree of what was tried. */

import { isSetUp } from './addresses';
import { Variations } from './variations';
import type { Source, View } from './wire';

/** What an address asks for. */
export interface Asked {
  source: Source | undefined;
  tree: string;
  place: string;
  /** The specs of those who are asked at first; empty where the page chooses. */
  agents: string[];
  /** Whether a position is set up: then no agent is asked at first. */
  setsUp: boolean;
}

export function readLink(pathname: string, search: string, hash: string): Asked {
  const query = new URLSearchParams(search);
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  const [table, game, position] = [query.get('table'), query.get('game'), query.get('position')];
  const [run, number] = [query.get('run'), query.get('number')];
  const source: Source | undefined = table
    ? { kind: 'table', table }
    : run
      ? { kind: 'run', run, number: Number(number) }
      : game
        ? { kind: 'position', game, ...(position ? { position } : {}) }
        : undefined;
  return {
    source,
    tree: fragment.get('lines') ?? '',
    place: fragment.get('at') ?? '',
    agents: query.getAll('agent'),
    setsUp: isSetUp(pathname),
  };
}

/** The part of an address that says what is analysed. */
export function sourceQuery(source: Source): string {
  const { kind: _, ...query } = source;
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
}

/** The same, with the agents that are asked. */
export function agentsQuery(query: string, agents: readonly string[]): string {
  return [query, ...agents.map((agent) => new URLSearchParams({ agent }).toString())].filter(Boolean).join('&');
}

/** The fragment of a place in a tree; empty at the end of what was played where nothing else was tried. */
export function fragment(variations: Variations, path: readonly string[]): string {
  const tree = variations.toText();
  const atEnd = tree === '' && path.length === variations.own.length;
  return atEnd ? '' : `#${new URLSearchParams({ ...(tree ? { lines: tree } : {}), at: variations.placeText(path) })}`;
}

/** Whether nobody plays against anybody else: one person at most, beside engines. */
export function isAlone(view: View): boolean {
  return view.seats.filter(({ kind }) => kind === 'human').length <= 1;
}

/** The longest history that goes along with a position; a request holds 16 KiB. */
const LONGEST = 6_000;

/**
 * Where a table can be analysed: its record once the game is over, and before that, where a person plays alone, the
 * position as that person sees it. A game against people that goes on has no such address.
 */
export function analysisOf(view: View, plies: { text: string }[]): string | undefined {
  if (view.result) return `./analysis?${new URLSearchParams({ table: view.table })}`;
  if (!isAlone(view) || view.you.length === 0) return undefined;
  const tokens = plies.map(({ text }) => text);
  // With secrets there is no history but what the seat saw of it, which its position says.
  if (view.private_to !== null || tokens.join(' ').length > LONGEST) {
    return `./analysis?${sourceQuery({ kind: 'position', game: view.game, position: view.position })}`;
  }
  const start = view.start === null ? {} : { position: view.start };
  const line = Variations.of([]).add(tokens);
  return `./analysis?${sourceQuery({ kind: 'position', game: view.game, ...start })}${fragment(line, tokens)}`;
}
