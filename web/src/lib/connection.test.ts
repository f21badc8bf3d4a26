import { beforeEach, describe, expect, test } from 'vitest';
import { type Handlers, type LineState, TableLine } from './connection';
import { World } from './fake-world';
import type { Look, Narrowed, ServerError, View } from './protocol';

let world: World;
let states: LineState[];
let seen: {
  views: View[];
  looks: Look[];
  narrowed: Narrowed[];
  errors: (ServerError & { id?: string | undefined })[];
  acks: string[];
};
let line: TableLine;

const play = { type: 'play', seat: 0, action: '4', n_plies: 3 } as const;

beforeEach(() => {
  world = new World();
  states = [];
  seen = { views: [], looks: [], narrowed: [], errors: [], acks: [] };
  const handlers: Handlers = {
    view: (view) => seen.views.push(view),
    look: (look) => seen.looks.push(look),
    narrowed: (narrowed) => seen.narrowed.push(narrowed),
    error: ({ code, message }, id) => seen.errors.push({ code, message, id }),
    acknowledged: (id) => seen.acks.push(id),
    state: (state) => states.push(state),
  };
  line = new TableLine('ws://here/ws/t', () => ({ keys: ['k1'], name: 'Ann' }), handlers, world);
  line.open();
});

test('an answer to a question about a choice is handed on, and the question not asked again', () => {
  world.socket.onopen?.();
  const id = line.send({ type: 'narrow', seat: 0, n_plies: 3, touched: ['a'] });
  const answer = { type: 'narrowed', id, n_actions: 1, touches: [], captions: false, example: 'a', caption: null };
  world.socket.says(answer);
  expect(seen.narrowed).toEqual([answer]);
  line.reopen();
  world.socket.onopen?.();
  expect(world.socket.sent.map(({ type }) => type)).toEqual(['hello']);
});

describe('the line', () => {
  test('greets with the keys and hands on what comes', () => {
    world.socket.onopen?.();
    expect(world.socket.sent).toEqual([{ type: 'hello', keys: ['k1'], name: 'Ann' }]);
    world.socket.says({ type: 'view', n_plies: 3 });
    expect(seen.views).toHaveLength(1);
    expect(states).toEqual(['open']);
  });

  test('sends a play once and forgets it when it is acknowledged', () => {
    world.socket.onopen?.();
    const id = line.send(play);
    expect(world.socket.sent.at(-1)).toEqual({ ...play, id });
    world.socket.says({ type: 'ack', id, n_plies: 4 });
    expect(seen.acks).toEqual([id]);
    world.socket.onclose?.();
    world.timers = world.timers.filter(({ ms }) => ms < 1000);
    world.tick();
    world.socket.onopen?.();
    expect(world.socket.sent.map(({ type }) => type)).toEqual(['hello']);
  });

  test('sends again, with the same id and in order, what was not acknowledged', () => {
    world.socket.onopen?.();
    const first = line.send(play);
    world.socket.onclose?.();
    const second = line.send({ type: 'rematch' });
    expect(states).toEqual(['open', 'lost']);
    world.timers = world.timers.filter(({ ms }) => ms < 1000);
    world.tick();
    world.socket.onopen?.();
    expect(world.socket.sent).toEqual([
      { type: 'hello', keys: ['k1'], name: 'Ann' },
      { ...play, id: first },
      { type: 'rematch', id: second },
    ]);
  });

  test('does not repeat what was refused', () => {
    world.socket.onopen?.();
    const id = line.send(play);
    world.socket.says({ type: 'error', id, code: 'play/illegal', message: 'No.' });
    expect(seen.errors).toEqual([{ code: 'play/illegal', message: 'No.', id }]);
    line.reopen();
    world.socket.onopen?.();
    expect(world.socket.sent.map(({ type }) => type)).toEqual(['hello']);
  });

  test('waits longer each time, up to a bound, and at once again after a success', () => {
    const delays: number[] = [];
    for (let i = 0; i < 8; i++) {
      world.socket.onclose?.();
      delays.push(world.tick());
    }
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    world.socket.onopen?.();
    world.socket.onclose?.();
    expect(world.tick()).toBe(250);
  });

  test('hurries when the network is back', () => {
    world.socket.onopen?.();
    world.socket.onclose?.();
    line.hurry();
    expect(world.sockets).toHaveLength(2);
    expect(world.timers).toHaveLength(0);
  });

  test('takes long silence after a play for a loss', () => {
    world.socket.onopen?.();
    const id = line.send(play);
    const dead = world.socket;
    world.tick();
    expect(dead.closed).toBe(true);
    expect(states).toEqual(['open', 'lost']);
    world.tick();
    world.socket.onopen?.();
    expect(world.socket.sent.at(-1)).toEqual({ ...play, id });
  });

  test('gives up where there is no such table', () => {
    world.socket.onopen?.();
    world.socket.says({ type: 'error', code: 'table/unknown', message: 'There is no table.' });
    expect(states.at(-1)).toBe('closed');
    expect(world.socket.closed).toBe(true);
    expect(world.timers).toHaveLength(0);
  });

  test('keeps quiet once closed', () => {
    world.socket.onopen?.();
    line.close();
    expect(states.at(-1)).toBe('closed');
    expect(world.timers).toHaveLength(0);
  });
});
