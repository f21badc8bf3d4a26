/** Strokes across an element, for games that are played with `left`, `right`, `up` and `down`. */

import type { Attachment } from 'svelte/attachments';
import type { Direction } from '../lib/geometry';

const SHORTEST = 36;

/** The direction of a stroke; `undefined` where it is short or aslant. */
export function direction(dx: number, dy: number): Direction | undefined {
  const [ax, ay] = [Math.abs(dx), Math.abs(dy)];
  if (Math.max(ax, ay) < SHORTEST || Math.min(ax, ay) * 1.6 > Math.max(ax, ay)) return undefined;
  if (ax > ay) return dx > 0 ? 'right' : 'left';
  return dy > 0 ? 'down' : 'up';
}

/** Calls `onswipe` for each stroke of one finger. */
export function swipes(onswipe: (direction: Direction) => unknown): Attachment<HTMLElement> {
  return (element) => {
    let from: Touch | undefined;
    const start = (event: TouchEvent) => {
      from = event.touches.length === 1 ? event.touches[0] : undefined;
    };
    const end = (event: TouchEvent) => {
      const to = event.changedTouches[0];
      const towards = from && to && direction(to.clientX - from.clientX, to.clientY - from.clientY);
      from = undefined;
      if (towards) onswipe(towards);
    };
    element.addEventListener('touchstart', start, { passive: true });
    element.addEventListener('touchend', end, { passive: true });
    return () => {
      element.removeEventListener('touchstart', start);
      element.removeEventListener('touchend', end);
    };
  };
}
