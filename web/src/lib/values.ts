/** What actions are worth, as it is written and drawn: numbers, ranks, and where on a board they belong. */

import { setOf, type ValueMark } from './board';
import type { Narrowing } from './narrowing';
import type { CandidateView, CertaintyView, EndsView } from './wire';

export type Range = readonly [low: number, high: number];

/** A payoff in few characters, as exact as payoffs of this range need it; of a range of 2 it has two decimals. */
export function valueText(value: number, range: Range): string {
  const span = range[1] - range[0];
  const digits = span <= 4 ? 2 : span <= 40 ? 1 : 0;
  const size = Math.abs(value);
  const text = size >= 100_000 ? `${Math.round(size / 1000)}k` : size.toFixed(digits);
  const plain = digits > 0 && Number.isInteger(Number(text)) ? String(Number(text)) : text;
  const sign =
    value < 0 && Number(text.replace('k', '')) !== 0 ? '−' : value > 0 && range[0] < 0 && plain !== '0' ? '+' : '';
  return sign + plain;
}

/** The same for a cell of a board: without a nought before the point. */
export function shortText(value: number, range: Range): string {
  return valueText(value, range).replace(/^([+−]?)0\./, '$1.');
}

/** Before a value: whether it is at least or at most this. */
export const BOUND: Record<CertaintyView, string> = {
  unknown: '',
  estimate: '',
  'at-least': '≥ ',
  'at-most': '≤ ',
  exact: '',
};

/** How what is exact is known. */
const KNOWN_BY: Record<string, string> = {
  rules: 'known by the rules',
  proof: 'known by a proof',
  table: 'known from a table',
  search: 'searched to the end',
};

/** How the values are known, of as many actions as are: beside an estimate, that of the others is not its reason. */
export function knownText(knownBy: string | null, candidates: readonly CandidateView[], nActions: number): string {
  const exact = candidates.filter(({ certainty }) => certainty === 'exact').length;
  if (knownBy === null || exact === 0) return '';
  const how = KNOWN_BY[knownBy] ?? `known by ${knownBy}`;
  return exact === candidates.length ? how : `${exact} of ${nActions} actions ${how}`;
}

/** How the game ends under best play: `wins in 11`. */
export function endText({ result, plies }: EndsView): string {
  const word: Record<EndsView['result'], string> = { win: 'wins', loss: 'loses', draw: 'draws', alone: 'over' };
  return `${word[result]} in ${plies}`;
}

/** `1,234` or `12k`. */
export function countText(n: number): string {
  if (n < 10_000) return n.toLocaleString('en');
  return n < 1_000_000 ? `${Math.round(n / 1000)}k` : `${(n / 1_000_000).toFixed(1)}M`;
}

/** What a seat can get, or where the rules do not bound it, what was found. */
export function rangeOf(bounds: readonly [number, number] | null, values: number[]): Range {
  if (bounds) return bounds;
  if (values.length === 0) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low < high ? [low, high] : [low - 1, high + 1];
}

/** Where a value lies within a range, from 0 to 1. */
export function part(value: number, [low, high]: Range): number {
  return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5;
}

/** Whether touching the rest of a path in order completes the action. */
function completes(narrowing: Narrowing, touched: string[], rest: string[], action: string): boolean {
  let prefix = touched;
  for (const id of rest) {
    if (narrowing.waits(prefix)) return true;
    const outcome = narrowing.touch(prefix, id);
    if (outcome.kind === 'complete') return outcome.action === action && outcome.prefix.length === prefix.length + 1;
    if (outcome.kind === 'ignored' || outcome.prefix.length !== prefix.length + 1) return false;
    prefix = outcome.prefix;
  }
  return narrowing.waits(prefix);
}

/** What may be touched next, after `touched`, on the way to an action. */
export function nextTouches(narrowing: Narrowing, touched: string[], { action, path }: CandidateView): string[] {
  const rest = [...path];
  for (const id of touched) {
    const at = rest.indexOf(id);
    if (at < 0) return [];
    rest.splice(at, 1);
  }
  const others = (i: number) => [...rest.slice(0, i), ...rest.slice(i + 1)];
  const ids = rest.filter((id, i) => completes(narrowing, touched, [id, ...others(i)], action));
  return [...new Set(ids)];
}

/** The best value that each touch leads to, for the seat that chooses. */
export function marksOf(
  candidates: CandidateView[],
  seat: number,
  range: Range,
  narrowing: Narrowing,
  touched: string[],
): Map<string, ValueMark> {
  const best = new Map<string, CandidateView>();
  const worth = (one: CandidateView) => one.values[seat] ?? Number.NEGATIVE_INFINITY;
  for (const candidate of candidates.filter(({ values }) => values.length > 0)) {
    const next = nextTouches(narrowing, touched, candidate);
    for (const id of next) {
      const before = best.get(id);
      if (!before || worth(candidate) > worth(before)) best.set(id, candidate);
    }
    // Things that are touched in any order may be drawn as one: the ends of a line.
    if (touched.length === 0 && next.length > 1 && next.length === candidate.path.length) {
      best.set(setOf(next), candidate);
    }
  }
  const values = [...best.values()].map(worth);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // Where all are worth the same, how good that is.
  const rank = (value: number) => (high > low ? (value - low) / (high - low) : part(value, range));
  return new Map(
    [...best].map(([id, one]) => {
      const value = worth(one);
      const whole = id.includes('\n');
      return [id, { text: shortText(value, range), rank: rank(value), exact: one.certainty === 'exact', whole }];
    }),
  );
}
