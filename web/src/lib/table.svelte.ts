/** A table as this page knows it: what the server last said, and what the person is about to do. */

import * as choose from './choose';
import { HOPELESS, type LineState, lineUrl, type Surroundings, TableLine } from './connection';
import type { Look, Ply, Seat, Touch, View } from './protocol';
import { settings } from './settings.svelte';
import type { Tables } from './tables';
import { toasts } from './toasts.svelte';
import { seatTones } from './tone';

/** The plies after a view that gives those from `from` on. */
export function mergePlies(known: Ply[], from: number, given: Ply[]): Ply[] {
  return [...known.slice(0, from), ...given];
}

export class Table {
  view = $state.raw<View>();
  plies = $state.raw<Ply[]>([]);
  line = $state<LineState>('connecting');
  /** Why there is nothing to show. */
  failure = $state<string>();
  /** The earlier position that is being looked at. */
  look = $state.raw<Look>();
  /** The touches so far. */
  prefix = $state.raw<string[]>([]);
  /** The id of a play whose effect has not been seen yet. */
  sent = $state<string>();
  /** The server's objection to what was typed. */
  objection = $state<string>();
  /** From how many plies on the effect of `sent` is to be seen, once the server has said so. */
  #effectAt: number | undefined;
  #typed: string | undefined;
  #rematchWanted = false;
  #lookWanted: string | undefined;
  #line: TableLine;

  constructor(
    readonly id: string,
    private readonly tables: Tables,
    private readonly follow: (table: string) => void,
    world?: Surroundings,
  ) {
    this.#line = new TableLine(
      lineUrl(id, location),
      () => ({ keys: this.#keys(), ...(settings.name ? { name: settings.name } : {}) }),
      {
        view: (view) => this.#see(view),
        look: (look) => {
          if (look.id === this.#lookWanted) this.look = look;
        },
        error: (error, id) => this.#objected(error.code, error.message, id),
        acknowledged: (id, nPlies) => {
          if (this.sent !== id) return;
          this.#effectAt = nPlies;
          this.#settle();
        },
        state: (state) => {
          this.line = state;
        },
      },
      world,
    );
  }

  open(): void {
    this.#line.open();
  }

  close(): void {
    this.#line.close();
  }

  /** Comes to the table anew, as with another key. */
  reopen(): void {
    this.#line.reopen();
  }

  hurry(): void {
    this.#line.hurry();
  }

  /** The seat for which this page chooses now. */
  get seat(): Seat | undefined {
    const view = this.view;
    if (!view || this.look || this.sent) return undefined;
    return view.you.find((seat) => (view.touches[String(seat)] ?? []).length > 0);
  }

  get touches(): Touch[] {
    return this.seat === undefined ? [] : (this.view?.touches[String(this.seat)] ?? []);
  }

  get targets(): Set<string> {
    return choose.targets(this.touches, this.prefix);
  }

  get reacting(): Set<string> {
    return choose.reacting(this.touches, this.prefix);
  }

  get seatNames(): string[] {
    return this.view?.seats.map((seat) => seat.name) ?? [];
  }

  get tones() {
    return seatTones(this.seatNames);
  }

  /** The picture to draw: an earlier one while the person looks back. */
  get picture() {
    return this.look?.picture ?? this.view?.picture;
  }

  get last(): string[] {
    return (this.look ?? this.view)?.last ?? [];
  }

  touch(id: string): void {
    const seat = this.seat;
    if (seat === undefined) return;
    const step = choose.touch(this.touches, this.prefix, id);
    if (step.kind === 'ignored') return;
    this.prefix = step.prefix;
    if (step.kind === 'complete') this.play(step.action);
  }

  back(): void {
    this.prefix = choose.back(this.prefix);
  }

  play(action: string): void {
    const { view, seat } = this;
    if (!view || seat === undefined) return;
    this.prefix = [];
    this.objection = undefined;
    this.#effectAt = undefined;
    this.sent = this.#line.send({ type: 'play', seat, action, n_plies: view.n_plies });
  }

  /** Plays what was typed; an objection to it is shown where it was typed. */
  playTyped(text: string): void {
    this.play(text.trim());
    this.#typed = this.sent;
  }

  resign(): void {
    const seat = this.view?.you[0];
    if (seat !== undefined) this.#line.send({ type: 'resign', seat });
  }

  rematch(): void {
    this.#rematchWanted = true;
    if (this.view?.next_table) this.#goOn(this.view.next_table);
    else this.#line.send({ type: 'rematch' });
  }

  /** Shows the position after `n` plies; all of them is the present. */
  lookAt(n: number): void {
    const all = this.view?.n_plies ?? 0;
    const at = Math.max(0, Math.min(all, n));
    this.prefix = [];
    if (at === all) {
      this.#lookWanted = undefined;
      this.look = undefined;
    } else {
      this.#lookWanted = this.#line.send({ type: 'look', n_plies: at });
    }
  }

  /** How many plies the shown position is old. */
  get shown(): number {
    return this.look?.n_plies ?? this.view?.n_plies ?? 0;
  }

  #keys(): string[] {
    return this.tables.get(this.id)?.mine.map(({ key }) => key) ?? [];
  }

  #see(view: View): void {
    this.plies = mergePlies(this.plies, view.plies_from, view.plies);
    this.view = view;
    this.failure = undefined;
    this.#settle();
    this.prefix = choose.stillValid(this.touches, this.prefix);
    this.tables.keep(this.id, {
      game: view.game,
      name: view.name,
      ...(view.result ? { result: view.result.sentence } : {}),
    });
    if (this.#rematchWanted && view.next_table) this.#goOn(view.next_table);
  }

  #settle(): void {
    if (this.#effectAt === undefined || (this.view?.n_plies ?? 0) < this.#effectAt) return;
    this.sent = undefined;
    this.#effectAt = undefined;
  }

  #goOn(table: string): void {
    // Keys stay with their holders from one table to its rematch, where everybody moves on by one seat.
    const { mine, friends } = this.tables.get(this.id) ?? { mine: [], friends: [] };
    const nSeats = this.view?.seats.length ?? 1;
    this.tables.keep(table, {
      mine: mine.map(({ key }) => ({ key })),
      friends: friends.map(({ seat, key }) => ({ seat: (seat + nSeats - 1) % nSeats, key })),
    });
    this.follow(table);
  }

  #objected(code: string, message: string, id: string | undefined): void {
    if (id !== undefined && id === this.sent) this.sent = undefined;
    if (HOPELESS.has(code) || (id === undefined && !this.view)) this.failure = message;
    else if (id !== undefined && id === this.#typed) this.objection = message;
    else toasts.error(message);
  }
}
