import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RecordTree } from './record-tree';
import { Variations } from './variations';
import type { KeptVariations, VariationsRequest } from './wire';

const OWN = ['a', 'b', 'c'];
const tried = (...lines: string[]) => lines.reduce((all, line) => all.add(line.split(' ')), Variations.of(OWN));

/** A server that keeps one tree, and refuses what the test wants refused. */
let server: KeptVariations;
let requests: VariationsRequest[];
let refuses: { status: number; code: string } | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  [server, requests, refuses] = [{ revision: 0, lines: [] }, [], undefined];
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    expect(path).toBe('api/tables/t/variations');
    const refused = (status: number, code: string) =>
      new Response(JSON.stringify({ code, message: 'No.' }), { status });
    if (init?.method === 'POST') {
      const body = JSON.parse(String(init.body)) as VariationsRequest;
      requests.push(body);
      if (refuses) return refused(refuses.status, refuses.code);
      if (body.revision !== server.revision) return refused(409, 'variations/changed');
      server = { revision: server.revision + 1, lines: body.lines };
    } else if (refuses) return refused(refuses.status, refuses.code);
    return new Response(JSON.stringify(server));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page of a game where `mine` was tried, in a browser that last knew `base` of the server's. */
function page(mine: Variations, base = tried(), keys = ['key']) {
  const at = {
    variations: mine,
    adopt(tree: Variations) {
      at.variations = tree;
      record.changed();
    },
  };
  const told: string[] = [];
  const record = new RecordTree(
    't',
    keys,
    at,
    base,
    () => {},
    (sentence) => told.push(sentence),
  );
  const opened = record.open(tried());
  const add = (line: string) => at.adopt(at.variations.add(line.split(' ')));
  return { at, record, opened, add, told, lines: () => at.variations.lines.map((line) => line.join(' ')) };
}

const kept = () => Variations.ofKept(OWN, server.lines).lines.map((line) => line.join(' '));
const pause = () => vi.advanceTimersByTimeAsync(1_000);

describe('the tree that is kept with a record', () => {
  it('is joined with what was tried here, and written once nothing more changes', async () => {
    server = { revision: 3, lines: [{ after: 1, plies: ['x'] }] };
    const { opened, add, lines, record } = page(tried('a b q'));
    await opened;
    expect(lines()).toEqual(['a b q', 'a x']);
    await vi.advanceTimersByTimeAsync(900);
    add('a b q r');
    await vi.advanceTimersByTimeAsync(900);
    expect(requests).toEqual([]);
    await pause();
    expect(requests.map(({ keys, revision }) => [keys, revision])).toEqual([[['key'], 3]]);
    expect(kept()).toEqual(['a b q r', 'a x']);
    expect(record.base.isSame(tried('a b q r', 'a x'))).toBe(true);
    // Nothing is written where nothing was changed.
    record.changed();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests.length).toBe(1);
  });

  it('forgets what was removed elsewhere, and not what a link has', async () => {
    const { opened, lines } = page(tried('a x', 'a y'), tried('a x', 'a y'));
    await opened;
    expect(lines()).toEqual([]);
    const other = page(tried('a x'), tried('a x'), []);
    other.record.close();
    await new RecordTree(
      't',
      [],
      other.at,
      tried('a x'),
      () => {},
      () => {},
    ).open(tried('a x'));
    expect(other.lines()).toEqual(['a x']);
  });

  it('has what two people try at the same time', async () => {
    const [one, other] = [page(tried()), page(tried())];
    await Promise.all([one.opened, other.opened]);
    one.add('a x');
    other.add('a y');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(kept().sort()).toEqual(['a x', 'a y']);
    expect(requests.length).toBe(3);
    expect(other.lines().sort()).toEqual(['a x', 'a y']);
  });

  it('stays here for those who may only read it', async () => {
    server = { revision: 1, lines: [{ after: 1, plies: ['x'] }] };
    const reader = page(tried('a y'), tried(), []);
    await reader.opened;
    expect(reader.lines()).toEqual(['a y', 'a x']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toEqual([]);

    // A key that holds nothing any more is tried once.
    for (const code of ['seat/key', 'variations/key']) {
      [requests, refuses] = [[], undefined];
      const former = page(tried('a y'));
      await former.opened;
      expect([reader.record.writes, former.record.writes]).toEqual([false, true]);
      refuses = { status: 403, code };
      await pause();
      expect(former.record.writes).toBe(false);
      former.add('a z');
      await vi.advanceTimersByTimeAsync(60_000);
      expect([requests.length, former.told]).toEqual([1, []]);
    }
  });

  it('is written later where the server is busy, and not again where it is too large', async () => {
    refuses = { status: 429, code: 'server/busy' };
    const { opened, add, told } = page(tried('a x'));
    await opened;
    refuses = undefined;
    await vi.advanceTimersByTimeAsync(12_000);
    expect(kept()).toEqual(['a x']);
    refuses = { status: 422, code: 'variations/too-many' };
    add('a y');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([requests.length, told.length]).toEqual([2, 1]);
  });

  it('is written at once when the page is left', async () => {
    const { opened, add, record } = page(tried());
    await opened;
    add('a x');
    record.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(kept()).toEqual(['a x']);
  });
});
