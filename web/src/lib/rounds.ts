/** The list of plies, divided by rounds, with runs of chance told together. */

import type { PlyView } from './wire';

/** One action or outcome, or a run of outcomes. */
export interface Entry {
  /** The first and the last ply, from 1. */
  from: number;
  to: number;
  by: PlyView['by'];
  text: string;
}

export interface Round {
  /** What began; undefined before anything did. */
  title: string | undefined;
  from: number;
  to: number;
  entries: Entry[];
}

/** Outcomes in a row from which on they are told together, where all of them are seen. */
const MANY = 3;
/** Outcomes of a run that are told one by one. */
const TOLD = 12;
const UNSEEN = '~?';

export function rounds(plies: PlyView[]): Round[] {
  const all: Round[] = [];
  let run: number[] = [];
  let nBegun = 0;
  const end = () => {
    all.at(-1)?.entries.push(...told(run, plies));
    run = [];
  };
  for (const [i, ply] of plies.entries()) {
    if (ply.begins !== undefined || i === 0) {
      end();
      nBegun += ply.begins === undefined ? 0 : 1;
      all.push({ title: titled(ply.begins, nBegun), from: i + 1, to: i + 1, entries: [] });
    }
    const round = all.at(-1) as Round;
    round.to = i + 1;
    if (ply.by === 'chance') run.push(i);
    else {
      end();
      round.entries.push({ from: i + 1, to: i + 1, by: ply.by, text: ply.text });
    }
  }
  end();
  return all;
}

/** What nobody has counted is numbered here. */
function titled(title: string | undefined, nth: number): string | undefined {
  return title === undefined || /\d/.test(title) ? title : `${title} ${nth}`;
}

/** A run of outcomes as entries: one for all where something is unseen or there are many. */
function told(run: number[], plies: PlyView[]): Entry[] {
  const texts = run.map((i) => plies[i]?.text ?? '');
  const seen = texts.filter((text) => text !== UNSEEN);
  const nUnseen = texts.length - seen.length;
  if (texts.length < MANY && (nUnseen === 0 || texts.length === 1)) {
    return run.map((i, nth) => ({ from: i + 1, to: i + 1, by: 'chance', text: texts[nth] ?? '' }));
  }
  const more = seen.length > TOLD ? [`and ${seen.length - TOLD} more`] : [];
  const unseen = nUnseen > 0 ? [`${seen.length > 0 ? 'and ' : ''}${nUnseen} unseen`] : [];
  const text = [...seen.slice(0, TOLD), ...more, ...unseen].join(' ');
  return [{ from: (run[0] ?? 0) + 1, to: (run.at(-1) ?? 0) + 1, by: 'chance', text }];
}
