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

const STRICT: ReadonlySet<string> = new Set();

/** Whether these are the same touches in the same order. */
export function same(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((id, i) => other[i] === id);
}

/**
 * What may be touched next along `path` after `touched`, each id once; nothing where all of the path is touched, and
 * `undefined` where `touched` does not lead along it. Ids in `loose` that follow one another come in any order.
 */
export function onward(path: string[], touched: string[], loose = STRICT): string[] | undefined {
  const end = (ids: string[], from: number) => {
    let at = from + 1;
    if (loose.has(ids[from] ?? '')) while (at < ids.length && loose.has(ids[at] ?? '')) at++;
    return Math.min(at, ids.length);
  };
  let [at, seen] = [0, 0];
  do {
    const [next, nextSeen] = [end(path, at), end(touched, seen)];
    const left = path.slice(at, next);
    for (const id of touched.slice(seen, nextSeen)) {
      const i = left.indexOf(id);
      if (i < 0) return undefined;
      left.splice(i, 1);
    }
    [at, seen] = [next, nextSeen];
    if (left.length > 0) return seen === touched.length ? [...new Set(left)] : undefined;
  } while (at < path.length);
  return seen === touched.length ? [] : undefined;
}

/** The actions still possible after the touches so far. */
export function candidates(touches: Touch[], prefix: string[], loose = STRICT): Touch[] {
  return touches.filter(({ path }) => onward(path, prefix, loose));
}

/** The action whose whole path these touches are. */
export function whole(touches: Touch[], prefix: string[], loose = STRICT): Step | undefined {
  const found = touches.find(({ path }) => onward(path, prefix, loose)?.length === 0);
  return found && { kind: 'complete', action: found.action, prefix };
}

/** The ids that may be touched next. */
export function targets(touches: Touch[], prefix: string[], loose = STRICT): Set<string> {
  return new Set(touches.flatMap(({ path }) => onward(path, prefix, loose) ?? []));
}

/** All of the touches that can be taken back by themselves: the last, and those before it whose order is open. */
export function removable(prefix: string[], loose = STRICT): string[] {
  const bound = prefix.map((id) => loose.has(id)).lastIndexOf(false);
  return prefix.slice(Math.min(bound + 1, prefix.length - 1));
}

/** The touches without one of those that can be taken back; `undefined` where `id` is none of them. */
export function without(prefix: string[], id: string, loose = STRICT): string[] | undefined {
  if (!removable(prefix, loose).includes(id)) return undefined;
  const at = prefix.lastIndexOf(id);
  return [...prefix.slice(0, at), ...prefix.slice(at + 1)];
}

/** The prefix without its last touch. */
export function back(prefix: string[]): string[] {
  return prefix.slice(0, -1);
}

/** As much of `prefix` as still begins a legal action, after the legal actions have changed. */
export function stillValid(touches: Touch[], prefix: string[], loose = STRICT): string[] {
  for (let length = prefix.length; length > 0; length--) {
    const shorter = prefix.slice(0, length);
    if (touches.some(({ path }) => onward(path, shorter, loose)?.length)) return shorter;
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
