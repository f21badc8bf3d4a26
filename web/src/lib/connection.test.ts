import { beforeEach, describe, expect, test } from 'vitest';
import { choices } from '../fixtures';
import { type ConnectionState, type Handlers, type Look, type Narrowed, TableConnection } from './connection';
import { FakeBrowser } from './fake-browser';
import type { Refusal, View } from './wire';

let browser: FakeBrowser;
let states: ConnectionState[];
let seen: {
  views: View[];
  looks: Look[];
  narrowed: Narrowed[];
  errors: (Refusal & { id?: string | undefined })[];
  acks: string[];
  /** The acknowledged that were sent more than once. */
  acksAgain: string[];
};
let connection: TableConnection;

const play = { type: 'play', seat: 0, action: '4', n_plies: 3 } as const;
const hint = { type: 'hint', seat: 0, n_plies: 3 } as const;

beforeEach(() => {
  browser = new FakeBrowser();
  states = [];
  seen = { views: [], looks: [], narrowed: [], errors: [], acks: [], acksAgain: [] };
  const handlers: Handlers = {
    view: (view) => seen.views.push(view),
    look: (look) => seen.looks.push(look),
    hint: () => undefined,
    why: () => undefined,
    narrowed: (narrowed) => seen.narrowed.push(narrowed),
    error: ({ code, message }, id) => seen.errors.push({ code, message, id }),
    acknowledged: (id, _, sentAgain) => {
      seen.acks.push(id);
      if (sentAgain) seen.acksAgain.push(id);
    },
    state: (state) => states.push(state),
  };
  connection = new TableConnection('ws://here/ws/t', () => ({ keys: ['k1'], name: 'Ann' }), handlers, browser);
  connection.open();
});

test('a reply about a choice is passed on, and the message not sent again', () => {
  browser.socket.onopen?.();
  const id = connection.send({ type: 'narrow', seat: 0, n_plies: 3, touched: ['a'] });
  const reply = { type: 'narrowed', id, choices: choices.moves };
  browser.socket.receive(reply);
  expect(seen.narrowed).toEqual([reply]);
  connection.reopen();
  browser.socket.onopen?.();
  expect(browser.socket.sent.map(({ type }) => type)).toEqual(['hello']);
});

describe('the connection', () => {
  test('says hello with the keys and passes on what it receives', () => {
    browser.socket.onopen?.();
    expect(browser.socket.sent).toEqual([{ type: 'hello', keys: ['k1'], name: 'Ann' }]);
    browser.socket.receive({ type: 'view', n_plies: 3 });
    expect(seen.views).toHaveLength(1);
    expect(states).toEqual(['open']);
  });

  test('sends a play once and forgets it when it is acknowledged', () => {
    browser.socket.onopen?.();
    const id = connection.send(play);
    expect(browser.socket.sent.at(-1)).toEqual({ ...play, id });
    browser.socket.receive({ type: 'ack', id, n_plies: 4 });
    expect(seen.acks).toEqual([id]);
    browser.socket.onclose?.();
    browser.timers = browser.timers.filter(({ ms }) => ms < 1000);
    browser.tick();
    browser.socket.onopen?.();
    expect(browser.socket.sent.map(({ type }) => type)).toEqual(['hello']);
  });

  test('sends again, with the same id and in order, what was not acknowledged', () => {
    browser.socket.onopen?.();
    const first = connection.send(play);
    browser.socket.onclose?.();
    const second = connection.send({ type: 'rematch' });
    expect(states).toEqual(['open', 'lost']);
    browser.timers = browser.timers.filter(({ ms }) => ms < 1000);
    browser.tick();
    browser.socket.onopen?.();
    expect(browser.socket.sent).toEqual([
      { type: 'hello', keys: ['k1'], name: 'Ann' },
      { ...play, id: first },
      { type: 'rematch', id: second },
    ]);
  });

  test('does not repeat what was refused', () => {
    browser.socket.onopen?.();
    const id = connection.send(play);
    browser.socket.receive({ type: 'error', id, code: 'play/illegal', message: 'No.' });
    expect(seen.errors).toEqual([{ code: 'play/illegal', message: 'No.', id }]);
    connection.reopen();
    browser.socket.onopen?.();
    expect(browser.socket.sent.map(({ type }) => type)).toEqual(['hello']);
  });

  test('waits longer each time, up to a bound, and at once again after a success', () => {
    const delays: number[] = [];
    for (let i = 0; i < 8; i++) {
      browser.socket.onclose?.();
      delays.push(browser.tick());
    }
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    browser.socket.onopen?.();
    browser.socket.receive({ type: 'view', n_plies: 3 });
    browser.socket.onclose?.();
    expect(browser.tick()).toBe(250);
  });

  test('waits longer where the server says that it has no room, and says so', () => {
    const delays: number[] = [];
    for (let i = 0; i < 5; i++) {
      browser.socket.onopen?.();
      browser.socket.receive({ type: 'error', code: 'server/busy', message: 'This table is full.' });
      browser.socket.onclose?.();
      expect(states.at(-1)).toBe('busy');
      delays.push(browser.tick());
    }
    expect(delays).toEqual([4000, 8000, 16000, 30000, 30000]);
    expect(seen.errors[0]?.message).toBe('This table is full.');
    browser.socket.onopen?.();
    browser.socket.receive({ type: 'view', n_plies: 3 });
    expect(states.at(-1)).toBe('open');
    browser.socket.onclose?.();
    expect(states.at(-1)).toBe('lost');
    expect(browser.tick()).toBe(250);
  });

  test('a command that is refused by a busy server does not end the connection', () => {
    browser.socket.onopen?.();
    const id = connection.send({ type: 'rematch' });
    browser.socket.receive({ type: 'error', id, code: 'server/busy', message: 'Too many tables.' });
    expect(states).toEqual(['open']);
  });

  test('does not reconnect where the seat is open in too many places', () => {
    browser.socket.onopen?.();
    browser.socket.receive({ type: 'error', code: 'seat/elsewhere', message: 'This seat is open elsewhere.' });
    expect(states.at(-1)).toBe('closed');
    expect(browser.timers).toHaveLength(0);
  });

  test('reconnects at once when the network is back', () => {
    browser.socket.onopen?.();
    browser.socket.onclose?.();
    connection.reconnectNow();
    expect(browser.sockets).toHaveLength(2);
    expect(browser.timers).toHaveLength(0);
  });

  test('reconnects when a play gets no reply', () => {
    browser.socket.onopen?.();
    const id = connection.send(play);
    const dead = browser.socket;
    browser.tick();
    expect(dead.closed).toBe(true);
    expect(states).toEqual(['open', 'lost']);
    browser.tick();
    browser.socket.onopen?.();
    expect(browser.socket.sent.at(-1)).toEqual({ ...play, id });
    // It may have been done, and taken back, before.
    browser.socket.receive({ type: 'ack', id, n_plies: 4 });
    const next = connection.send(play);
    browser.socket.receive({ type: 'ack', id: next, n_plies: 4 });
    expect(seen).toMatchObject({ acks: [id, next], acksAgain: [id] });
  });

  test('does not take the time that an engine thinks for a lost connection', () => {
    browser.socket.onopen?.();
    connection.send(hint);
    expect(browser.timers).toEqual([]);
    const id = connection.send(play);
    connection.send(hint);
    browser.socket.receive({ type: 'ack', id, n_plies: 4 });
    browser.tick();
    expect(states).toEqual(['open']);
    // Other commands are replied to at once.
    connection.send(play);
    connection.send(hint);
    browser.tick();
    expect(states).toEqual(['open', 'lost']);
  });

  test('neither sends again what is forgotten nor tells that it is refused', () => {
    browser.socket.onopen?.();
    const [first, second] = [connection.send(hint), connection.send(hint)];
    connection.forget(first);
    browser.socket.receive({ type: 'error', id: first, code: 'hint/replaced', message: 'Another one is asked for.' });
    expect(seen.errors).toEqual([]);
    connection.reopen();
    browser.socket.onopen?.();
    expect(browser.socket.sent.map(({ id }) => id)).toEqual([undefined, second]);
  });

  test.each(['table/unknown', 'table/damaged', 'table/newer'])('does not reconnect after %s', (code) => {
    browser.socket.onopen?.();
    browser.socket.receive({ type: 'error', code, message: 'There is no table.' });
    expect(seen.errors).toHaveLength(1);
    expect(states.at(-1)).toBe('closed');
    expect(browser.socket.closed).toBe(true);
    expect(browser.timers).toHaveLength(0);
  });

  test('sends nothing once closed', () => {
    browser.socket.onopen?.();
    connection.close();
    expect(states.at(-1)).toBe('closed');
    expect(browser.timers).toHaveLength(0);
  });
});
