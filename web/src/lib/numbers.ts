/** Numbers with their intervals, as people read them. */

import type { MeanView } from './wire';

const minus = (text: string): string => text.replace('-', '−');

/** `58.5 %` */
export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;

/** `58.5 % (56.1 to 60.8)`, or without an interval where there is none. */
export const percentWithin = ({ value, low, high }: MeanView): string =>
  low === null || high === null
    ? percent(value)
    : `${percent(value)} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;

/** `0.42`, `−1`, `1,234`: about three digits. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return minus(Math.round(value).toLocaleString('en'));
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  // Without a sign where nothing is left.
  return minus((Number(value.toFixed(digits)) + 0).toString());
}

/** `0.42 (0.31 to 0.53)`, or without an interval where there is none. */
export const within = ({ value, low, high }: MeanView): string =>
  low === null || high === null ? short(value) : `${short(value)} (${short(low)} to ${short(high)})`;

/** `+35` */
export const signed = (value: number): string => `${value > 0 ? '+' : ''}${minus(Math.round(value).toString())}`;

/** `3 s`, `4 min 10 s`, `2 h 5 min` */
export function time(millis: number): string {
  const seconds = Math.round(millis / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
