/** The end of a round, held for a while before the next one is shown. */

import { settings } from './settings.svelte';
import type { Picture, PlyView, View } from './wire';

/** Milliseconds: at least, and for each letter that there is to read. */
const LEAST = 2200;
const PER_LETTER = 55;
const MOST = 9000;

/** What the round brought to the seats, as the badges tell it. */
export function outcomes(picture: Picture | undefined): { seat: number; text: string }[] {
  return (picture?.badges ?? []).filter(({ kind }) => kind === 'gain' || kind === 'loss');
}

/** How long a round's end is held. */
export function holdTime(picture: Picture): number {
  const letters = (picture.badges ?? []).reduce((sum, { text }) => sum + text.length, 0);
  return Math.min(MOST, LEAST + PER_LETTER * letters);
}

/** Whether one of these seats has acted since the last round began: then its holder has seen how the one before ended. */
export function hasActed(plies: PlyView[], seats: number[]): boolean {
  const start = plies.map(({ begins }) => begins !== undefined).lastIndexOf(true);
  return plies.slice(Math.max(0, start)).some(({ by }) => by !== 'chance' && seats.includes(by));
}

export class Hold {
  /** The round's end, while it is held. */
  picture = $state.raw<Picture>();
  #seen: string | undefined;
  #joined = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes note of a view; a round's end that is new is held, where the person wants it so. */
  see(view: View, plies: PlyView[]): void {
    const { before } = view.picture;
    const end = before && JSON.stringify(before);
    const isNew = end !== undefined && end !== this.#seen;
    if (end !== undefined) this.#seen = end;
    // The end of the game is not waited for.
    if (view.result) this.skip();
    // What was over before the person came is not news.
    if (this.#joined && isNew && settings.pauses && !view.result && !hasActed(plies, view.you)) {
      this.show(before as Picture, holdTime(before as Picture));
    }
    this.#joined = true;
  }

  /** Shows it; without a time until it is skipped. */
  show(picture: Picture, time?: number): void {
    clearTimeout(this.#timer);
    this.picture = picture;
    if (time !== undefined) this.#timer = setTimeout(() => this.skip(), time);
  }

  /** Stays for as long as it is behind a curtain. */
  wait(): void {
    clearTimeout(this.#timer);
  }

  /** Begins its time anew: somebody has only now come to see it. */
  restart(): void {
    if (this.picture) this.show(this.picture, holdTime(this.picture));
  }

  /** Goes on. */
  skip(): void {
    clearTimeout(this.#timer);
    this.picture = undefined;
  }
}
