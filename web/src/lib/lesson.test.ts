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
