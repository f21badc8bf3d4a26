/**
 * A position that is set up by touching, as a board. The server says what lies where, what it looks like, its text, and why
 * it is no position yet; the page shows a touch at once and asks for the rest, one request at a time.
 */

import { ApiError, place } from './api';
import type { Board } from './board';
import { Hold } from './hold.svelte';
import { ERASER, touched } from './placing';
import type { PlacingView, View } from './wire';

export class Placing implements Board {
  state = $state.raw<PlacingView>();
  /** The piece that is put next, by its index, or the eraser. */
  tool = $state(0);
  /** Why there is nothing to set up. */
  failure = $state.raw<ApiError>();
  #arrangement: number[][] = [];
  #toAct = 0;
  #asking = false;
  #changed = false;
  /** Whether nobody looks at it any more: what comes then is not shown. */
  #closed = false;

  // A board has these too, and nothing to say by them.
  readonly look = undefined;
  readonly hinted: string[] = [];
  readonly hold = new Hold();
  readonly sent = undefined;
  readonly chosen: string[] = [];
  readonly last: string[] = [];
  readonly movable = new Set<string>();

  constructor(
    private readonly game: string,
    private readonly onshown: (state: PlacingView) => void,
  ) {}

  /** Puts the pieces of a position; without one those of the game's start. */
  async open(position?: string): Promise<void> {
    try {
      this.#show(await place({ game: this.game, ...(position ? { position } : {}) }));
    } catch (error) {
      if (this.#closed) return;
      this.failure = error instanceof ApiError ? error : new ApiError('page/failed', String(error));
    }
  }

  close(): void {
    this.#closed = true;
  }

  clear(): void {
    this.#change(this.#arrangement.map(() => []));
  }

  /** Puts what lay there before, position or not. */
  async put({ arrangement, to_act }: Pick<PlacingView, 'arrangement' | 'to_act'>): Promise<void> {
    this.#toAct = to_act;
    this.#arrangement = arrangement;
    this.#changed = true;
    await this.#ask();
  }

  setToAct(seat: number): void {
    this.#toAct = seat;
    this.#change(this.#arrangement);
  }

  touch(id: string): void {
    const at = this.state?.places.findIndex(({ ids }) => ids.includes(id)) ?? -1;
    const found = this.state?.places[at];
    if (!found) return;
    const on = touched(found, this.#arrangement[at] ?? [], found.ids.indexOf(id), this.tool);
    this.#change(this.#arrangement.map((lies, i) => (i === at ? on : lies)));
  }

  pickUp(): boolean {
    return false;
  }

  putDown(): void {}

  view = $derived.by((): View | undefined => {
    const { state } = this;
    if (!state) return undefined;
    return {
      table: '',
      game: state.game,
      name: state.name,
      seats: state.seat_names.map((name, seat) => ({
        name,
        tone: state.seat_tones[seat] ?? 'plain',
        occupant: null,
        kind: 'human',
        connected: true,
      })),
      you: state.seat_names.map((_, seat) => seat),
      private_to: null,
      n_plies: 0,
      plies_from: 0,
      plies: [],
      to_act: [state.to_act],
      thinking: [],
      picture: state.picture,
      position: state.position,
      start: null,
      last: [],
      choices: {},
      help: false,
      take_back: {},
      clock: null,
      pace: null,
      draws: false,
      chance: false,
      score_sheet: false,
      draw_offers: [],
      result: null,
      seed_hash: '',
      seed: null,
      next_table: null,
    };
  });

  get picture() {
    return this.state?.picture;
  }

  get seatNames(): string[] {
    return this.state?.seat_names ?? [];
  }

  get tones() {
    return this.state?.seat_tones ?? [];
  }

  targets = $derived(new Set(this.state?.places.flatMap(({ ids }) => ids)));

  get reacting(): Set<string> {
    return this.targets;
  }

  #change(arrangement: number[][]): void {
    this.#arrangement = arrangement;
    this.#changed = true;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    while (this.#changed && !this.#closed) {
      this.#changed = false;
      try {
        const state = await place({ game: this.game, arrangement: this.#arrangement, to_act: this.#toAct });
        // What was touched meanwhile is asked about next.
        if (!this.#changed) this.#show(state);
      } catch (error) {
        if (this.#closed) return;
        this.failure = error instanceof ApiError ? error : new ApiError('page/failed', String(error));
      }
    }
    this.#asking = false;
  }

  #show(state: PlacingView): void {
    if (this.#closed) return;
    this.state = state;
    this.failure = undefined;
    this.#arrangement = state.arrangement;
    this.#toAct = state.to_act;
    if (this.tool !== ERASER && this.tool >= state.pieces.length) this.tool = 0;
    this.onshown(state);
  }
}
