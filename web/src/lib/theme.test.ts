// @vitest-environment happy-dom

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COLOUR_SETS } from './settings.svelte';

type Rgb = [number, number, number];
const css = readFileSync('src/theme.css', 'utf8');

/** The declarations of a rule. */
function variables(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  if (start < 0) return {};
  const block = css.slice(start, css.indexOf('\n}', start));
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value?.trim()]),
  );
}

/** A set's colours by day (0) or night (1). */
function palette(set: string, night: 0 | 1): (name: string) => Rgb {
  const all: Record<string, string> = {
    ...variables(':root'),
    ...variables('[data-colours]'),
    ...variables(`[data-colours="${set}"]`),
  };
  return (name) => {
    const value = all[name] ?? '';
    const pair = /^light-dark\((#[\da-f]+),\s*(#[\da-f]+)\)$/.exec(value);
    const hex = pair?.[night + 1] ?? value;
    expect(hex, `--${name}`).toMatch(/^#[\da-f]{6}$/);
    return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as Rgb;
  };
}

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

function contrast(a: Rgb, b: Rgb): number {
  const luminance = ([r, g, b]: Rgb) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const SEATS = Array.from({ length: 10 }, (_, seat) => `tone-seat-${seat}`);
const COLOURS = ['black', 'white', 'red', 'yellow', 'blue', 'green', 'orange', 'purple'].map((name) => `tone-${name}`);
const BOARD = ['light', 'dark', 'accent', 'plain', 'neutral'].map((name) => `tone-${name}`);

describe.each(COLOUR_SETS.flatMap((set) => [[set, 0] as const, [set, 1] as const]))(
  'in the colours %s, night %i',
  (set, night) => {
    const colour = palette(set, night);

    test('what is written on a tone can be read', () => {
      for (const tone of [...SEATS, ...COLOURS, ...BOARD])
        expect(contrast(colour(tone), colour(`${tone}-on`)), tone).toBeGreaterThanOrEqual(4.5);
    });

    test('black lines are seen on the page and told from white ones', () => {
      expect(contrast(colour('line-black'), colour('paper'))).toBeGreaterThanOrEqual(3);
      expect(contrast(colour('line-black'), colour('tone-white'))).toBeGreaterThanOrEqual(3);
    });

    test('what is written on the page and on a table for cards can be read', () => {
      for (const paper of ['paper', 'sheet', 'sheet-2'])
        for (const ink of ['ink', 'ink-2', 'ink-3', 'accent', 'good'])
          expect(contrast(colour(paper), colour(ink)), `${ink} on ${paper}`).toBeGreaterThanOrEqual(4.5);
      for (const felt of ['felt', 'felt-light'])
        expect(contrast(colour(felt), colour('felt-ink')), felt).toBeGreaterThanOrEqual(4.5);
      expect(contrast(colour('accent'), colour('on-accent'))).toBeGreaterThanOrEqual(4.5);
    });

    test('marks stand out from the board', () => {
      for (const cell of ['tone-light', 'tone-dark', 'tone-plain'])
        expect(contrast(colour(cell), colour('target')), `target on ${cell}`).toBeGreaterThanOrEqual(3);
    });
  },
);

/** Colours as they look to people without one sort of cones: Machado, Oliveira and Fernandes, 2009, severity 1. */
const SIGHTS: Record<string, number[][]> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** How different two colours look, in OKLab. */
function difference(a: Rgb, b: Rgb, sight: number[][]): number {
  const lab = (rgb: Rgb) => {
    const [r, g, b] = sight.map((row) =>
      Math.min(
        1,
        Math.max(
          0,
          row.reduce((sum, k, i) => sum + k * linear(rgb[i] ?? 0), 0),
        ),
      ),
    ) as Rgb;
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ] as Rgb;
  };
  const [x, y] = [lab(a), lab(b)];
  return Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

function leastDifference(set: string, night: 0 | 1, tones: string[], sight: number[][]): number {
  const colour = palette(set, night);
  let least = Number.POSITIVE_INFINITY;
  for (const [i, a] of tones.entries())
    for (const b of tones.slice(i + 1)) least = Math.min(least, difference(colour(a), colour(b), sight));
  return least;
}

describe.each(Object.entries(SIGHTS))('seen with %s', (_, sight) => {
  test.each([0, 1] as const)('the distinct colours of six seats differ, night %i', (night) => {
    expect(leastDifference('distinct', night, SEATS.slice(0, 6), sight)).toBeGreaterThan(0.1);
  });
});

test('the distinct colours are easier to tell apart than the house’s, to everybody', () => {
  for (const sight of Object.values(SIGHTS))
    for (const night of [0, 1] as const) {
      const least = (set: string) => leastDifference(set, night, SEATS.slice(0, 6), sight);
      expect(least('distinct')).toBeGreaterThan(least('birch'));
    }
});
