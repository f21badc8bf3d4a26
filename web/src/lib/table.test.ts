// @vitest-environment happy-dom

import { beforeEach, expect, test, vi } from 'vitest';
import { choices, views } from '../fixtures';
import { FakeBrowser } from './fake-browser';
import { settings } from './settings.svelte';
import { Table } from './table.svelte';
import { Tables } from './tables';
import { toasts } from './toasts.svelte';
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

test('a key that holds no seat is forgotten, and the table joined without it', () => {
  tables.keep('t', { mine: [{ key: 'good' }, { key: 'bad' }, { key: 'other' }] });
  browser.socket.receive({ type: 'error', code: 'seat/key', message: 'no seat', param: 'keys[1]' });
  expect(tables.get('t')?.mine).toEqual([{ key: 'good' }, { key: 'other' }]);
  browser.socket.onopen?.();
  expect(sent()).toMatchObject({ type: 'hello', keys: ['good', 'other'] });
  expect(table.failure).toBeUndefined();
  expect(browser.sockets).toHaveLength(2);
});

test('what one person sees is behind a curtain until another has the device', () => {
  const own = (seat: number, n_plies: number) => ({ ...VIEW, n_plies, you: [0, 1], private_to: seat });
  browser.socket.receive(own(0, 4));
  expect([table.curtained, table.seat]).toEqual([true, undefined]);
  table.lift();
  expect([table.curtained, table.seat]).toEqual([false, 0]);
  table.lookAt(2);
  const look = { type: 'look', id: sent().id, n_plies: 2, picture: VIEW.picture, position: '', last: [] };
  // A reply for the next one, that came before the view which says so, is not for this one to see.
  browser.socket.receive({ ...look, private_to: 1 });
  expect(table.look).toBeUndefined();
  browser.socket.receive({ ...look, private_to: 0 });
  expect(table.shown).toBe(2);
  browser.socket.receive(own(1, 5));
  // What the first looked back at has gone with it.
  expect([table.curtained, table.look]).toEqual([true, undefined]);
  browser.socket.receive(own(0, 6));
  expect(table.curtained).toBe(false);
  // Without secrets there is none.
  browser.socket.receive({ ...own(1, 8), private_to: null });
  expect(table.curtained).toBe(false);
});

test('after one of those who share a device has resigned the other’s secrets are behind the curtain all the same', () => {
  const alone = { ...VIEW, you: [1], private_to: 1 };
  browser.socket.receive({ ...VIEW, you: [0, 1], private_to: 0 });
  table.lift();
  browser.socket.receive(alone);
  expect([table.curtained, table.seat]).toEqual([true, undefined]);
  table.lift();
  expect(table.curtained).toBe(false);

  // Also where the page is loaded again: it has the keys of both. With one key there is no curtain.
  const reloaded = (...keys: string[]) => {
    tables.keep('again', { mine: keys.map((key) => ({ key })) });
    const again = new Table('again', tables, () => {}, browser);
    again.open();
    browser.socket.onopen?.();
    browser.socket.receive(alone);
    return again.curtained;
  };
  expect([reloaded("Ann's", "Bob's"), reloaded("Bob's")]).toEqual([true, false]);
});

test('of those who share a device the one who has it resigns', () => {
  const shared = { ...VIEW, you: [0, 1], plies: [], plies_from: 4 };
  browser.socket.receive({ ...shared, choices: { 1: choices.moves } });
  expect(table.deviceSeat).toBe(1);
  // While others are to act, the one that acted last has it.
  const acted = [0, 1, 2].map((by) => ({ by, text: 'a1' }));
  browser.socket.receive({ ...shared, n_plies: 7, plies: acted, choices: {} });
  expect(table.deviceSeat).toBe(1);
  // With secrets, the one whose they are, also while nobody there is to act; behind the curtain nobody is known to.
  browser.socket.receive({ ...shared, n_plies: 7, plies_from: 7, choices: {}, private_to: 0 });
  expect(table.deviceSeat).toBeUndefined();
  table.lift();
  expect(table.deviceSeat).toBe(0);
});

test('of those who share a device the one who has it offers a draw, and the other accepts it', () => {
  const shared = { ...VIEW, you: [0, 1], draws: true, choices: { 1: choices.moves } };
  browser.socket.receive(shared);
  table.offerDraw();
  expect(sent()).toMatchObject({ type: 'draw', seat: 1 });
  browser.socket.receive({ ...shared, draw_offers: [1] });
  table.offerDraw();
  expect(sent()).toMatchObject({ type: 'draw', seat: 0 });
  browser.socket.receive({ ...shared, you: [1], draw_offers: [1] });
  expect(table.drawSeat).toBeUndefined();
});

test('what is carried leads on where it is put down, and elsewhere is as it was', () => {
  browser.socket.receive({ ...VIEW, n_plies: 5, choices: { 0: choices.moves } });
  expect(table.movable).toEqual(new Set(['d1', 'a4']));
  expect(table.pickUp('pass')).toBe(false);
  expect(table.pickUp('d1')).toBe(true);
  expect(table.prefix).toEqual(['d1']);
  table.putDown('a3');
  expect(table.prefix).toEqual([]);
  table.touch('a4');
  // Another one is taken up while one is chosen; put down nowhere, the choice is as it was.
  table.pickUp('d1');
  table.putDown(undefined);
  expect(table.prefix).toEqual(['a4']);
  table.pickUp('a4');
  table.putDown('a3');
  expect(sent()).toMatchObject({ type: 'play', action: 'a4-a3' });
});

test('a rematch of others is offered, one’s own is not', () => {
  expect(table.offered).toBe(false);
  browser.socket.receive(over);
  expect([table.offered, table.knowsRematch]).toEqual([true, false]);
  table.rematch();
  expect([table.offered, table.knowsRematch]).toEqual([false, true]);
});

test('a rematch that is refused can be offered again', () => {
  browser.socket.receive({ ...over, next_table: null });
  table.rematch();
  expect([table.wantsRematch, sent().type]).toEqual([true, 'rematch']);
  const message = 'This address has opened many tables.';
  browser.socket.receive({ type: 'error', id: sent().id, code: 'server/busy', message });
  expect(table.wantsRematch).toBe(false);
  expect(toasts.list.at(-1)?.text).toBe(message);
  table.rematch();
  browser.socket.receive(over);
  expect(followed).toEqual([over.next_table?.table]);
});

test('a damaged table says so instead of the position, and is not asked for again', () => {
  const message = 'what is stored about this table is damaged';
  browser.socket.receive({ type: 'error', code: 'table/damaged', message });
  expect([table.failure, table.connection, browser.timers]).toEqual([message, 'closed', []]);
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

test('a touch that means nothing legal asks for the rule, which goes with the next touch', () => {
  table.touch('z');
  expect(sent()).toMatchObject({ type: 'why', seat: 0, n_plies: 4, touched: ['z'] });
  const { id } = sent();
  browser.socket.receive({ type: 'why', id, why: 'that is not yours' });
  expect(table.whyNot).toBe('that is not yours');
  table.touch('a');
  expect(table.whyNot).toBeUndefined();
  // A reply that comes too late is not shown.
  browser.socket.receive({ type: 'why', id, why: 'that is not yours' });
  expect(table.whyNot).toBeUndefined();
});

test('a hint is for the position that it was asked for', () => {
  browser.socket.receive({ ...VIEW, help: true });
  table.askHint();
  const { id } = sent();
  expect(sent()).toMatchObject({ type: 'hint', seat: 0, n_plies: 4 });
  const hint = { type: 'hint', id, action: 'a-c', path: ['a', 'c'], value: 0.5, proven: false, agent: 'mcts:time=1s' };
  browser.socket.receive({ ...hint, n_plies: 4 });
  expect(table.hinted).toEqual(['a', 'c']);
  browser.socket.receive({ ...VIEW, n_plies: 5, help: true });
  expect(table.hinted).toEqual([]);
});

test('a hint for an earlier position is forgotten when another one is asked for', () => {
  browser.socket.receive({ ...VIEW, help: true });
  table.askHint();
  const { id } = sent();
  const next = { ...VIEW, n_plies: 5, plies_from: 4, help: true };
  browser.socket.receive(next);
  expect(table.hinting).toBeUndefined();
  table.askHint();
  const nToasts = toasts.list.length;
  browser.socket.receive({ type: 'error', id, code: 'hint/replaced', message: 'Another one was asked for.' });
  expect([table.hinting, toasts.list.length]).toEqual([sent().id, nToasts]);
  // One that comes too late for its position is no news either.
  browser.socket.receive({ type: 'error', id: sent().id, code: 'play/stale', message: 'Too late.' });
  expect([table.hinting, toasts.list.length]).toEqual([undefined, nToasts]);
});

test('what was acknowledged and then taken back is waited for no longer', () => {
  const at = (n_plies: number) => ({ ...VIEW, n_plies, choices: { 0: choices.moves } });
  const playNow = () => {
    table.touch('a4');
    table.touch('a3');
    expect(table.seat).toBeUndefined();
    return sent().id;
  };
  browser.socket.receive(at(4));
  const id = playNow();
  // The connection is lost before it is acknowledged, and somebody takes plies back.
  browser.socket.onclose?.();
  browser.timers = browser.timers.filter(({ ms }) => ms < 1000);
  browser.tick();
  browser.socket.onopen?.();
  expect(sent().id).toBe(id);
  browser.socket.receive(at(2));
  browser.socket.receive({ type: 'ack', id, n_plies: 5 });
  expect(table.seat).toBe(0);
  // Or they are taken back before the view with them was sent.
  const next = playNow();
  browser.socket.receive({ type: 'ack', id: next, n_plies: 3 });
  expect(table.seat).toBeUndefined();
  browser.socket.receive(at(1));
  expect(table.seat).toBe(0);
});

test('without a connection nothing is asked for, and what is played is sent later', () => {
  browser.socket.receive({ ...VIEW, choices: { 0: choices.captioned } });
  expect(table.unreachable).toBeUndefined();
  browser.socket.onclose?.();
  expect(table.unreachable).toBe('The connection is lost.');
  table.askHint();
  expect(table.hinting).toBeUndefined();
  table.touch('d1');
  table.touch('d3');
  browser.tick();
  browser.socket.onopen?.();
  expect(table.unreachable).toBeUndefined();
  expect(sent()).toMatchObject({ type: 'play', action: 'd1-d3', n_plies: 4 });
});

test('of several seats the one that acted last takes back', () => {
  browser.socket.receive({ ...VIEW, you: [0, 1], help: true, take_back: { 0: 2, 1: 3 } });
  table.takeBack();
  expect(sent()).toMatchObject({ type: 'take-back', seat: 1, n_plies: 4 });
});

test('what is touched before one’s turn is played when it comes, and told of where it cannot be', () => {
  const waiting = { ...VIEW, you: [0], choices: {} };
  browser.socket.receive({ ...waiting, n_plies: 5 });
  table.touch('d1');
  table.touch('d3');
  expect([table.chosen, table.prefix, table.premoves]).toEqual([['d1', 'd3'], [], true]);
  browser.socket.receive({ ...VIEW, you: [0], n_plies: 6, choices: { 0: choices.moves } });
  expect([table.ahead, sent()]).toMatchObject([[], { type: 'play', action: 'd1-d3', n_plies: 6 }]);
  browser.socket.receive({ ...waiting, n_plies: 7 });
  browser.socket.receive({ type: 'ack', id: sent().id, n_plies: 7 });
  const n = browser.socket.sent.length;
  // So soon after an action it is the second of a double click.
  table.touch('e5');
  expect(table.ahead).toEqual([]);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000);
  table.touch('d1');
  table.cancelPremove();
  expect(table.ahead).toEqual([]);
  table.touch('e5');
  browser.socket.receive({ ...VIEW, you: [0], n_plies: 8, choices: { 0: choices.moves } });
  expect([table.ahead, table.prefix, browser.socket.sent.length]).toEqual([[], [], n]);
  expect(toasts.list.at(-1)?.text).toBe('Your premove (e5) is not possible now.');
  browser.socket.receive({ ...waiting, n_plies: 9 });
  settings.premoves = false;
  table.touch('d1');
  expect(table.ahead).toEqual([]);
  settings.premoves = true;
  vi.restoreAllMocks();
});
