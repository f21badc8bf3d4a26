// @vitest-environment happy-dom

import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { router } from '../lib/router.svelte';
import type { LibraryEntry } from '../lib/wire';
import Library from './Library.svelte';

afterEach(() => vi.unstubAllGlobals());

const game = (table: string) =>
  ({ table, game: 'hex', name: table, seats: [], outcome: '', n_plies: 1, ended_at: 0 }) as unknown as LibraryEntry;

test('earlier games that come for another filter are not added', async () => {
  const waiting = new Map<string, (page: object) => void>();
  vi.stubGlobal('fetch', (path: string, { signal }: { signal?: AbortSignal } = {}) => {
    if (!path.startsWith('api/library')) return Promise.resolve(new Response('[]'));
    return new Promise((resolve, refuse) => {
      waiting.set(path, (page) => resolve(new Response(JSON.stringify(page))));
      signal?.addEventListener('abort', () => refuse(signal.reason));
    });
  });
  const reply = async (path: string, games: string[], next: string | null) => {
    await vi.waitFor(() => expect(waiting.has(path)).toBe(true));
    waiting.get(path)?.({ games: games.map(game), next });
  };
  const shown = () => [...document.querySelectorAll<HTMLElement>('.list li')].map(({ dataset }) => dataset.game);
  const earlier = () => document.querySelector<HTMLButtonElement>('.list + button');

  router.search = '?seats=2';
  const page = mount(Library, { target: document.body });
  flushSync();
  await reply('api/library?seats=2', ['a'], '7');
  await vi.waitFor(() => expect(shown()).toEqual(['a']));
  earlier()?.click();
  expect(waiting.has('api/library?seats=2&before=7')).toBe(true);
  router.search = '';
  flushSync();
  await reply('api/library', ['b', 'a'], '5');
  await vi.waitFor(() => expect(shown()).toEqual(['b', 'a']));
  await reply('api/library?seats=2&before=7', ['c'], null);
  await vi.waitFor(() => expect(earlier()?.disabled).toBe(false));
  expect(shown()).toEqual(['b', 'a']);
  earlier()?.click();
  await reply('api/library?before=5', ['c'], null);
  await vi.waitFor(() => expect(shown()).toEqual(['b', 'a', 'c']));
  expect(earlier()).toBeNull();
  void unmount(page);
});
