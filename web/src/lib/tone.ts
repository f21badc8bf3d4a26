/** The shades of tones. The theme's style sheet holds the colours; here is which of them a tone takes. */

import type { Tone } from './protocol';

export interface Shades {
  fill: string;
  edge: string;
  /** What is written or engraved on the fill. */
  on: string;
}

/** Steps of the scale before it stays at its strongest. */
export const SCALE_STEPS = 16;

/** Seats with a colour of their own. */
export const SEAT_TONES = 10;

/** What colours the seats have: that of their name where each is called by a colour, else the seats' own. */
export type SeatTones = Tone[];

const COLOUR_NAMES = ['black', 'white', 'red', 'yellow', 'blue', 'green', 'orange', 'purple'] as const;

export function seatTones(names: string[]): SeatTones {
  const first = names.map((name) => name.toLowerCase().match(/^[a-z]+/)?.[0] ?? '');
  const colours = first.map((word) => COLOUR_NAMES.find((colour) => colour === word));
  const distinct = new Set(colours).size === names.length && !colours.includes(undefined);
  return names.map((_, seat) => (distinct && colours[seat]) || { seat });
}

export function shades(tone: Tone, seats: SeatTones = []): Shades {
  if (typeof tone === 'string') return named(tone);
  if ('scale' in tone) return scale(tone.scale);
  const own = seats[tone.seat];
  return typeof own === 'string' ? named(own) : named(`seat-${tone.seat % SEAT_TONES}`);
}

/** The colour of a line, which lies on cells and must not drown in them. */
export function stroke(tone: Tone, seats: SeatTones = []): string {
  if (tone === 'plain') return 'var(--line-plain)';
  if (tone === 'accent') return 'var(--accent)';
  return shades(tone, seats).fill;
}

/** Whether a cell of this tone says something by its colour, which no mark may change. */
export function isTelling(tone: Tone): boolean {
  return typeof tone !== 'string' || COLOUR_NAMES.some((colour) => colour === tone);
}

function named(name: string): Shades {
  return { fill: `var(--tone-${name})`, edge: `var(--tone-${name}-edge, var(--edge))`, on: `var(--tone-${name}-on)` };
}

// From birch by way of cloudberry to lingonberry and the dark of a spruce wood: lightness falls all the way, so that
// the steps can be told apart without their hues.
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
