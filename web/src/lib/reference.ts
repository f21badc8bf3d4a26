/** What stands beside the board of a game: its charts, and how its pieces may be lettered. */

import { request } from './api';
import type * as drawn from './drawn';
import type { Chart, Entry, Exercise, Lettering, Picture, Reference } from './wire';

const asked = new Map<string, Promise<Reference>>();

/** The charts and letterings of a game with its parameters. They do not change, so each is asked for once. */
export function reference(spec: string): Promise<Reference> {
  const known = asked.get(spec);
  if (known) return known;
  const asking = request<Reference>(`api/reference?spec=${encodeURIComponent(spec)}`);
  asked.set(spec, asking);
  asking.catch(() => asked.delete(spec));
  return asking;
}

/** So many questions of the drill of a game. */
export function exercises(spec: string, seed: number, n: number): Promise<Exercise[]> {
  return request(`api/drill?spec=${encodeURIComponent(spec)}&seed=${seed}&n=${n}`);
}

/** Where the sheets of a game for paper are; all of them, or one. */
export function printUrl(spec: string, sheet?: string): string {
  const what = sheet === undefined ? '' : `&what=${encodeURIComponent(sheet)}`;
  return `./api/print?spec=${encodeURIComponent(spec)}${what}`;
}

/** The charts of a game, those in their place that say how things stand. */
export function standing(charts: Chart[], picture: Picture | undefined): Chart[] {
  const now = picture?.charts ?? [];
  return charts.map((chart) => now.find(({ id }) => id === chart.id) ?? chart);
}

/** An area with other texts on its pieces and places. Counts on tokens stay as they are. */
export function relettered<A extends drawn.Area>(area: A, lettering: Lettering | undefined): A {
  if (!lettering) return area;
  const texts = new Map(lettering.texts);
  const written = <T extends { text?: string }>(thing: T): T =>
    thing.text === undefined ? thing : { ...thing, text: texts.get(thing.text) ?? thing.text };
  return {
    ...area,
    cells: area.cells.map(written),
    pieces: area.pieces.map((piece) => (piece.kind === 'token' ? piece : written(piece))),
  };
}

/** A chart with other texts on its figures. */
export function reletteredChart(chart: Chart, lettering: Lettering | undefined): Chart {
  if (!lettering) return chart;
  const texts = new Map(lettering.texts);
  const entry = (one: Entry): Entry =>
    one.figures
      ? { ...one, figures: one.figures.map((it) => ({ ...it, text: texts.get(it.text ?? '') ?? it.text ?? '' })) }
      : one;
  const rows = chart.rows.map(({ head, entries }) => ({ head: entry(head), entries: entries.map(entry) }));
  return { ...chart, columns: chart.columns.map(entry), rows };
}
