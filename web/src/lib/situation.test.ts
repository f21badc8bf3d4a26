import { expect, test } from 'vitest';
import { views } from '../fixtures';
import { situation } from './situation';
import type { View } from './wire';

const here = views.nim3p.seats.map((seat) => ({ ...seat, connected: true }));
const base: View = { ...views.nim3p, choices: views['tic-tac-toe'].choices, you: [0], seats: here };
const over = views['tic-tac-toe-over'];

test('the situation is said in words', () => {
  expect(situation(base, false)).toEqual({ text: 'Your turn as Player 1', yours: true, thinking: false });
  expect(situation({ ...base, to_act: [0, 1] }, false).text).toContain('the others choose at the same time');
  expect(situation(base, true)).toMatchObject({ yours: false, thinking: true });
  const theirs = { ...base, to_act: [1, 2], choices: {} };
  expect(situation(theirs, false).text).toBe('Player 2 and Player 3 to act');
  expect(situation({ ...theirs, thinking: [1, 2] }, false)).toMatchObject({
    text: 'Player 2 and Player 3 thinking',
    thinking: true,
  });
  // Who has a name of their own is called by it, and who is not here is waited for.
  const named = here.map((seat, i) => ({ ...seat, occupant: ['Ann', 'Bob', null][i] ?? null, connected: i !== 1 }));
  expect(situation({ ...theirs, seats: named }, false).text).toBe('Bob and Player 3 to act; Bob is away');
  expect(situation(over, false).text).toBe(over.result?.sentence);
});
