/**
 * What is known of a seat's legal actions. Where they are few, the server sends them all and everything is known; where
 * they are many, it sends what may be touched next, and is asked for more after each touch.
 */

import * as choose from './choose';
import type { Choices, Touch } from './protocol';

interface Known {
  choices: Choices;
  caption: string | undefined;
}

function keyOf(touched: string[]): string {
  return JSON.stringify(touched);
}

export class Narrowing {
  private constructor(private readonly known: ReadonlyMap<string, Known>) {}

  static readonly nothing = new Narrowing(new Map());

  /** As much as comes with a view. */
  static of(choices: Choices): Narrowing {
    return Narrowing.nothing.learn([], choices);
  }

  /** With what the server answered about `touched`. */
  learn(touched: string[], choices: Choices, caption?: string): Narrowing {
    return new Narrowing(new Map(this.known).set(keyOf(touched), { choices, caption }));
  }

  /** The legal actions of which some begin with `touched`, one by one; `undefined` where they are not all known. */
  touches(touched: string[]): Touch[] | undefined {
    return this.#nearest(touched)?.touches;
  }

  /** Whether the server must be asked about `touched`: what goes on from there, or what it comes to so far. */
  lacks(touched: string[]): boolean {
    if (this.known.has(keyOf(touched)) || this.known.size === 0) return false;
    const nearest = this.#nearest(touched);
    return !nearest?.touches || nearest.captions;
  }

  /** Whether what may be touched next is not known yet. */
  waits(touched: string[]): boolean {
    return this.known.size > 0 && !this.known.has(keyOf(touched)) && !this.touches(touched);
  }

  caption(touched: string[]): string | undefined {
    return this.known.get(keyOf(touched))?.caption;
  }

  /** How many legal actions begin with `touched`. */
  count(touched: string[]): number | undefined {
    const touches = this.touches(touched);
    return touches
      ? choose.candidates(touches, touched, this.#loose).length
      : this.known.get(keyOf(touched))?.choices.n_actions;
  }

  /** An action, for those who type. */
  get example(): string | undefined {
    return this.known.get(keyOf([]))?.choices.example;
  }

  targets(touched: string[]): Set<string> {
    const touches = this.touches(touched);
    if (touches) return choose.targets(touches, touched, this.#loose);
    return new Set(this.known.get(keyOf(touched))?.choices.next);
  }

  /** All ids that do something when touched: what goes on, what takes a touch back, and what starts over. */
  reacting(touched: string[]): Set<string> {
    const removable = choose.removable(touched, this.#loose);
    if (this.waits(touched)) return new Set(removable);
    return new Set([...this.targets(touched), ...removable, ...this.targets([])]);
  }

  /** What touching `id` after `touched` comes to. */
  touch(touched: string[], id: string): choose.Step {
    if (this.targets(touched).has(id)) {
      const longer = [...touched, id];
      return this.complete(longer) ?? { kind: 'chosen', prefix: longer };
    }
    // What is chosen already, once more: it is taken back.
    const shorter = choose.without(touched, id, this.#loose);
    if (shorter) return { kind: 'chosen', prefix: shorter };
    // Another beginning: the choice starts over with it.
    if (touched.length > 0 && !this.waits(touched)) return this.touch([], id);
    return { kind: 'ignored' };
  }

  /** The action whose whole path these touches are. */
  complete(touched: string[]): choose.Step | undefined {
    return choose.whole(this.touches(touched) ?? [], touched, this.#loose);
  }

  /** As much of `touched` as still begins a legal action, after the legal actions have changed. */
  stillValid(touched: string[]): string[] {
    const touches = this.touches([]);
    if (touches) return choose.stillValid(touches, touched, this.#loose);
    return touched.slice(0, 1).filter((id) => this.targets([]).has(id));
  }

  /** The ids that may come in any order where they follow one another, as far as they are known. */
  get #loose(): ReadonlySet<string> {
    return new Set([...this.known.values()].flatMap(({ choices }) => choices.any_order ?? []));
  }

  /** What is known of the longest beginning of `touched`, or of all of it. */
  #nearest(touched: string[]): Choices | undefined {
    for (let length = touched.length; length >= 0; length--) {
      const known = this.known.get(keyOf(touched.slice(0, length)));
      if (known) return known.choices;
    }
    return undefined;
  }
}
