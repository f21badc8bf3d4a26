/**
 * Choosing one of the legal actions by touching things one after another.
 *
 * Every legal action has a path of ids; none's path begins another's, so an action is chosen exactly when the touches
 * so far are its whole path. Nothing is filled in: the last touch is always the person's own.
 */

import type { Touch } from './protocol';

/** What a touch comes to. */
export type Step =
  | { kind: 'ignored' }
  | { kind: 'chosen'; prefix: string[] }
  | { kind: 'complete'; action: string; prefix: string[] };

function beginsWith(path: string[], prefix: string[]): boolean {
  return prefix.every((id, i) => path[i] === id);
}

/** Whether these are the same touches in the same order. */
export function same(one: string[], other: string[]): boolean {
  return one.length === other.length && beginsWith(one, other);
}

/** The actions still possible after the touches so far. */
export function candidates(touches: Touch[], prefix: string[]): Touch[] {
  return touches.filter(({ path }) => beginsWith(path, prefix));
}

/** The ids that may be touched next. */
export function targets(touches: Touch[], prefix: string[]): Set<string> {
  const next = new Set<string>();
  for (const { path } of candidates(touches, prefix)) {
    const id = path[prefix.length];
    if (id !== undefined) next.add(id);
  }
  return next;
}

/** All ids that do something when touched: what goes on, what takes the last touch back, and what starts over. */
export function reacting(touches: Touch[], prefix: string[]): Set<string> {
  return new Set([...targets(touches, prefix), ...prefix.slice(-1), ...targets(touches, [])]);
}

/** What touching `id` after `prefix` comes to. */
export function touch(touches: Touch[], prefix: string[], id: string): Step {
  if (targets(touches, prefix).has(id)) {
    const longer = [...prefix, id];
    const whole = candidates(touches, longer).find(({ path }) => path.length === longer.length);
    return whole ? { kind: 'complete', action: whole.action, prefix: longer } : { kind: 'chosen', prefix: longer };
  }
  // The thing touched last, once more: the choice is taken back.
  if (prefix.at(-1) === id) return { kind: 'chosen', prefix: prefix.slice(0, -1) };
  // Another beginning: the choice starts over with it.
  if (prefix.length > 0) return touch(touches, [], id);
  return { kind: 'ignored' };
}

/** The prefix without its last touch. */
export function back(prefix: string[]): string[] {
  return prefix.slice(0, -1);
}

/** As much of `prefix` as still begins a legal action, after the legal actions have changed. */
export function stillValid(touches: Touch[], prefix: string[]): string[] {
  for (let length = prefix.length; length > 0; length--) {
    const shorter = prefix.slice(0, length);
    if (touches.some(({ path }) => path.length > length && beginsWith(path, shorter))) return shorter;
  }
  return [];
}

/** The legal actions that a typed text may be meant to become: those it begins first, then those it occurs in. */
export function completions(touches: Touch[], text: string, limit = 12): string[] {
  const wanted = text.trim().toLowerCase();
  const actions = touches.map(({ action }) => action);
  const begins = actions.filter((action) => action.toLowerCase().startsWith(wanted));
  const contains = actions.filter((action) => {
    const at = action.toLowerCase().indexOf(wanted);
    return at > 0;
  });
  return [...begins, ...contains].slice(0, limit);
}
