// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { LessonBoard } from './lesson.svelte';
import type { TryRequest } from './wire';

afterEach(() => vi.unstubAllGlobals());

const AT = { shelf: 'problems', game: 'any', lesson: 1, step: 1 } as const;

/** A server that calls the action `good` right and every other one wrong. */
function serve(): void {
  const reply = (_: string, init: { body: string }) => {
    const { show, token } = JSON.parse(init.body) as TryRequest;
    const verdict = token === undefined ? null : token === 'good' ? 'right' : 'wrong';
    const shown = show ? ['good'] : [];
    return Promise.resolve(
      new Response(JSON.stringify({ line: [], shown, verdict, said: '', position: { to_act: [1], choices: {} } })),
    );
  };
  vi.stubGlobal('fetch', reply);
}

test('it is told that the answer was shown, before what is tried then', async () => {
  serve();
  const happened: string[] = [];
  const board = new LessonBoard(AT, (what) => happened.push(what));
  await board.open();
  expect(happened).toEqual([]);
  await board.reveal();
  expect(board.shown).toEqual(['good']);
  board.play('good');
  await vi.waitFor(() => expect(board.verdict).toBe('right'));
  expect(happened).toEqual(['shown', 'right']);
  board.close();
});

test('what was meant is shown where the step begins, also after a wrong try', async () => {
  const asked: TryRequest[] = [];
  vi.stubGlobal('fetch', (_: string, init: { body: string }) => {
    const request = JSON.parse(init.body) as TryRequest;
    asked.push(request);
    const [line, verdict] = request.token === undefined ? [request.line ?? [], null] : [['bad', 'reply'], 'wrong'];
    const position = { n_plies: line.length, to_act: [0], choices: {} };
    const shown = request.show ? ['good'] : [];
    return Promise.resolve(new Response(JSON.stringify({ line, shown, verdict, said: '', position })));
  });
  const board = new LessonBoard(AT, () => {});
  await board.open();
  board.play('bad');
  await vi.waitFor(() => expect(board.position?.n_plies).toBe(2));
  await board.reveal();
  expect(asked.at(-1)).toEqual({ line: [], show: true });
  expect([board.position?.n_plies, board.shown, board.verdict]).toEqual([0, ['good'], 'wrong']);
  board.close();
});

/**
 * A step, shown, of a game of two touches an action, of which every action is as good as any other. Replies wait until they
 * are let go.
 */
async function openLater(): Promise<{ board: LessonBoard; asked: TryRequest[]; letGo: () => void }> {
  const asked: TryRequest[] = [];
  const waiting: (() => void)[] = [];
  const step = (ids: string[], then: (id: string) => object) => ({ next: ids.map((id) => ({ id, ...then(id) })) });
  const choices = {
    steps: [
      step(['a', 'b'], (id) => ({ step: id === 'a' ? 1 : 2 })),
      step(['1', '2'], (id) => ({ action: `a${id}` })),
      step(['1', '2'], (id) => ({ action: `b${id}` })),
    ],
  };
  vi.stubGlobal('fetch', (_: string, init: { body: string }) => {
    const request = JSON.parse(init.body) as TryRequest;
    asked.push(request);
    const line = [...(request.line ?? []), ...(request.token === undefined ? [] : [request.token])];
    const position = { to_act: [0], choices: { 0: choices } };
    const reply = new Response(JSON.stringify({ line, shown: [], verdict: null, said: '', position }));
    return new Promise((resolve) => waiting.push(() => resolve(reply)));
  });
  const letGo = () => waiting.shift()?.();
  const board = new LessonBoard(AT, () => {});
  const opened = board.open();
  letGo();
  await opened;
  return { board, asked, letGo };
}

test('what is touched while a try is on its way is meant for the position after it', async () => {
  const { board, asked, letGo } = await openLater();
  for (const id of ['a', '1', 'b', '2', 'a']) board.touch(id);
  expect(asked.map(({ token }) => token)).toEqual([undefined, 'a1']);
  letGo();
  await vi.waitFor(() => expect(asked.at(-1)).toEqual({ line: ['a1'], token: 'b2' }));
  letGo();
  await vi.waitFor(() => expect(board.prefix).toEqual(['a']));
  board.close();
});

test('the second of a double click is no touch of its own', async () => {
  const { board, asked, letGo } = await openLater();
  for (const id of ['a', '1', '1', 'b', '2']) board.touch(id);
  letGo();
  await vi.waitFor(() => expect(asked.at(-1)).toEqual({ line: ['a1'], token: 'b2' }));
  board.close();
});
