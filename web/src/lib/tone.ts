/** The shades of tones: which of the theme's colours a tone is drawn in. */

import type { PieceSet } from './settings.svelte';
import type { Tone } from './wire';

export interface Shades {
  fill: string;
  edge: string;
  /** What is written or engraved on the fill. */
  on: string;
}

/** Steps of the scale; later ones are as strong as the last. */
export const SCALE_STEPS = 16;

/** Seats with a colour of their own. */
export const SEAT_TONES = 10;

/** The colours of the seats, as the game says. */
export type SeatTones = Tone[];

const COLOUR_NAMES = ['black', 'white', 'red', 'yellow', 'blue', 'green', 'orange', 'purple'] as const;

export function shades(tone: Tone, seats: SeatTones = []): Shades {
  if (typeof tone === 'string') return named(tone);
  if ('scale' in tone) return scale(tone.scale);
  if ('mix' in tone) return mix(tone.mix);
  const own = seats[tone.seat];
  return typeof own === 'string' ? named(own) : named(`seat-${tone.seat % SEAT_TONES}`);
}

/** Which engraving a piece of a tone has: its seat's, and where marks are to be bold one for each colour as well. */
export function emblemOf(tone: Tone, set: PieceSet): number | undefined {
  if (set === 'plain') return undefined;
  if (typeof tone === 'object') return 'seat' in tone ? tone.seat : undefined;
  const colour = (COLOUR_NAMES as readonly string[]).indexOf(tone);
  return set === 'bold' && colour >= 0 ? colour : undefined;
}

/** The colour of a line, which must be visible on cells and beside them. */
export function stroke(tone: Tone, seats: SeatTones = []): string {
  if (tone === 'plain') return 'var(--line-plain)';
  if (tone === 'accent') return 'var(--accent)';
  const { fill } = shades(tone, seats);
  return fill === named('black').fill ? 'var(--line-black)' : fill;
}

/** Whether the colour of a cell of this tone has a meaning, which no mark may hide. */
export function isTelling(tone: Tone): boolean {
  return typeof tone !== 'string' || COLOUR_NAMES.some((colour) => colour === tone);
}

function named(name: string): Shades {
  return { fill: `var(--tone-${name})`, edge: `var(--tone-${name}-edge, var(--edge))`, on: `var(--tone-${name}-on)` };
}

// From birch by way of cloudberry to lingonberry and the dark of a spruce wood: lightness always falls, so that the steps
// can be told apart without their hues.
const STOPS: [lightness: number, chroma: number, hue: number][] = [
  [0.93, 0.03, 85],
  [0.85, 0.1, 78],
  [0.74, 0.15, 60],
  [0.6, 0.18, 38],
  [0.47, 0.16, 22],
  [0.35, 0.11, 350],
  [0.24, 0.06, 300],
];

function scale(step: number): Shades {
  const at = (Math.min(step, SCALE_STEPS) / SCALE_STEPS) * (STOPS.length - 1);
  const i = Math.min(Math.floor(at), STOPS.length - 2);
  const [from, to] = [STOPS[i], STOPS[i + 1]] as [(typeof STOPS)[number], (typeof STOPS)[number]];
  const mix = (a: number, b: number) => a + (b - a) * (at - i);
  // Hues run downward through 0°, the short way.
  const hue = (mix(from[2], to[2] > from[2] + 180 ? to[2] - 360 : to[2]) + 360) % 360;
  const lightness = mix(from[0], to[0]);
  const colour = (l: number) => `oklch(${l.toFixed(3)} ${mix(from[1], to[1]).toFixed(3)} ${hue.toFixed(1)})`;
  return {
    fill: colour(lightness),
    edge: colour(lightness - 0.12),
    on: lightness > 0.62 ? 'var(--ink-fixed)' : 'var(--paper-fixed)',
  };
}

type Rgb = [number, number, number];

/**
 * What paints come to where they are mixed in full, as red, green and blue light: none, red, yellow, both, then the same
 * with blue (N. Gossett and B. Chen, Paint Inspired Color Mixing and Compositing for Visualization, 2004; their blue and
 * their black lighter, so that shades of them can be told apart).
 */
const PAINTS: Rgb[] = [
  [1, 1, 1],
  [0.85, 0.12, 0.12],
  [0.98, 0.85, 0.12],
  [0.95, 0.5, 0.05],
  [0.16, 0.4, 0.75],
  [0.5, 0.15, 0.55],
  [0.1, 0.6, 0.3],
  [0.4, 0.27, 0.18],
];
/** What is darkened goes towards the first, what is paled towards the second, so far. */
const DARK: [Rgb, number] = [[0.08, 0.07, 0.06], 0.5];
const PALE: [Rgb, number] = [[1, 1, 1], 0.6];

function mix(parts: number[]): Shades {
  const rgb = mixed(parts);
  const hex = (part: number) =>
    Math.round(part * 255)
      .toString(16)
      .padStart(2, '0');
  return {
    fill: `#${rgb.map(hex).join('')}`,
    edge: `#${rgb.map((part) => hex(part * 0.7)).join('')}`,
    on: luminance(rgb) > 0.2 ? 'var(--ink-fixed)' : 'var(--paper-fixed)',
  };
}

function mixed(parts: number[]): Rgb {
  const [red = 0, yellow = 0, blue = 0, dark = 0, pale = 0] = parts.map((part) => Math.min(part, 100) / 100);
  const share = (i: number) =>
    [red, yellow, blue].reduce((all, paint, bit) => all * ((i >> bit) & 1 ? paint : 1 - paint), 1);
  const towards = (rgb: Rgb, [goal, most]: [Rgb, number], how: number) =>
    rgb.map((part, at) => part + ((goal[at] ?? 0) - part) * most * how) as Rgb;
  const paint = [0, 1, 2].map((at) => PAINTS.reduce((sum, full, i) => sum + share(i) * (full[at] ?? 0), 0)) as Rgb;
  return towards(towards(paint, DARK, dark), PALE, pale);
}

/** How bright a colour of a screen is, from 0 to 1. */
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
