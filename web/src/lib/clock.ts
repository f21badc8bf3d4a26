/** Times on clocks, for people. */

import type { ClockView, TimeControl } from './wire';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Below this, tenths are shown. */
const TENTHS_BELOW = 10 * SECOND;

/** `1:05:09`, `5:00`, `0:09.3`, `2 d 4 h`. A clock that runs shows no zero before its end. */
export function timeText(ms: number): string {
  const left = Math.max(0, ms);
  const two = (n: number) => String(n).padStart(2, '0');
  if (left < TENTHS_BELOW) return `0:${two(Math.floor(left / SECOND))}.${Math.floor((left % SECOND) / 100)}`;
  if (left >= DAY) {
    const hours = Math.floor((left % DAY) / HOUR);
    return [`${Math.floor(left / DAY)} d`, hours > 0 ? `${hours} h` : ''].filter(Boolean).join(' ');
  }
  const seconds = Math.ceil(left / SECOND);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** When a person is warned: with a tenth of the time they began with, but not before the last half minute. */
export function isLow(control: TimeControl, left: number): boolean {
  if (control.kind === 'days') return left < 3 * HOUR;
  const initial = control.kind === 'ply' ? control.time : control.initial;
  return left < Math.min(30 * SECOND, Math.max(initial / 10, 5 * SECOND));
}

/** What a seat has left so long after the view came; null where it has no clock. */
export function leftNow(clock: ClockView, seat: number, sinceMs: number): number | null {
  const left = clock.left[seat] ?? null;
  if (left === null || !clock.running.includes(seat)) return left;
  return Math.max(0, left - sinceMs);
}

function period(ms: number): string {
  if (ms % MINUTE === 0 && ms > 0) return `${ms / MINUTE} min`;
  return `${ms / SECOND} s`;
}

/** `5 min + 3 s a ply`. */
export function controlText(control: TimeControl): string {
  switch (control.kind) {
    case 'fischer':
      return control.increment > 0
        ? `${period(control.initial)}, and ${period(control.increment)} more with each ply`
        : period(control.initial);
    case 'bronstein':
      return `${period(control.initial)}, of which a ply gives back up to ${period(control.delay)}`;
    case 'ply':
      return `${period(control.time)} a ply`;
    case 'days':
      return control.days === 1 ? '1 day a ply' : `${control.days} days a ply`;
  }
}
