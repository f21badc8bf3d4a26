/**
 * Carrying things by mouse or finger: whatever can be touched and leads on can be picked up and put down on what may be
 * touched next. Put down elsewhere, everything is as it was. Pressing without moving is a touch.
 */

import type { Attachment } from 'svelte/attachments';
import { sheetOver } from './ghost';

/** What carrying needs of a table. */
export interface Carrier {
  readonly movable: ReadonlySet<string>;
  readonly targets: ReadonlySet<string>;
  /** An action that was sent and has no effect yet. */
  readonly sent: string | undefined;
  pickUp(id: string): boolean;
  putDown(id: string | undefined): void;
}

/** Dots that a pointer may slip in a touch. */
const SLIP = { mouse: 5, touch: 10 };
/** How long something stays where it was put down when the server does not reply. */
const LONGEST_MS = 1_500;

/** What hangs on the pointer. */
class Load {
  readonly #sheet: SVGSVGElement;
  readonly #lying: SVGElement[];
  readonly #line: SVGLineElement | undefined;
  readonly #middle: DOMPoint;

  constructor(place: SVGElement, home: HTMLElement) {
    const svg = place.ownerSVGElement as SVGSVGElement;
    this.#sheet = sheetOver(svg);
    const cell = CSS.escape(place.dataset.cell ?? '');
    this.#lying = [...svg.querySelectorAll<SVGElement>(`.piece[data-on="${cell}"]`)];
    for (const piece of this.#lying) {
      this.#sheet.append(piece.cloneNode(true));
      piece.style.opacity = '0.3';
    }
    const box = place.getBoundingClientRect();
    this.#middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
    this.#line = this.#lying.length > 0 ? undefined : this.#drawLine(svg);
    home.append(this.#sheet);
  }

  /** What has no piece is drawn as a line from where it begins. */
  #drawLine(svg: SVGSVGElement): SVGLineElement {
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    const from = this.#middle.matrixTransform(svg.getScreenCTM()?.inverse() ?? new DOMMatrix());
    for (const [name, value] of Object.entries({ x1: from.x, y1: from.y, x2: from.x, y2: from.y })) {
      line.setAttribute(name, String(value));
    }
    Object.assign(line.style, { stroke: 'var(--target)', strokeWidth: '0.1', strokeLinecap: 'round' });
    this.#sheet.append(line);
    return line;
  }

  moveTo(x: number, y: number): void {
    if (this.#line) {
      const at = new DOMPoint(x, y).matrixTransform(this.#sheet.getScreenCTM()?.inverse() ?? new DOMMatrix());
      this.#line.setAttribute('x2', String(at.x));
      this.#line.setAttribute('y2', String(at.y));
    } else {
      this.#sheet.style.transform = `translate(${x - this.#middle.x}px, ${y - this.#middle.y}px)`;
    }
  }

  remove(): void {
    this.#sheet.remove();
    for (const piece of this.#lying) piece.style.opacity = '';
  }
}

function placeOf(target: EventTarget | null): SVGElement | undefined {
  const place = target instanceof Element ? target.closest('svg .place[data-touch]') : null;
  // A body is turned by dragging.
  return place instanceof SVGElement && !place.closest('svg.solid') ? place : undefined;
}

/** Makes things within an element be carried. */
export function carries(carrier: Carrier): Attachment<HTMLElement> {
  return (home) => {
    let from: { place: SVGElement; id: string; pointer: number; x: number; y: number; slip: number } | undefined;
    let load: Load | undefined;
    /** Whether the click that follows belongs to a carry. */
    let carried = false;
    let over: string | undefined;

    const mark = (id: string | undefined) => {
      if (id === over) return;
      for (const element of home.querySelectorAll('[data-over]')) element.removeAttribute('data-over');
      if (id !== undefined) {
        for (const element of home.querySelectorAll(`[data-touch="${CSS.escape(id)}"]`)) {
          element.setAttribute('data-over', '');
        }
      }
      over = id;
    };
    const targetAt = (x: number, y: number) => {
      const ids = document.elementsFromPoint(x, y).map((element) => element.closest('[data-touch]'));
      const at = ids.find((element) => element && carrier.targets.has(element.getAttribute('data-touch') ?? ''));
      return at?.getAttribute('data-touch') ?? undefined;
    };
    const lay = () => {
      load?.remove();
      load = undefined;
    };
    /** What was put down stays there until its effect is seen. */
    const layWhenSeen = () => {
      const begun = performance.now();
      const laid = load;
      load = undefined;
      const wait = () => {
        if (carrier.sent !== undefined && performance.now() - begun < LONGEST_MS) requestAnimationFrame(wait);
        else laid?.remove();
      };
      wait();
    };

    const down = (event: PointerEvent) => {
      carried = false;
      const place = placeOf(event.target);
      const id = place?.dataset.touch;
      if (!event.isPrimary || event.button !== 0 || !place || id === undefined || !carrier.movable.has(id)) return;
      const slip = event.pointerType === 'mouse' ? SLIP.mouse : SLIP.touch;
      from = { place, id, pointer: event.pointerId, x: event.clientX, y: event.clientY, slip };
    };
    const move = (event: PointerEvent) => {
      if (from?.pointer !== event.pointerId) return;
      const { clientX: x, clientY: y } = event;
      if (!load) {
        if (Math.hypot(x - from.x, y - from.y) < from.slip) return;
        if (!carrier.pickUp(from.id)) {
          from = undefined;
          return;
        }
        carried = true;
        load = new Load(from.place, home);
      }
      load.moveTo(x, y);
      mark(targetAt(x, y));
    };
    const up = (event: PointerEvent) => {
      if (from?.pointer !== event.pointerId) return;
      from = undefined;
      if (!load) return;
      carrier.putDown(targetAt(event.clientX, event.clientY));
      mark(undefined);
      if (carrier.sent !== undefined) layWhenSeen();
      else lay();
      setTimeout(() => {
        carried = false;
      });
    };
    // A finger that has something to carry does not scroll the page; browsers do not heed `touch-action` within a drawing.
    const hold = (event: TouchEvent) => {
      if (from && event.cancelable) event.preventDefault();
    };
    const cancel = () => {
      from = undefined;
      if (load) carrier.putDown(undefined);
      mark(undefined);
      lay();
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !load) return;
      event.stopPropagation();
      cancel();
    };
    const click = (event: MouseEvent) => {
      if (!carried) return;
      carried = false;
      event.stopPropagation();
      event.preventDefault();
    };

    home.addEventListener('pointerdown', down);
    home.addEventListener('touchmove', hold, { passive: false });
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', cancel);
    addEventListener('keydown', key, { capture: true });
    addEventListener('click', click, { capture: true });
    return () => {
      cancel();
      home.removeEventListener('pointerdown', down);
      home.removeEventListener('touchmove', hold);
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', cancel);
      removeEventListener('keydown', key, { capture: true });
      removeEventListener('click', click, { capture: true });
    };
  };
}
