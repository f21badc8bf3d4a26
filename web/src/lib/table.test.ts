// @vitest-environment happy-dom

import { beforeEach, expect, test } from 'vitest';
import { choices, views } from '../fixtures';
import { FakeBrowser } from './fake-browser';
import { settings } from './settings.svelte';
import { Table } from './table.svelte';
import { Tables } from './tables';
import type { Choices } from './wire';

const over = views['tic-tac-toe-over'];
const VIEW = { ...views['tic-tac-toe'], n_plies: 4, choices: { 0: choices.cut_off } };

let browser: FakeBrowser;
let tables: Tables;
let table: Table;
let followed: string[];

beforeEach(() => {
  localStorage.clear();
  browser = new FakeBrowser();
  tables = new Tables(localStorage);
  followed = [];
  table = new Table('t', tables, (next) => followed.push(next), browser);
  table.open();
  browser.socket.onopen?.();
  browser.socket.receive(VIEW);
});

/** The page's last message. */
function sent(): Record<string, unknown> {
  return browser.socket.sent.at(-1) ?? {};
}

function reply(known: Choices): void {
  browser.socket.receive({ type: 'narrowed', id: sent().id, choices: known });
}

test('a choice among very many is narrowed by the server, touch by touch', () => {
  expect(table.targets).toEqual(new Set(['a', 'b']));
  table.touch('a');
  expect(sent()).toMatchObject({ type: 'narrow', seat: 0, n_plies: 4, touched: ['a'] });
  expect([table.waits, table.targets.size]).toEqual([true, 0]);
  reply(choices.cut_off_at_a);
  expect([table.waits, table.nLeft, table.caption]).toEqual([false, 3, 'a so far']);
  table.touch('b');
  reply(choices.cut_off_at_a_b);
  expect(table.caption).toBe('a b so far');
  expect(table.targets).toEqual(new Set(['c', 'd']));
  table.touch('d');
  expect(sent()).toMatchObject({ type: 'play', action: 'a-b-d', n_plies: 4 });
});

test('what was asked once is known when it is taken back and chosen again', () => {
  table.touch('a');
  reply(choices.cut_off_at_a);
  table.touch('b');
  reply(choices.cut_off_at_a_b);
  const n = browser.socket.sent.length;
  table.back();
  table.back();
  expect([table.prefix, table.caption]).toEqual([[], undefined]);
  table.touch('a');
  table.touch('b');
  expect(table.caption).toBe('a b so far');
  expect(browser.socket.sent).toHaveLength(n);
});

test('what comes with the view needs no question', () => {
  browser.socket.receive({ ...VIEW, n_plies: 5, choices: { 0: choices.captioned } });
  const n = browser.socket.sent.length;
  table.touch('d1');
  expect([table.caption, browser.socket.sent.length]).toEqual(['d1 so far', n]);
  table.touch('d3');
  expect(sent()).toMatchObject({ type: 'play', action: 'd1-d3', n_plies: 5 });
});

test('a reply that comes too late changes nothing that is chosen now', () => {
  table.touch('a');
  const { id } = sent();
  table.back();
  table.touch('b');
  browser.socket.receive({ type: 'narrowed', id, choices: choices.cut_off_at_a });
  expect([table.prefix, table.caption, table.waits]).toEqual([['b'], undefined, true]);
  browser.socket.receive({ ...VIEW, n_plies: 5, choices: { 0: choices.cut_off_without_a } });
  expect([table.prefix, table.waits]).toEqual([['b'], false]);
});

test('a question that is refused takes the choice back', () => {
  table.touch('a');
  browser.socket.receive({ type: 'error', id: sent().id, code: 'play/stale', message: 'too late' });
  expect(table.prefix).toEqual([]);
});

test('a view that changes nothing to choose from leaves it as it is', () => {
  table.touch('a');
  reply(choices.cut_off_at_a);
  table.touch('b');
  browser.socket.receive({ ...VIEW, thinking: [] });
  expect(table.prefix).toEqual(['a', 'b']);
});

test('the keys of friends go to the seats that they have in the rematch', () => {
  tables.keep('t', { mine: [{ seat: 0, key: 'mine' }], friends: [{ seat: 1, key: "Bob's" }] });
  browser.socket.receive(over);
  table.rematch();
  expect(followed).toEqual([over.next_table?.table]);
  const kept = tables.get(over.next_table?.table ?? '');
  expect(kept?.mine).toEqual([{ key: 'mine' }]);
  expect(kept?.friends).toEqual([{ seat: 0, key: "Bob's" }]);
});

test('an action that loses at once is asked about first, unless somebody does not want it', () => {
  const risky: Choices = {
    example: '1-2',
    steps: [
      {
        n_actions: 2,
        next: [
          { id: 'lost', action: '1-3', loses: true },
          { id: 'fine', action: '1-2' },
        ],
      },
    ],
  };
  const n_sent = () => browser.socket.sent.filter(({ type }) => type === 'play').length;
  browser.socket.receive({ ...VIEW, n_plies: 5, plies_from: 4, choices: { 0: risky } });
  table.touch('lost');
  expect([table.doubted, n_sent()]).toEqual(['1-3', 0]);
  // Another choice ends the doubt.
  table.touch('nothing');
  expect(table.doubted).toBe('1-3');
  table.play('1-3', true);
  expect([table.doubted, sent()]).toMatchObject([undefined, { type: 'play', action: '1-3' }]);
  browser.socket.receive({ ...VIEW, n_plies: 6, plies_from: 5, choices: { 0: risky } });
  browser.socket.receive({ type: 'ack', id: sent().id, n_plies: 6 });
  settings.warnings = false;
  table.touch('lost');
  expect([table.doubted, n_sent()]).toEqual([undefined, 2]);
  settings.warnings = true;
});
