/** The state of a table in this page: the last view, and what the person is choosing. */

import { root } from './base';
import { DOUBLE_CLICK } from './board';
import {
  type ConnectionState,
  type Environment,
  FATAL,
  type Hint,
  type Look,
  type Narrowed,
  socketUrl,
  TableConnection,
  type Why,
} from './connection';
import { Hold } from './hold.svelte';
import { Narrowing, type Outcome, same } from './narrowing';
import { settings } from './settings.svelte';
import type { Tables } from './tables';
import { toasts } from './toasts.svelte';
import type { NextTable, Picture, PlyView, Refusal, View } from './wire';
import { touchWords } from './words';

/** Replaces the plies from `from` on. */
export function mergePlies(known: PlyView[], from: number, given: PlyView[]): PlyView[] {
  return [...known.slice(0, from), ...given];
}

/** The ids of all that can be touched in a picture. */
function everything(picture: Picture | undefined): Set<string> {
  const areas = picture?.areas ?? [];
  const cells = areas.flatMap(({ cells }) => cells.map(({ id, touch }) => touch ?? id));
  const lines = areas.flatMap(({ lines = [] }) => lines.flatMap(({ id }) => id ?? []));
  return new Set([...cells, ...lines]);
}

/** The most touches of a premove that are kept. */
const MOST_AHEAD = 12;

export class Table {
  view = $state.raw<View>();
  /** When the view came, by the page's own clock. */
  viewedAt = $state(0);
  plies = $state.raw<PlyView[]>([]);
  connection = $state<ConnectionState>('connecting');
  /** Why there is nothing to show. */
  failure = $state<string>();
  /** Why the server has no room, while the connection is busy. */
  busy = $state('');
  /** The earlier position that is being looked at. */
  look = $state.raw<Look>();
  /** The end of the last round, while it is held. */
  readonly hold = new Hold();
  /** The touches so far. */
  prefix = $state.raw<string[]>([]);
  /** A premove: what was touched before it was one's turn, to be played then if it is possible. */
  ahead = $state.raw<string[]>([]);
  #sentAt = Number.NEGATIVE_INFINITY;
  /** The graph of touches, as far as it is known. */
  narrowing = $state.raw(Narrowing.nothing);
  /** The id of a play whose effect has not been seen yet. */
  sent = $state<string>();
  /** The seat whose person has the device, where several share it and each has secrets. */
  inHand = $state<number>();
  /** Whether several people share the device. Also once only one of them plays on, or its secrets would lie open. */
  #isShared = $state(false);
  /** Whether this page has asked for a rematch and waits for its table. */
  wantsRematch = $state(false);
  /** The question for that. */
  #rematchId: string | undefined;
  /** An action that loses at once, and waits until the person is sure of it. */
  doubted = $state<string>();
  /** What an engine would play here. */
  hint = $state.raw<Hint>();
  /** The id of the question for a hint, until it is replied to. */
  hinting = $state<string>();
  /** Which rule forbids what was touched last. */
  whyNot = $state<string>();
  /** The question for that. */
  #whyId: string | undefined;
  /** Why the server refused what was typed. */
  typingError = $state<string>();
  /** Whether `sent` is done, and its effect comes with the next view. */
  #isDone = false;
  #typed: string | undefined;
  /** The touches that the server has been asked about, by the id of the message. */
  #asked = new Map<string, string[]>();
  /** The touches before something was picked up. */
  #beforeCarrying: string[] = [];
  #lookId: string | undefined;
  #connection: TableConnection;

  constructor(
    readonly id: string,
    private readonly tables: Tables,
    private readonly follow: (table: string) => void,
    environment?: Environment,
  ) {
    this.#connection = new TableConnection(
      socketUrl(id, root()),
      () => ({ keys: this.#keys(), ...(settings.name ? { name: settings.name } : {}) }),
      {
        view: (view) => this.#see(view),
        look: (look) => {
          // It may have come before the view that says that it is another person's turn to see.
          if (look.id === this.#lookId && look.private_to === this.view?.private_to) this.look = look;
        },
        narrowed: (narrowed) => this.#learn(narrowed),
        why: (why) => this.#explain(why),
        hint: (hint) => this.#takeHint(hint),
        error: (error, id) => (error.code === 'seat/key' ? this.#forgetKey(error.param) : this.#fail(error, id)),
        acknowledged: (id, nPlies, sentAgain) => {
          if (this.sent !== id) return;
          // What was done before the connection was lost may have been taken back since then: no view of it will come.
          if (sentAgain || (this.view?.n_plies ?? 0) >= nPlies) this.sent = undefined;
          else this.#isDone = true;
        },
        state: (state) => {
          this.connection = state;
        },
      },
      environment,
    );
  }

  open(): void {
    this.#connection.open();
  }

  close(): void {
    this.hold.skip();
    this.#connection.close();
  }

  /** Joins the table again, as with another key. */
  reopen(): void {
    this.#connection.reopen();
  }

  reconnectNow(): void {
    this.#connection.reconnectNow();
  }

  /**
   * Whether the view is another person's than the one who has the device: it is to be seen only once the device has
   * been handed over.
   */
  get curtained(): boolean {
    const { view, inHand } = this;
    return !!view && this.#isShared && view.private_to !== null && view.private_to !== inHand;
  }

  /** The device has been handed over. */
  lift(): void {
    this.inHand = this.view?.private_to ?? undefined;
    this.hold.restart();
  }

  /**
   * Why the server can be asked nothing now. Plies are chosen all the same, and sent when it can be reached again.
   */
  get unreachable(): string | undefined {
    if (this.connection === 'open') return undefined;
    if (this.connection === 'busy') return 'The server has no room yet.';
    return this.connection === 'lost' ? 'The connection is lost.' : 'There is no connection.';
  }

  /** Whether somebody has asked for a rematch, and this page not yet. */
  get offered(): boolean {
    return !!this.view?.next_table && !this.wantsRematch;
  }

  /** Whether this browser has been at the rematch's table before. */
  get knowsRematch(): boolean {
    const next = this.view?.next_table?.table;
    return next !== undefined && this.tables.get(next) !== undefined;
  }

  /** The seat that this page acts for now. */
  get seat(): number | undefined {
    const view = this.view;
    if (!view || this.look || this.hold.picture || this.sent || this.curtained) return undefined;
    return view.you.find((seat) => view.choices[seat]);
  }

  /** The graph of touches while a seat of this page may act. */
  get #choice(): Narrowing {
    return this.seat === undefined ? Narrowing.nothing : this.narrowing;
  }

  /** The legal actions as far as they are known. */
  get actions(): string[] {
    return this.#choice.actions;
  }

  get targets(): Set<string> {
    return this.#choice.targets(this.prefix);
  }

  get reacting(): Set<string> {
    // Nobody knows yet what will be possible.
    if (this.premoves) return everything(this.picture);
    return this.#choice.reacting(this.prefix);
  }

  /** What can be carried to another place. */
  movable = $derived.by(() => this.#choice.movable(this.prefix));

  /** A sentence on the touches so far. */
  get caption(): string | undefined {
    return this.#choice.caption(this.prefix);
  }

  /** How many legal actions go on from the touches so far. */
  get nLeft(): number | undefined {
    return this.#choice.count(this.prefix);
  }

  /** Whether the server is being asked what goes on from the touches so far. */
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
    return this.view?.seats.map((seat) => seat.tone) ?? [];
  }

  /** The picture to draw: an earlier one while the person looks back or the end of a round is held. */
  get picture() {
    return this.look?.picture ?? this.hold.picture ?? this.view?.picture;
  }

  /** The shown position as text. */
  get position(): string {
    return (this.look ?? this.view)?.position ?? '';
  }

  get last(): string[] {
    if (this.hold.picture && !this.look) return [];
    return (this.look ?? this.view)?.last ?? [];
  }

  /** Whether this page may choose before it is its turn. Of seats that share a device one would choose for another. */
  get premoves(): boolean {
    const { view } = this;
    const isBusy = this.look || this.hold.picture || this.sent || this.curtained;
    return settings.premoves && !!view && !view.result && view.you.length === 1 && !isBusy && this.seat === undefined;
  }

  /** What is drawn as chosen. */
  get chosen(): string[] {
    return this.prefix.length > 0 ? this.prefix : this.ahead;
  }

  touch(id: string): void {
    if (this.premoves && performance.now() - this.#sentAt > DOUBLE_CLICK) {
      this.ahead = [...this.ahead, id].slice(-MOST_AHEAD);
    }
    if (this.seat === undefined) return;
    const outcome = this.narrowing.touch(this.prefix, id);
    if (outcome.kind === 'ignored') this.#askWhy(id);
    else this.#take(outcome);
  }

  /** Takes something up, to carry it elsewhere. Returns whether it can be. */
  pickUp(id: string): boolean {
    if (!this.movable.has(id)) return false;
    const before = this.prefix;
    if (before.at(-1) !== id) this.#take(this.narrowing.touch(before, id));
    this.#beforeCarrying = before;
    return true;
  }

  /** Puts down what is carried, where that is possible; elsewhere everything is as it was. */
  putDown(id: string | undefined): void {
    if (id !== undefined && this.targets.has(id)) this.touch(id);
    else {
      const from = this.prefix.at(-1);
      if (id !== undefined && id !== from) this.#askWhy(id);
      this.prefix = this.narrowing.stillValid(this.#beforeCarrying);
    }
  }

  back(): void {
    this.prefix = this.prefix.slice(0, -1);
    this.#ask();
  }

  /** Nothing is to be played before it was looked at. */
  cancelPremove(): void {
    this.ahead = [];
  }

  /** Plays what was chosen before it was one's turn. */
  #playAhead(): void {
    const touches = this.ahead;
    if (touches.length === 0 || this.seat === undefined) return;
    this.ahead = [];
    const outcome = this.narrowing.follow(touches);
    if (outcome.kind === 'ignored') {
      toasts.news(`Your premove (${touchWords(this.picture, touches).join(' › ')}) is not possible now.`);
    } else {
      this.#take(outcome);
    }
  }

  /** Asks which rule forbids to touch this now. */
  #askWhy(id: string): void {
    const { view, seat, prefix } = this;
    this.#forgetWhy();
    if (!view || seat === undefined || this.waits) return;
    this.#whyId = this.#connection.send({ type: 'why', seat, n_plies: view.n_plies, touched: [...prefix, id] });
  }

  #explain({ id, why }: Why): void {
    if (id === this.#whyId) this.whyNot = why ?? undefined;
  }

  #forgetWhy(): void {
    this.#whyId = undefined;
    this.whyNot = undefined;
  }

  #take(outcome: Outcome): void {
    if (outcome.kind === 'ignored') return;
    this.#forgetWhy();
    this.doubted = undefined;
    this.prefix = outcome.prefix;
    if (outcome.kind === 'complete') this.play(outcome.action);
    else this.#ask();
  }

  /** Asks the server what goes on from the touches so far, where that is not known. */
  #ask(): void {
    const { view, seat, prefix } = this;
    if (!view || seat === undefined || !this.narrowing.waits(prefix)) return;
    if ([...this.#asked.values()].some((touched) => same(touched, prefix))) return;
    const id = this.#connection.send({ type: 'narrow', seat, n_plies: view.n_plies, touched: prefix });
    this.#asked.set(id, prefix);
  }

  #learn({ id, choices }: Narrowed): void {
    const touched = this.#asked.get(id);
    if (!touched) return;
    this.#asked.delete(id);
    this.narrowing = this.narrowing.learn(touched, choices);
  }

  play(action: string, sure = false): void {
    const { view, seat } = this;
    if (!view || seat === undefined) return;
    this.prefix = [];
    this.doubted = !sure && settings.warnings && this.narrowing.loses(action) ? action : undefined;
    if (this.doubted) return;
    this.typingError = undefined;
    this.#isDone = false;
    this.#sentAt = performance.now();
    this.sent = this.#connection.send({ type: 'play', seat, action, n_plies: view.n_plies });
  }

  /** Plays what was typed; an error is shown where it was typed. */
  playTyped(text: string): void {
    this.play(text.trim());
    this.#typed = this.sent;
  }

  /** Asks an engine what it would play. */
  askHint(): void {
    const { view, seat } = this;
    if (!view || seat === undefined || this.hinting || this.unreachable) return;
    this.hinting = this.#connection.send({ type: 'hint', seat, n_plies: view.n_plies });
  }

  #takeHint(hint: Hint): void {
    if (hint.id !== this.hinting) return;
    this.hinting = undefined;
    if (hint.n_plies === this.view?.n_plies) this.hint = hint;
  }

  /** A hint for another position is of no use. */
  #forgetHint(): void {
    if (this.hinting !== undefined) this.#connection.forget(this.hinting);
    this.hinting = undefined;
  }

  /** What an engine would touch now; after looking back, nothing. */
  get hinted(): string[] {
    return this.look || this.curtained || this.hold.picture ? [] : (this.hint?.path ?? []);
  }

  /** The seat of this page that acted last and may take that back, and how many plies are left then. */
  get takesBack(): { seat: number; nPlies: number } | undefined {
    if (!this.view || this.look || this.curtained) return undefined;
    const entries = Object.entries(this.view.take_back).map(([seat, nPlies]) => ({ seat: Number(seat), nPlies }));
    return entries.sort((one, other) => other.nPlies - one.nPlies)[0];
  }

  takeBack(): void {
    const { view, takesBack } = this;
    if (!view || !takesBack) return;
    this.prefix = [];
    this.#connection.send({ type: 'take-back', seat: takesBack.seat, n_plies: view.n_plies });
  }

  /**
   * The seat of the person who has the device: the one whose secrets are shown, else the one that is to act, else the
   * one that acted last.
   */
  get deviceSeat(): number | undefined {
    const { view, plies } = this;
    if (!view || this.curtained) return undefined;
    if (view.private_to !== null) return view.private_to;
    const acting = view.you.find((seat) => view.choices[seat]);
    const whoActed = plies.flatMap(({ by }) => (by !== 'chance' && view.you.includes(by) ? [by] : []));
    return acting ?? whoActed.at(-1) ?? view.you[0];
  }

  resign(seat: number): void {
    this.#connection.send({ type: 'resign', seat });
  }

  /** How fast engines play where nobody else does. */
  setPace(paused: boolean, millis: number): void {
    this.#connection.send({ type: 'pace', paused, millis });
  }

  /** The next ply of a paused match of engines. */
  step(): void {
    this.#connection.send({ type: 'step' });
  }

  /** The seat of this page that may offer a draw, or accept one: where it has several, first the one at the device. */
  get drawSeat(): number | undefined {
    const { view, deviceSeat } = this;
    if (!view?.draws || view.result || this.look || deviceSeat === undefined) return undefined;
    return [deviceSeat, ...view.you].find((seat) => !view.draw_offers.includes(seat));
  }

  /** Whether all that this page can say about a draw is said: its offer waits. */
  get drawWaits(): boolean {
    const { view } = this;
    if (!view?.draws || view.result || this.look || this.drawSeat !== undefined) return false;
    return view.you.some((seat) => view.draw_offers.includes(seat));
  }

  /** Offers a draw, or accepts the one that is offered. */
  offerDraw(): void {
    const { view, drawSeat: seat } = this;
    if (view && seat !== undefined) this.#connection.send({ type: 'draw', seat, n_plies: view.n_plies });
  }

  rematch(): void {
    this.wantsRematch = true;
    if (this.view?.next_table) this.#goOn(this.view.next_table);
    else this.#rematchId = this.#connection.send({ type: 'rematch' });
  }

  /** Shows the position after `n` plies; all of them is the present. */
  lookAt(n: number): void {
    const all = this.view?.n_plies ?? 0;
    const at = Math.max(0, Math.min(all, n));
    this.prefix = [];
    if (at === all) {
      this.#lookAhead();
    } else {
      this.#lookId = this.#connection.send({ type: 'look', n_plies: at });
    }
  }

  #lookAhead(): void {
    this.#lookId = undefined;
    this.look = undefined;
  }

  /** After how many plies the shown position is. */
  get shown(): number {
    return this.look?.n_plies ?? this.view?.n_plies ?? 0;
  }

  #keys(): string[] {
    return this.tables.get(this.id)?.mine.map(({ key }) => key) ?? [];
  }

  #see(view: View): void {
    const before = this.view;
    this.plies = mergePlies(this.plies, view.plies_from, view.plies);
    // What one person looked back at is not the next one's to see.
    if (before && before.private_to !== view.private_to) {
      this.#lookAhead();
      this.hold.skip();
    }
    if (before?.n_plies !== view.n_plies || view.plies_from < view.n_plies) {
      this.hint = undefined;
      this.#forgetHint();
    }
    // Plies were taken back, beyond those that are looked at.
    if (this.look && this.look.n_plies >= view.n_plies) this.#lookAhead();
    this.#isShared ||= view.you.length > 1 || this.#keys().length > 1;
    this.view = view;
    this.viewedAt = performance.now();
    this.hold.see(view, this.plies);
    if (this.curtained) this.hold.wait();
    this.failure = undefined;
    if (this.#isDone) this.sent = undefined;
    this.#chooseAnew(before);
    this.tables.keep(this.id, {
      game: view.game,
      name: view.name,
      ...(view.result ? { result: view.result.sentence } : {}),
    });
    if (this.wantsRematch && view.next_table) this.#goOn(view.next_table);
  }

  /** Updates the choice where the legal actions have changed. */
  #chooseAnew(before: View | undefined): void {
    const { view } = this;
    const told = (one: View | undefined) => JSON.stringify([one?.n_plies, one?.choices]);
    if (told(before) === told(view)) return;
    const choices = view?.you.map((seat) => view.choices[seat]).find((one) => one);
    this.#asked.clear();
    this.#forgetWhy();
    this.doubted = undefined;
    this.narrowing = choices ? Narrowing.of(choices) : Narrowing.nothing;
    this.prefix = this.narrowing.stillValid(this.prefix);
    if (view?.result) this.ahead = [];
    this.#playAhead();
    this.#ask();
  }

  #goOn({ table, seats }: NextTable): void {
    // Keys stay with their holders from one table to its rematch.
    const { mine, friends } = this.tables.get(this.id) ?? { mine: [], friends: [] };
    this.tables.keep(table, {
      mine: mine.map(({ key }) => ({ key })),
      friends: friends.map(({ seat, key }) => ({ seat: seats[seat] ?? seat, key })),
    });
    this.follow(table);
  }

  /** Somebody with a wrong key goes on without it, and watches if there is no other. */
  #forgetKey(param: string | undefined): void {
    const mine = this.#keys().length;
    const named = Number(/^keys\[(\d+)\]$/.exec(param ?? '')?.[1] ?? mine - 1);
    const left = this.tables.dropKey(this.id, named).mine;
    toasts.error(
      left.length > 0
        ? 'A key for this table holds no seat here and has been forgotten. Your other seats are yours as before.'
        : 'The key holds no seat at this table and has been forgotten. You are watching.',
    );
    if (left.length < mine) this.#connection.reopen();
    else this.failure = 'This key holds no seat at this table.';
  }

  #fail({ code, message }: Refusal, id: string | undefined): void {
    if (id !== undefined && id === this.sent) this.sent = undefined;
    if (id !== undefined && id === this.#rematchId) this.wantsRematch = false;
    const isHint = id !== undefined && id === this.hinting;
    if (isHint) this.hinting = undefined;
    // A newer question has taken its place.
    if (code === 'hint/replaced') return;
    // Then a newer view is on its way.
    if (isHint && code === 'play/stale') return;
    if (id !== undefined && id === this.#whyId) this.#forgetWhy();
    else if (id !== undefined && this.#asked.has(id)) this.#stopChoosing(id, code, message);
    else if (code === 'server/busy' && id === undefined) this.busy = message;
    else if (FATAL.has(code) || (id === undefined && !this.view)) this.failure = message;
    else if (id !== undefined && id === this.#typed) this.typingError = message;
    else toasts.error(message);
  }

  /** The server cannot say what goes on from some touches: the choice cannot go on. */
  #stopChoosing(id: string, code: string, message: string): void {
    const touched = this.#asked.get(id) ?? [];
    this.#asked.delete(id);
    this.prefix = touched.length > 0 && this.prefix.length >= touched.length ? touched.slice(0, -1) : this.prefix;
    // Then a newer view is on its way.
    if (code !== 'play/stale') toasts.error(message);
  }
}
