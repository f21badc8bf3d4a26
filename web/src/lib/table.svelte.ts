/** A table as this page knows it: what the server last said, and what the person is about to do. */

import * as choose from './choose';
import { HOPELESS, type LineState, lineUrl, type Surroundings, TableLine } from './connection';
import { Narrowing } from './narrowing';
import type { Look, Narrowed, Ply, Seat, Touch, View } from './protocol';
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
  /** What is known of what this page may choose. */
  narrowing = $state.raw(Narrowing.nothing);
  /** The id of a play whose effect has not been seen yet. */
  sent = $state<string>();
  /** The server's objection to what was typed. */
  objection = $state<string>();
  /** From how many plies on the effect of `sent` is to be seen, once the server has said so. */
  #effectAt: number | undefined;
  #typed: string | undefined;
  /** The touches that the server has been asked about, by the question's id. */
  #asked = new Map<string, string[]>();
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
        narrowed: (narrowed) => this.#learn(narrowed),
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
    return view.you.find((seat) => view.choices[String(seat)]);
  }

  /** What this seat's legal actions are narrowed by; nothing while it has none. */
  get #choice(): Narrowing {
    return this.seat === undefined ? Narrowing.nothing : this.narrowing;
  }

  /** The legal actions as far as they are known one by one. */
  get touches(): Touch[] {
    return this.#choice.touches(this.prefix) ?? [];
  }

  get targets(): Set<string> {
    return this.#choice.targets(this.prefix);
  }

  get reacting(): Set<string> {
    return this.#choice.reacting(this.prefix);
  }

  /** What the half-made choice comes to so far. */
  get caption(): string | undefined {
    return this.#choice.caption(this.prefix);
  }

  /** How many legal actions go on from the half-made choice. */
  get nLeft(): number | undefined {
    return this.#choice.count(this.prefix);
  }

  /** Whether the server is being asked what goes on from the half-made choice. */
  get waits(): boolean {
    return this.#choice.waits(this.prefix);
  }

  /** An action, for those who type. */
  get example(): string | undefined {
    return this.#choice.example;
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
    if (this.seat !== undefined) this.#take(this.narrowing.touch(this.prefix, id));
  }

  back(): void {
    this.prefix = choose.back(this.prefix);
    this.#ask();
  }

  #take(step: choose.Step): void {
    if (step.kind === 'ignored') return;
    this.prefix = step.prefix;
    if (step.kind === 'complete') this.play(step.action);
    else this.#ask();
  }

  /** Asks the server about the half-made choice, where that is needed. */
  #ask(): void {
    const { view, seat, prefix } = this;
    if (!view || seat === undefined || !this.narrowing.lacks(prefix)) return;
    if ([...this.#asked.values()].some((touched) => choose.same(touched, prefix))) return;
    const id = this.#line.send({ type: 'narrow', seat, n_plies: view.n_plies, touched: prefix });
    this.#asked.set(id, prefix);
  }

  #learn({ id, caption, ...choices }: Narrowed): void {
    const touched = this.#asked.get(id);
    if (!touched) return;
    this.#asked.delete(id);
    this.narrowing = this.narrowing.learn(touched, choices, caption ?? undefined);
    if (this.seat === undefined || !choose.same(touched, this.prefix)) return;
    const complete = this.narrowing.complete(touched);
    if (complete) this.#take(complete);
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
    const before = this.view;
    this.plies = mergePlies(this.plies, view.plies_from, view.plies);
    this.view = view;
    this.failure = undefined;
    this.#settle();
    this.#chooseAnew(before);
    this.tables.keep(this.id, {
      game: view.game,
      name: view.name,
      ...(view.result ? { result: view.result.sentence } : {}),
    });
    if (this.#rematchWanted && view.next_table) this.#goOn(view.next_table);
  }

  /** The legal actions are others now, unless the view came for another reason. */
  #chooseAnew(before: View | undefined): void {
    const { view } = this;
    const told = (one: View | undefined) => JSON.stringify([one?.n_plies, one?.choices]);
    if (told(before) === told(view)) return;
    const choices = view?.you.map((seat) => view.choices[String(seat)]).find((one) => one);
    this.#asked.clear();
    this.narrowing = choices ? Narrowing.of(choices) : Narrowing.nothing;
    this.prefix = this.narrowing.stillValid(this.prefix);
    this.#ask();
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
    if (id !== undefined && this.#asked.has(id)) this.#unanswered(id, code, message);
    else if (HOPELESS.has(code) || (id === undefined && !this.view)) this.failure = message;
    else if (id !== undefined && id === this.#typed) this.objection = message;
    else toasts.error(message);
  }

  /** A question about a half-made choice was refused: the choice cannot go on. */
  #unanswered(id: string, code: string, message: string): void {
    const touched = this.#asked.get(id) ?? [];
    this.#asked.delete(id);
    this.prefix = touched.length > 0 && this.prefix.length >= touched.length ? choose.back(touched) : this.prefix;
    // A newer view is on its way then.
    if (code !== 'play/stale') toasts.error(message);
  }
}
