/**
 * What a person's touches lead to, looked up in the graph of touches that the server sends. Where the graph is cut off
 * because it would be too large, the server is asked for more.
 */

import type { Choices, NextTouch, Step } from './wire';

/** What a touch leads to. */
export type Outcome =
  | { kind: 'ignored' }
  | { kind: 'chosen'; prefix: string[] }
  | { kind: 'complete'; action: string; prefix: string[] };

/** Whether these are the same touches in the same order. */
export function same(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((id, i) => other[i] === id);
}

function keyOf(touched: string[]): string {
  return JSON.stringify(touched);
}

export class Narrowing {
  private constructor(private readonly known: ReadonlyMap<string, Choices>) {}

  static readonly nothing = new Narrowing(new Map());

  /** As much as comes with a view. */
  static of(choices: Choices): Narrowing {
    return Narrowing.nothing.learn([], choices);
  }

  /** With what the server has sent about `touched`. */
  learn(touched: string[], choices: Choices): Narrowing {
    return new Narrowing(new Map(this.known).set(keyOf(touched), choices));
  }

  /** Whether the graph is cut off after `touched`, so that the server must be asked what goes on from there. */
  waits(touched: string[]): boolean {
    return this.#at(touched) === 'cut off';
  }

  /** A sentence on the touches so far. */
  caption(touched: string[]): string | undefined {
    return this.#step(touched)?.caption;
  }

  /** How many legal actions begin with `touched`. */
  count(touched: string[]): number | undefined {
    return this.#step(touched)?.n_actions;
  }

  /** An action, for those who type. */
  get example(): string | undefined {
    return this.known.get(keyOf([]))?.example;
  }

  /** The legal actions as far as they are known, in order. */
  get actions(): string[] {
    const steps = [...this.known.values()].flatMap((choices) => choices.steps);
    const actions = steps.flatMap(({ next }) => next.flatMap(({ action }) => action ?? []));
    return [...new Set(actions)].sort();
  }

  /** Whether an action, as far as it is known, loses at once. */
  loses(action: string): boolean {
    const steps = [...this.known.values()].flatMap((choices) => choices.steps);
    return steps.some(({ next }) => next.some((one) => one.action === action && one.loses));
  }

  /** The ids that may be touched next. */
  targets(touched: string[]): Set<string> {
    return new Set(this.#step(touched)?.next.map(({ id }) => id));
  }

  /** All ids that do something when touched: what goes on, what takes a touch back, and what starts over. */
  reacting(touched: string[]): Set<string> {
    const removable = this.#removable(touched);
    if (this.waits(touched)) return new Set(removable);
    return new Set([...this.targets(touched), ...removable, ...this.targets([])]);
  }

  /** What touching `id` after `touched` leads to. */
  touch(touched: string[], id: string): Outcome {
    const next = this.#step(touched)?.next.find((one) => one.id === id);
    if (next) {
      const prefix = [...touched, id];
      return next.action === undefined ? { kind: 'chosen', prefix } : { kind: 'complete', action: next.action, prefix };
    }
    // Touching something chosen again takes it back.
    if (this.#removable(touched).includes(id)) {
      const at = touched.lastIndexOf(id);
      return { kind: 'chosen', prefix: [...touched.slice(0, at), ...touched.slice(at + 1)] };
    }
    // Another beginning starts the choice over.
    if (touched.length > 0 && !this.waits(touched)) return this.touch([], id);
    return { kind: 'ignored' };
  }

  /** What touches lead to that were made before these actions were known: where one choice followed another, the last. */
  follow(touches: string[]): Outcome {
    let outcome: Outcome = { kind: 'ignored' };
    for (const id of touches) outcome = this.touch(outcome.kind === 'chosen' ? outcome.prefix : [], id);
    return outcome;
  }

  /**
   * What can be carried: whatever may be touched and is not the whole of an action, so that it can be dropped on what
   * may be touched next.
   */
  movable(touched: string[]): Set<string> {
    const leadsOn = (id: string) => {
      if (touched.at(-1) === id) return true;
      const outcome = this.touch(touched, id);
      return outcome.kind === 'chosen' && outcome.prefix.at(-1) === id;
    };
    return new Set([...this.reacting(touched)].filter(leadsOn));
  }

  /** As much of `touched` as still begins a legal action, after the legal actions have changed. */
  stillValid(touched: string[]): string[] {
    for (let length = touched.length; length > 0; length--) {
      const shorter = touched.slice(0, length);
      if (this.#at(shorter)) return shorter;
    }
    return [];
  }

  /** The touches that can be taken back by themselves. While the server is being asked, this is the last one. */
  #removable(touched: string[]): string[] {
    return this.#step(touched)?.removable ?? touched.slice(-1);
  }

  #step(touched: string[]): Step | undefined {
    const at = this.#at(touched);
    return at === 'cut off' ? undefined : at;
  }

  /** The step that `touched` lead to; nothing where they begin no action or are the whole of one. */
  #at(touched: string[]): Step | 'cut off' | undefined {
    let choices = this.known.get(keyOf([]));
    let step = choices?.steps[0];
    for (const [i, id] of touched.entries()) {
      const next: NextTouch | undefined = step?.next.find((one) => one.id === id);
      if (!next || next.action !== undefined) return undefined;
      if (next.step !== undefined) {
        step = choices?.steps[next.step];
      } else {
        choices = this.known.get(keyOf(touched.slice(0, i + 1)));
        if (!choices) return i + 1 === touched.length ? 'cut off' : undefined;
        step = choices.steps[0];
      }
    }
    return step;
  }
}

/** The legal actions that a typed text may be meant to become: those it begins first, then those it occurs in. */
export function completions(actions: string[], text: string, limit = 12): string[] {
  const wanted = text.trim().toLowerCase();
  const begins = actions.filter((action) => action.toLowerCase().startsWith(wanted));
  const contains = actions.filter((action) => action.toLowerCase().indexOf(wanted) > 0);
  return [...begins, ...contains].slice(0, limit);
}
