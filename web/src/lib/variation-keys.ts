/**
 * The keys that write variations where nobody holds a seat: of games that were imported by this browser, and of tables of
 * engines that it created. They are kept apart from the tables, since many games may be imported at once.
 */

const PREFIX = 'raichi.variations.';
const MOST_KEPT = 1_000;

/** The key for the variations of a game, where this browser was given it. */
export function variationsKey(table: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + table)?.split(' ')[1];
  } catch {
    return undefined;
  }
}

/** Keeps the keys that a server gave, as far as it gave some; the oldest are forgotten where there are too many. */
export function keepVariationsKeys(
  given: readonly { table?: string; variations_key?: string }[],
  now = Date.now(),
): void {
  const keys = given.filter(({ table, variations_key }) => table !== undefined && variations_key !== undefined);
  if (keys.length === 0) return;
  try {
    for (const { table, variations_key } of keys) localStorage.setItem(PREFIX + table, `${now} ${variations_key}`);
    const kept = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    const latestFirst = kept
      .map((name) => ({ name, at: Number(localStorage.getItem(name)?.split(' ')[0]) }))
      .sort((one, other) => other.at - one.at);
    for (const { name } of latestFirst.slice(MOST_KEPT)) localStorage.removeItem(name);
  } catch {
    // Private windows may refuse storage; variations then stay in the link.
  }
}
