import { expect, test } from 'vitest';
import { views } from '../fixtures';
import { situation } from './situation';
import type { View } from './wire';

const base: View = { ...views.nim3p, choices: views['tic-tac-toe'].choices, you: [0] };
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
  expect(situation(over, false).text).toBe(over.result?.sentence);
});
