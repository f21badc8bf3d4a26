/** Drags across an element, by mouse or finger; pressing without moving is a click. */

import type { Attachment } from 'svelte/attachments';

/** Dots that a finger may slip in a tap. */
const SLIP = 8;

/** Calls `ondrag` with how far the pointer has gone since the last call, in dots. */
export function drags(ondrag: (dx: number, dy: number) => unknown): Attachment<HTMLElement> {
  return (element) => {
    let at: { id: number; x: number; y: number } | undefined;
    let dragging = false;

    const down = (event: PointerEvent) => {
      if (!event.isPrimary || event.button !== 0) return;
      at = { id: event.pointerId, x: event.clientX, y: event.clientY };
      dragging = false;
    };
    const move = (event: PointerEvent) => {
      if (at?.id !== event.pointerId) return;
      const [dx, dy] = [event.clientX - at.x, event.clientY - at.y];
      if (!dragging && Math.hypot(dx, dy) < SLIP) return;
      if (!dragging) element.setPointerCapture?.(event.pointerId);
      dragging = true;
      at = { id: event.pointerId, x: event.clientX, y: event.clientY };
      ondrag(dx, dy);
    };
    const up = () => {
      at = undefined;
      // The click that ends a drag comes before this.
      setTimeout(() => {
        dragging = false;
      }, 60);
    };
    const click = (event: MouseEvent) => {
      if (!dragging) return;
      event.stopPropagation();
      event.preventDefault();
    };

    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
    element.addEventListener('pointercancel', up);
    element.addEventListener('click', click, { capture: true });
    return () => {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('pointercancel', up);
      element.removeEventListener('click', click, { capture: true });
    };
  };
}
