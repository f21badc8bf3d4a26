// @vitest-environment happy-dom

import { beforeEach, expect, test } from 'vitest';
import { World } from './fake-world';
import type { Choices, View } from './protocol';
import { Table } from './table.svelte';
import { Tables } from './tables';

const MANY: Choices = { n_actions: 9000, next: ['a', 'b'], captions: false, example: 'a-b-c' };
const FEW: Choices = {
  n_actions: 2,
  touches: [
    { action: 'a-b-c', path: ['a', 'b', 'c'] },
    { action: 'a-b-d', path: ['a', 'b', 'd'] },
  ],
  captions: true,
  example: 'a-b-c',
};

const VIEW: View = {
  type: 'view',
  table: 't',
  game: 'g',
  name: 'G',
  seats: [{ name: 'Solver', occupant: null, kind: 'human', connected: true }],
  you: [0],
  n_plies: 4,
  plies_from: 0,
  plies: [],
  to_act: [0],
  thinking: [],
  picture: { areas: [] },
  last: [],
  choices: { '0': MANY },
  result: null,
  seed_hash: '',
  seed: null,
  next_table: null,
};

let world: World;
let table: Table;

beforeEach(() => {
  localStorage.clear();
  world = new World();
  table = new Table('t', new Tables(localStorage), () => {}, world);
  table.open();
  world.socket.onopen?.();
  world.socket.says(VIEW);
});

/** What the page has said last. */
function said(): Record<string, unknown> {
  return world.socket.sent.at(-1) ?? {};
}

function answers(choices: Choices, caption: string | null = null): void {
  world.socket.says({ type: 'narrowed', id: said().id, ...choices, caption });
}

test('a choice among very many is narrowed by the server, touch by touch', () => {
  expect(table.targets).toEqual(new Set(['a', 'b']));
  table.touch('a');
  expect(said()).toMatchObject({ type: 'narrow', seat: 0, n_plies: 4, touched: ['a'] });
  expect([table.waits, table.targets.size]).toEqual([true, 0]);
  answers({ ...MANY, n_actions: 800, next: ['b', 'c'] });
  expect([table.waits, table.nLeft]).toEqual([false, 800]);
  table.touch('b');
  answers(FEW, 'two are left');
  expect(table.caption).toBe('two are left');
  expect(table.targets).toEqual(new Set(['c', 'd']));
  table.touch('d');
  expect(said()).toMatchObject({ type: 'play', action: 'a-b-d', n_plies: 4 });
});

test('what was asked once is known when it is taken back and chosen again', () => {
  table.touch('a');
  answers(FEW);
  table.touch('b');
  expect(said()).toMatchObject({ type: 'narrow', touched: ['a', 'b'] });
  answers(FEW, 'two are left');
  const n = world.socket.sent.length;
  table.back();
  table.back();
  expect([table.prefix, table.caption]).toEqual([[], undefined]);
  table.touch('a');
  table.touch('b');
  expect(table.caption).toBe('two are left');
  expect(world.socket.sent).toHaveLength(n);
});

test('an answer may complete the action', () => {
  table.touch('a');
  answers({ n_actions: 1, touches: [{ action: 'a', path: ['a'] }], captions: false, example: 'a' });
  expect(said()).toMatchObject({ type: 'play', action: 'a' });
});

test('an answer that comes too late changes nothing that is chosen now', () => {
  table.touch('a');
  const { id } = said();
  table.back();
  table.touch('b');
  world.socket.says({ type: 'narrowed', id, ...FEW, caption: 'late' });
  expect([table.prefix, table.caption, table.waits]).toEqual([['b'], undefined, true]);
  world.socket.says({ ...VIEW, n_plies: 5, choices: { '0': { ...MANY, next: ['b'] } } });
  expect(table.prefix).toEqual(['b']);
  expect(said()).toMatchObject({ type: 'narrow', n_plies: 5, touched: ['b'] });
});

test('where the question is refused the last touch is taken back', () => {
  table.touch('a');
  world.socket.says({ type: 'error', id: said().id, code: 'play/stale', message: 'too late' });
  expect(table.prefix).toEqual([]);
  expect(table.targets).toEqual(new Set(['a', 'b']));
});

test('a view that changes nothing of the choice leaves it as it is', () => {
  table.touch('a');
  answers(FEW);
  table.touch('b');
  world.socket.says({ ...VIEW, thinking: [] });
  expect(table.prefix).toEqual(['a', 'b']);
  expect(table.targets).toEqual(new Set(['c', 'd']));
});
