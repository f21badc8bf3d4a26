/**
 * A position that is not at a table, as a board to touch: one under analysis, or one of a lesson. What is done with an
 * action that was chosen, and who is asked where the graph of touches is cut off, is said by the class that extends it.
 */

import { type Board, DOUBLE_CLICK } from './board';
import { Hold } from './hold.svelte';
import { Narrowing, type Outcome } from './narrowing';
import type { AnalysedPosition, View } from './wire';

export abstract class PositionBoard implements Board {
  /** What is shown; the last position while the next one is on its way. */
  position = $state.raw<AnalysedPosition>();
  prefix = $state.raw<string[]>([]);
  narrowing = $state.raw(Narrowing.nothing);
  /** Of several seats that may act together, the one that is chosen for. */
  acting = $state(0);
  #beforeCarrying: string[] = [];
  /** Whether something was played whose position has not come yet. */
  #playing = false;
  /** The touches since then, which are meant for the position that is on its way. */
  #ahead: string[] = [];
  #lastTouch = { id: '', at: Number.NEGATIVE_INFINITY };

  // A board has these too, and nothing to say by them.
  readonly look = undefined;
  readonly hold = new Hold();
  readonly sent = undefined;

  /** Plays what was chosen, as a history writes it. */
  abstract play(token: string): void;

  /** Asks what goes on from some touches. */
  protected abstract narrow(touched: string[]): Promise<void>;

  /** Whether another position is asked for than the one that is shown: what is chosen here would not be meant for it. */
  get behind(): boolean {
    return false;
  }

  /** What somebody is called who held a seat. */
  protected called(occupant: string): string {
    return occupant;
  }

  /** What an engine would touch; where nobody says so, nothing. */
  get hinted(): string[] {
    return [];
  }

  /** Places that belong together by what somebody says of the position. */
  get joined(): string[][] {
    return [];
  }

  /** Shows a position, with nothing chosen yet. */
  protected show(position: AnalysedPosition): void {
    this.position = position;
    const seats = Array.isArray(position.to_act) ? position.to_act : [];
    this.chooseFor(seats[0] ?? 0);
    this.#playing = false;
    while (this.#ahead.length > 0 && !this.#playing) this.#touchNow(this.#ahead.shift() as string);
  }

  /** What was played did not change the position: nothing that was touched since then is meant for it. */
  protected stay(): void {
    this.#playing = false;
    this.#ahead = [];
  }

  /** Of several seats that may act together, chooses for this one. */
  chooseFor(seat: number): void {
    this.acting = seat;
    const choices = this.position?.choices[seat];
    this.prefix = [];
    this.narrowing = choices ? Narrowing.of(choices) : Narrowing.nothing;
  }

  /** As a table would show it to somebody who plays all seats, or to the seat whose knowledge is all that is known. */
  view = $derived.by((): View | undefined => {
    const { position } = this;
    if (!position) return undefined;
    const { game, name, seats, n_plies, to_act, picture, last, choices, result, viewer, start } = position;
    return {
      table: '',
      game,
      name,
      seats: seats.map((seat) => ({
        ...seat,
        occupant: seat.occupant && seat.occupant !== seat.name ? this.called(seat.occupant) : seat.occupant,
        kind: 'human',
        connected: true,
      })),
      you: viewer === null ? seats.map((_, seat) => seat) : [viewer],
      private_to: null,
      n_plies,
      plies_from: 0,
      plies: [],
      to_act,
      thinking: [],
      picture,
      position: position.position,
      start,
      last,
      choices,
      help: false,
      take_back: {},
      clock: null,
      pace: null,
      draws: false,
      chance: false,
      score_sheet: false,
      draw_offers: [],
      result,
      seed_hash: '',
      seed: null,
      next_table: null,
    };
  });

  get picture() {
    return this.position?.picture;
  }

  get last(): string[] {
    return this.position?.last ?? [];
  }

  get seatNames(): string[] {
    return this.position?.seats.map(({ name }) => name) ?? [];
  }

  get tones() {
    return this.position?.seats.map(({ tone }) => tone) ?? [];
  }

  get targets(): Set<string> {
    return this.narrowing.targets(this.prefix);
  }

  get chosen(): string[] {
    return this.prefix;
  }

  get reacting(): Set<string> {
    return this.narrowing.reacting(this.prefix);
  }

  movable = $derived.by(() => this.narrowing.movable(this.prefix));

  get waits(): boolean {
    return this.narrowing.waits(this.prefix);
  }

  get caption(): string | undefined {
    return this.narrowing.caption(this.prefix);
  }

  touch(id: string): void {
    const last = this.#lastTouch;
    this.#lastTouch = { id, at: performance.now() };
    const isDouble = id === last.id && this.#lastTouch.at - last.at <= DOUBLE_CLICK;
    if (this.#playing) {
      if (!isDouble) this.#ahead.push(id);
    } else if (!this.behind) {
      this.#touchNow(id);
    }
  }

  pickUp(id: string): boolean {
    if (this.#playing || this.behind || !this.movable.has(id)) return false;
    const before = this.prefix;
    if (before.at(-1) !== id) this.#take(this.narrowing.touch(before, id));
    this.#beforeCarrying = before;
    return true;
  }

  putDown(id: string | undefined): void {
    if (id !== undefined && !this.behind && this.targets.has(id)) this.touch(id);
    else this.prefix = this.narrowing.stillValid(this.#beforeCarrying);
  }

  back(): void {
    this.prefix = this.prefix.slice(0, -1);
  }

  #touchNow(id: string): void {
    this.#take(this.narrowing.touch(this.prefix, id));
  }

  #take(outcome: Outcome): void {
    if (outcome.kind === 'ignored') return;
    this.prefix = outcome.prefix;
    if (outcome.kind === 'complete') this.#choose(outcome.action);
    else if (this.waits) void this.narrow(this.prefix);
  }

  #choose(action: string): void {
    const seats = this.position?.to_act;
    this.#playing = true;
    this.prefix = [];
    this.play(Array.isArray(seats) && seats.length > 1 ? `${this.acting}:${action}` : action);
  }
}
