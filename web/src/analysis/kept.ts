/** What was tried, kept in this browser with the game that it belongs to. All of it is text. */

const PREFIX = 'raichi.lines.';
const MOST_KEPT = 60;

interface Kept {
  tree: string;
  /** The tree that this browser and the server last had in common. */
  base?: string;
  /** In milliseconds since 1970. */
  at: number;
}

function read(key: string): Kept | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function keptTree(query: string): { tree: string; base: string } {
  const { tree = '', base = '' } = read(PREFIX + query) ?? {};
  return { tree, base };
}

/** Keeps the latest trees; an empty one is forgotten, unless the server's is not known to be empty too. */
export function keepTree(query: string, tree: string, base: string): void {
  try {
    if (tree === '' && base === '') localStorage.removeItem(PREFIX + query);
    else localStorage.setItem(PREFIX + query, JSON.stringify({ tree, base, at: Date.now() } satisfies Kept));
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    const oldestFirst = keys.sort((a, b) => (read(a)?.at ?? 0) - (read(b)?.at ?? 0));
    for (const old of oldestFirst.slice(0, -MOST_KEPT)) localStorage.removeItem(old);
  } catch {
    // Private windows may refuse storage; the address has it all the same.
  }
}
