/**
 * The tree of a finished game as the server keeps it with the record: read and joined with what is here when the game is
 * opened, and written a little after each change where this browser has a key for that.
 */

import { ApiError, keepVariations, keptVariations } from './api';
import { Variations } from './variations';

/** How long nothing more is to change before the tree is written. */
const PAUSE_MS = 1_000;
/** How long to wait before the server is asked again. */
const RETRY_MS = 10_000;

/** What is tried on this page. */
export interface Tried {
  variations: Variations;
  /** Takes over another tree of the same game. */
  adopt(tree: Variations): void;
}

export class RecordTree {
  /** What the server has, as far as it is known; nothing until it was read. */
  #revision: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing = false;
  #closed = false;

  constructor(
    private readonly table: string,
    /** Those of this browser: of seats of the game, and for its variations. Without one nothing is written. */
    private keys: readonly string[],
    private readonly tried: Tried,
    /** The tree that the server and this browser last had in common. */
    public base: Variations,
    /** Takes note of another base, and of whether it is still written. */
    private readonly noted: () => void,
    /** Says what a person ought to know. */
    private readonly tell: (sentence: string) => void,
  ) {}

  /** Whether the tree is written, or stays in this browser and in the link. */
  get writes(): boolean {
    return this.keys.length > 0;
  }

  /** Joins what the server has with what is tried here; all of `link` stays. */
  async open(link: Variations): Promise<void> {
    try {
      await this.#read(link);
      this.changed();
    } catch (error) {
      // Until the server can be asked, the tree stays in this browser.
      if (isPassing(error) && !this.#closed) this.#timer = setTimeout(() => void this.open(link), RETRY_MS);
    }
  }

  /** Writes the tree soon, where it is not as the server has it. */
  changed(): void {
    if (this.#revision === undefined || this.#writing || this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.writes || this.tried.variations.isSame(this.base)) return;
    this.#timer = setTimeout(() => void this.#write(false), PAUSE_MS);
  }

  /** Writes at once what has not been written yet, before the page is left. */
  flush(): void {
    if (this.#timer === undefined || this.#revision === undefined) return;
    clearTimeout(this.#timer);
    void this.#write(true);
  }

  close(): void {
    this.flush();
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #read(link: Variations): Promise<void> {
    const { revision, lines } = await keptVariations(this.table);
    if (this.#closed) return;
    const { own } = this.tried.variations;
    const theirs = Variations.ofKept(own, lines);
    const joined = this.tried.variations.merge(this.base, theirs).with(link);
    this.#revision = revision;
    this.base = theirs;
    this.tried.adopt(joined);
    this.noted();
  }

  async #write(last: boolean): Promise<void> {
    const mine = this.tried.variations;
    this.#timer = undefined;
    this.#writing = true;
    let wait: number | undefined;
    try {
      const body = { keys: [...this.keys], revision: this.#revision ?? 0, lines: mine.toKept() };
      this.#revision = (await keepVariations(this.table, body, last)).revision;
      this.base = mine;
      this.noted();
    } catch (error) {
      wait = await this.#failed(error);
    }
    this.#writing = false;
    if (this.#closed) return;
    if (wait !== undefined) this.#timer = setTimeout(() => void this.#write(false), wait);
    else if (!this.tried.variations.isSame(mine)) this.changed();
  }

  /** How long to wait before it is tried again; nothing where only another change can help. */
  async #failed(error: unknown): Promise<number | undefined> {
    const code = error instanceof ApiError ? error.code : '';
    if (code === 'variations/changed') {
      const joined = await this.#read(Variations.of(this.tried.variations.own)).then(
        () => !this.tried.variations.isSame(this.base),
        () => true,
      );
      return joined ? PAUSE_MS : undefined;
    }
    if (code === 'seat/key' || code === 'variations/key') {
      this.keys = [];
      this.noted();
    }
    if (code === 'variations/too-many' || code === 'message/too-large') {
      this.tell('So many variations cannot be kept with the game. They stay in this browser and in the link.');
    }
    return isPassing(error) ? RETRY_MS : undefined;
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && error.isPassing;
}
