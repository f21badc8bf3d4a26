/**
 * Shows what has moved from one picture to the next. A new picture ends what is still on its way, so that several plies
 * in a row never wait for one another.
 */

import { isCalm } from '../lib/motion';
import { type Motion, motions, type Which } from '../lib/motions';
import type { Picture } from '../lib/wire';
import { onScreen, sheetOver } from './ghost';

const MOVE_MS = 220;
const TURN_MS = 240;
const FALL_MS = 250;
const LEAVE_MS = 180;
/** Cards are dealt one after the other, but all of them within this. */
const DEAL_MS = 200;
const DEALING_MS = 160;

const EASE = 'cubic-bezier(0.3, 0.7, 0.3, 1)';
const FALLING = 'cubic-bezier(0.5, 0.05, 0.8, 0.6)';

/** A piece as it was drawn: a copy, and where it was. Boards may be drawn another way round than their pictures. */
interface Drawn {
  copy: Element;
  x: number;
  y: number;
  onScreen: DOMPoint;
}

type Of<Kind extends Motion['kind']> = Motion & { kind: Kind };

export class Animator {
  #picture: Picture | undefined;
  #planned: Motion[] = [];
  /** What will be gone or elsewhere. */
  #old = new Map<string, Drawn>();
  #running: Animation[] = [];
  #passing: Element[] = [];

  constructor(private readonly home: () => HTMLElement | undefined) {}

  /** Before the page shows `picture`. Returns what has moved; nothing where `steady`, when it just changes. */
  before(picture: Picture | undefined, steady: boolean): Motion[] {
    const last = this.#picture;
    if (last === picture) return [];
    this.finish();
    this.#picture = picture;
    this.#old.clear();
    this.#planned = last && picture && !steady ? motions(last, picture) : [];
    if (isCalm()) return this.#clear();
    for (const motion of this.#planned) {
      const was = motion.kind === 'leave' ? motion : 'was' in motion ? motion.was : undefined;
      const drawn = was && this.#draw(was);
      if (drawn) this.#old.set(name(was), drawn);
    }
    return this.#planned;
  }

  /** When the page shows it. */
  after(): void {
    const planned = this.#clear();
    if (planned.length === 0 || isCalm() || document.hidden) return;
    const deals = planned.filter(({ kind }) => kind === 'deal').length;
    let dealt = 0;
    for (const motion of planned) {
      this.#start(motion, motion.kind === 'deal' ? (dealt++ * DEALING_MS) / deals : 0);
    }
  }

  /** Ends everything that is on its way. */
  finish(): void {
    for (const animation of this.#running) animation.cancel();
    for (const element of this.#passing) element.remove();
    this.#running = [];
    this.#passing = [];
  }

  #clear(): Motion[] {
    const planned = this.#planned;
    this.#planned = [];
    return planned;
  }

  #svg(area: string): SVGSVGElement | undefined {
    return (
      this.home()?.querySelector<SVGSVGElement>(
        `[data-area="${CSS.escape(area)}"] svg.board, [data-area="${CSS.escape(area)}"] svg.tray`,
      ) ?? undefined
    );
  }

  #find({ area, piece }: Which): SVGGElement | undefined {
    return this.#svg(area)?.querySelector<SVGGElement>(`[data-piece="${piece}"]`) ?? undefined;
  }

  #draw(which: Which): Drawn | undefined {
    const [svg, piece] = [this.#svg(which.area), this.#find(which)];
    if (!svg || !piece) return undefined;
    const { x, y } = placeOf(piece);
    return { copy: piece.cloneNode(true) as Element, x, y, onScreen: onScreen(svg, x, y) };
  }

  #start(motion: Motion, delay: number): void {
    const svg = this.#svg(motion.area);
    const old = this.#old.get(name('was' in motion ? motion.was : motion));
    if (svg && old && motion.kind === 'leave') this.#leave(svg, old, motion);
    const piece = motion.kind === 'leave' ? undefined : this.#find(motion);
    const figure = piece?.querySelector('.figure');
    if (!svg || !piece || !figure) return;
    switch (motion.kind) {
      case 'move':
        if (old) this.#move(svg, piece, figure, old, motion);
        break;
      case 'fall':
        this.#animate(figure, [{ transform: shift(0, -motion.height) }, {}], FALL_MS, { easing: FALLING });
        break;
      case 'deal':
        this.#travel(svg, piece, figure, this.#dealer(), piece, DEAL_MS, delay);
        break;
      case 'turn':
        if (old) this.#turn(svg, figure, old);
        break;
      case 'change':
        this.#animate(figure, [{ transform: 'scale(0.8)' }, { transform: 'scale(1.12)' }, {}], MOVE_MS);
        break;
      case 'appear':
        this.#animate(figure, [{ transform: 'scale(0.6)', opacity: 0 }, {}], LEAVE_MS);
        break;
    }
  }

  #animate(element: Element, frames: Keyframe[], duration: number, more: KeyframeAnimationOptions = {}): Animation {
    const animation = element.animate(frames, { duration, easing: EASE, ...more });
    this.#running.push(animation);
    return animation;
  }

  /** Shows something for the time of an animation. */
  #pass(element: Element, svg: SVGSVGElement, frames: Keyframe[], duration: number): void {
    svg.querySelector('.motions')?.append(element);
    this.#passing.push(element);
    const moving = element.querySelector('.figure') ?? element;
    this.#animate(moving, frames, duration, { fill: 'both' }).onfinish = () => element.remove();
  }

  #move(svg: SVGSVGElement, piece: Element, figure: Element, old: Drawn, { was, area, alike }: Of<'move'>): void {
    if (was.area === area && alike) {
      const { x, y } = placeOf(piece);
      this.#animate(figure, [{ transform: shift(old.x - x, old.y - y) }, {}], MOVE_MS);
    } else {
      this.#travel(svg, piece, figure, old.onScreen, alike ? piece : old.copy, MOVE_MS, 0);
    }
  }

  #leave(svg: SVGSVGElement, old: Drawn, { area, into }: Of<'leave'>): void {
    const target = into === undefined ? undefined : this.#find({ area, piece: into });
    const to = target && placeOf(target);
    const end = to ? { transform: shift(to.x - old.x, to.y - old.y) } : { opacity: 0, transform: 'scale(0.5)' };
    this.#pass(old.copy, svg, [{}, end], LEAVE_MS);
  }

  /** The old side narrows, then the new one widens. */
  #turn(svg: SVGSVGElement, figure: Element, old: Drawn): void {
    const edge = { transform: 'scaleX(0)' };
    this.#pass(old.copy, svg, [{ transform: 'scaleX(1)' }, edge], TURN_MS / 2);
    this.#animate(figure, [edge, { transform: 'scaleX(1)' }], TURN_MS / 2, { delay: TURN_MS / 2, fill: 'backwards' });
  }

  /** Cards that lay nowhere come from the middle of what is first: the board, or the others' cards. */
  #dealer(): DOMPoint | undefined {
    const box = this.home()?.querySelector('[data-area]')?.getBoundingClientRect();
    return box && new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
  }

  /** From anywhere on the screen: over whatever would clip it. */
  #travel(
    svg: SVGSVGElement,
    piece: Element,
    figure: Element,
    from: DOMPoint | undefined,
    look: Element,
    duration: number,
    delay: number,
  ): void {
    const home = this.home();
    if (!home || !from) return;
    const { x, y } = placeOf(piece);
    const to = onScreen(svg, x, y);
    const copy = look.cloneNode(true) as Element;
    copy.setAttribute('style', piece.getAttribute('style') ?? '');
    const sheet = sheetOver(svg);
    sheet.append(copy);
    home.append(sheet);
    this.#passing.push(sheet);
    const start = { transform: shift(from.x - to.x, from.y - to.y) };
    this.#animate(sheet, [start, {}], duration, { delay, fill: 'backwards' }).onfinish = () => sheet.remove();
    // The piece itself is to be seen when it has arrived.
    this.#animate(figure, [{ opacity: 0 }, { opacity: 0 }], duration + delay);
  }
}

/** Where a piece is drawn, in the units of its drawing. */
function placeOf(piece: Element): { x: number; y: number } {
  const [x = 0, y = 0] = (piece.getAttribute('style') ?? '').match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number) ?? [];
  return { x, y };
}

function name({ area, piece }: Which): string {
  return `${area}:${piece}`;
}

function shift(dx: number, dy: number): string {
  return `translate(${dx}px, ${dy}px)`;
}
