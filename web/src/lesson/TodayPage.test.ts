// @vitest-environment happy-dom

import { mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { router } from '../lib/router.svelte';
import TodayPage from './TodayPage.svelte';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the problem of the day is opened, unless the visitor has gone elsewhere meanwhile', async () => {
  const waiting: (() => void)[] = [];
  const course = [{ title: '', steps: [{ title: '', grade: 1, text: '', task: '', answers: [] }] }];
  vi.stubGlobal('fetch', (path: string) => {
    const reply = new Response(JSON.stringify(path === 'api/games' ? [{ id: 'hex' }] : course));
    return new Promise((resolve) => waiting.push(() => resolve(reply)));
  });
  const opened = vi.spyOn(router, 'replace').mockImplementation(() => {});
  const letGo = async () => {
    await vi.waitFor(() => expect(waiting).not.toEqual([]));
    waiting.shift()?.();
  };
  // The games are asked for once.
  const stays = mount(TodayPage, { target: document.body });
  await letGo();
  await letGo();
  await vi.waitFor(() => expect(opened).toHaveBeenCalledWith('/problems/hex?lesson=1&step=1'));
  void unmount(stays);

  opened.mockClear();
  const goes = mount(TodayPage, { target: document.body });
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  void unmount(goes);
  await letGo();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(opened).not.toHaveBeenCalled();
});
