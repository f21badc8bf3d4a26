import { expect, test } from 'vitest';
import { printUrl, relettered, reletteredChart, standing } from './reference';
import type { Area, Chart } from './wire';

const area: Area = {
  id: 'board',
  title: 'Board',
  kind: 'board',
  width: 2,
  height: 1,
  cells: [
    { id: 'a', x: 0.5, y: 0.5, shape: { type: 'circle', radius: 0.4 }, tone: 'light', text: '01' },
    { id: 'b', x: 1.5, y: 0.5, shape: { type: 'circle', radius: 0.4 }, tone: 'light' },
  ],
  pieces: [
    { cell: 'a', kind: 'disc', tone: 'red', text: '10' },
    { cell: 'a', kind: 'token', tone: 'plain', text: '10' },
  ],
};

test('pieces and places are lettered anew, and counts are not', () => {
  const lettering = {
    title: 'Colours',
    texts: [
      ['10', 'light red'],
      ['01', 'light blue'],
    ] as [string, string][],
  };
  const { cells, pieces } = relettered(area, lettering);
  expect(cells.map(({ text }) => text)).toEqual(['light blue', undefined]);
  expect(pieces.map(({ text }) => text)).toEqual(['light red', '10']);
  expect(relettered(area, undefined)).toBe(area);
});

test('a chart of the position takes the place of the one of its id', () => {
  const chart = (id: string, title: string): Chart => ({ id, title, text: '', corner: '', columns: [], rows: [] });
  const charts = [chart('cards', 'in all'), chart('events', 'in all')];
  const picture = { areas: [], charts: [chart('events', 'to come')] };
  expect(standing(charts, picture).map(({ title }) => title)).toEqual(['in all', 'to come']);
  expect(standing(charts, undefined)).toEqual(charts);
});

test('sheets are asked for by spec', () => {
  expect(printUrl('a:b=1/2')).toBe('./api/print?spec=a%3Ab%3D1%2F2');
  expect(printUrl('a', 'board')).toBe('./api/print?spec=a&what=board');
});

test('the figures of a chart are lettered as the pieces are', () => {
  const figure = { kind: 'disc' as const, tone: 'red' as const, text: 'R' };
  const chart: Chart = {
    id: 'sums',
    title: 'Sums',
    text: '',
    corner: '',
    columns: [{ text: 'Red', figures: [figure] }],
    rows: [{ head: { text: 'R' }, entries: [{ text: 'Red', figures: [figure] }] }],
  };
  const { columns, rows } = reletteredChart(chart, { title: 'Triples', texts: [['R', '100']] });
  expect(columns[0]?.figures?.[0]?.text).toBe('100');
  expect(rows[0]?.entries[0]?.figures?.[0]?.text).toBe('100');
  expect(rows[0]?.head).toEqual({ text: 'R' });
  expect(reletteredChart(chart, undefined)).toBe(chart);
});
