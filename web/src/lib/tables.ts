/** The tables of this browser, with the keys of its seats. Keys leave local storage only to the server. */

export interface KeptKey {
  seat?: number;
  key: string;
}

export interface KeptTable {
  id: string;
  /** The spec, once known. */
  game?: string;
  /** The game's name, once known. */
  name?: string;
  /** The keys of this browser's own seats. */
  mine: KeptKey[];
  /** The keys for friends. */
  friends: { seat: number; key: string }[];
  /** When it was last looked at, in milliseconds since 1970. */
  seen: number;
  /** The result's sentence, once over. */
  result?: string;
}

const PREFIX = 'raichi.table.';
/** So many tables are kept, and more of games that go on: nobody else may have their keys. */
const MOST_KEPT = 60;
const MOST_WITH_KEYS = 1000;

function read(storage: Storage, id: string): KeptTable | undefined {
  try {
    const text = storage.getItem(PREFIX + id);
    return text === null ? undefined : (JSON.parse(text) as KeptTable);
  } catch {
    return undefined;
  }
}

/** All tables in one storage. */
export class Tables {
  constructor(private readonly storage: Storage) {}

  get(id: string): KeptTable | undefined {
    return read(this.storage, id);
  }

  /** Changes the given fields only. */
  keep(id: string, change: Partial<Omit<KeptTable, 'id'>>, now = Date.now()): KeptTable {
    const before = this.get(id) ?? { id, mine: [], friends: [], seen: now };
    const after = { ...before, ...change, seen: now };
    this.#write(after);
    return after;
  }

  /** Adds a key of one's own, as from a friend's link. */
  addKey(id: string, key: string): KeptTable {
    const mine = this.get(id)?.mine ?? [];
    return this.keep(id, mine.some((kept) => kept.key === key) ? {} : { mine: [...mine, { key }] });
  }

  /** Forgets one of one's own keys, by its place among them. */
  dropKey(id: string, index: number): KeptTable {
    return this.keep(id, { mine: (this.get(id)?.mine ?? []).filter((_, i) => i !== index) });
  }

  forget(id: string): void {
    this.storage.removeItem(PREFIX + id);
  }

  /** Latest first. */
  all(): KeptTable[] {
    const ids = Array.from({ length: this.storage.length }, (_, i) => this.storage.key(i) ?? '')
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => name.slice(PREFIX.length));
    return ids.flatMap((id) => this.get(id) ?? []).sort((a, b) => b.seen - a.seen);
  }

  #write(table: KeptTable): void {
    try {
      this.storage.setItem(PREFIX + table.id, JSON.stringify(table));
      const hasSeat = ({ mine, friends, result }: KeptTable) =>
        result === undefined && mine.length + friends.length > 0;
      for (const [place, old] of this.all().entries()) {
        if (place >= (hasSeat(old) ? MOST_WITH_KEYS : MOST_KEPT)) this.forget(old.id);
      }
    } catch {
      // Private windows may refuse storage; the table is then not remembered.
    }
  }
}

/** What stands in an address; as it is where it cannot be decoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The table and the key of an address such as `/t/TABLE#KEY`. */
export function tableOf(pathname: string, hash: string): { table: string; key?: string } | undefined {
  const match = /^\/t\/([^/]+)\/?$/.exec(pathname);
  if (!match?.[1]) return undefined;
  const table = decoded(match[1]);
  const key = decoded(hash.replace(/^#/, ''));
  return key === '' ? { table } : { table, key };
}

/** In the place of a game's id, in the address of the problem of the day: `/problems/today`. */
export const TODAY = 'today';

/** What can be read or done about one game. */
export type RoomName = 'rules' | 'lesson' | 'problems' | 'drill' | 'about';

/** The game that an address such as `/rules/GAME` or `/lesson/GAME` is about. */
export function roomOf(pathname: string): { room: RoomName; game: string } | undefined {
  const match = /^\/(rules|lesson|problems|drill|about)\/([^/]+)\/?$/.exec(pathname);
  return match?.[2] ? { room: match[1] as RoomName, game: decoded(match[2]) } : undefined;
}

/** The link that hands a seat to a friend, of the page at this root. */
export function friendLink(root: string, table: string, key: string): string {
  return `${root}/t/${encodeURIComponent(table)}#${encodeURIComponent(key)}`;
}
