// @vitest-environment happy-dom

import { beforeEach, expect, test, vi } from 'vitest';
import { views } from '../fixtures';
import { heard } from './hearing';
import type { Motion } from './motions';
import { Sounds } from './sounds';
import type { View } from './wire';

/** A context that counts what is started. */
function fakeContext() {
  const param = { value: 0, setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
  const started = vi.fn();
  const node = () => ({ gain: param, frequency: param, connect: (to: unknown) => to, start: started, stop: vi.fn() });
  const context = {
    state: 'running',
    currentTime: 0,
    sampleRate: 8_000,
    destination: {},
    createGain: node,
    createOscillator: node,
    createBufferSource: node,
    createBiquadFilter: node,
    createBuffer: (_: number, length: number) => ({ getChannelData: () => new Float32Array(length) }),
  };
  return { context: context as unknown as AudioContext, started };
}

let on: boolean;
let fake: ReturnType<typeof fakeContext>;
let create: () => AudioContext;
let sounds: Sounds;

beforeEach(() => {
  on = true;
  fake = fakeContext();
  create = vi.fn(() => fake.context);
  sounds = new Sounds(() => on, create);
});

test('no sound before a gesture, and none while they are off', () => {
  const stop = sounds.listen();
  sounds.play('place', 0);
  expect(create).not.toHaveBeenCalled();
  dispatchEvent(new Event('pointerdown'));
  sounds.play('place', 100);
  expect(create).toHaveBeenCalledOnce();
  const n = fake.started.mock.calls.length;
  expect(n).toBeGreaterThan(0);
  on = false;
  sounds.play('place', 200);
  expect(fake.started).toHaveBeenCalledTimes(n);
  dispatchEvent(new Event('keydown'));
  expect(create).toHaveBeenCalledOnce();
  stop();
});

test('many plies at once make one sound', () => {
  sounds.listen();
  dispatchEvent(new Event('keydown'));
  sounds.play('capture', 0);
  const n = fake.started.mock.calls.length;
  sounds.play('capture', 10);
  expect(fake.started).toHaveBeenCalledTimes(n);
  sounds.play('capture', 500);
  expect(fake.started).toHaveBeenCalledTimes(2 * n);
});

const start = { ...views['tic-tac-toe'], n_plies: 3 };
const moved = (...kinds: Motion['kind'][]) => kinds.map((kind) => ({ kind }) as Motion);
const ply = (change: Partial<View>): View => ({ ...start, n_plies: 4, ...change });

test('each sort of ply has its sound', () => {
  const waiting = { choices: {} };
  expect(heard(undefined, start, [])).toEqual([]);
  expect(heard(start, start, [])).toEqual([]);
  expect(heard(start, ply(waiting), moved('appear'))).toEqual(['place']);
  expect(heard(start, ply(waiting), moved('move', 'leave'))).toEqual(['capture']);
  expect(heard(start, ply(waiting), moved('turn'))).toEqual(['capture']);
  expect(heard(start, ply(waiting), moved('leave', 'deal'))).toEqual(['deal']);
});

test('one’s own turn is heard only where others have one too', () => {
  const yours = { you: [0], choices: start.choices };
  const theirs = { ...start, you: [0], choices: {} };
  expect(Object.keys(start.choices)).toEqual(['0']);
  expect(heard(theirs, ply(yours), [])).toEqual(['place', 'turn']);
  expect(heard({ ...theirs, you: [0, 1] }, ply({ ...yours, you: [0, 1] }), [])).toEqual(['place']);
});

test('the end sounds as it is for the person who hears it', () => {
  const result = (payoffs: number[]) => ({ payoffs, end: 'line', sentence: '' });
  const end = (you: number[], payoffs: number[]) => heard(start, ply({ you, result: result(payoffs) }), []);
  expect(end([0], [1, -1])).toEqual(['win']);
  expect(end([1], [1, -1])).toEqual(['lose']);
  expect(end([0], [0, 0])).toEqual(['draw']);
  expect(end([0, 1], [1, -1])).toEqual(['draw']);
  const over = ply({ you: [0], result: result([1, -1]) });
  expect(heard(over, over, [])).toEqual([]);
});
