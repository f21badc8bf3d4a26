import { expect, test } from 'vitest';
import type { View } from './protocol';
import { situation } from './situation';

const base: View = {
  type: 'view',
  table: 't',
  game: 'g',
  name: 'G',
  seats: ['Yellow', 'Red', 'Blue'].map((name) => ({ name, occupant: null, kind: 'human', connected: true })),
  you: [0],
  n_plies: 0,
  plies_from: 0,
  plies: [],
  to_act: [0],
  thinking: [],
  picture: { areas: [] },
  last: [],
  choices: { '0': { n_actions: 1, touches: [{ action: 'a', path: ['a'] }], captions: false, example: 'a' } },
  result: null,
  seed_hash: '',
  seed: null,
  next_table: null,
};

test('the situation is said in words', () => {
  expect(situation(base, false)).toEqual({ text: 'Your turn as Yellow', yours: true, thinking: false });
  expect(situation({ ...base, to_act: [0, 1] }, false).text).toContain('the others choose at the same time');
  expect(situation(base, true)).toMatchObject({ yours: false, thinking: true });
  const theirs = { ...base, to_act: [1, 2], choices: {} };
  expect(situation(theirs, false).text).toBe('Red and Blue to act');
  expect(situation({ ...theirs, thinking: [1, 2] }, false)).toMatchObject({
    text: 'Red and Blue thinking',
    thinking: true,
  });
  const over: View = { ...base, to_act: 'over', result: { payoffs: [1, 0, 0], end: 'line', sentence: 'Yellow wins.' } };
  expect(situation(over, false).text).toBe('Yellow wins.');
});
