import { expect, test } from 'vitest';
import { isNamed } from './search';

const game = {
  id: 'four-up',
  name: 'Four up',
  blurb: 'Drop discs.',
  aliases: ['4 in a row', 'Vier gewinnt', 'Quatre à la suite'],
};

test('a game is found by any of its names, however they are written', () => {
  for (const wanted of ['', ' four', 'FOUR-UP', 'four up', '4 in a row', 'gewinnt', 'quatre a la', 'discs']) {
    expect(isNamed(game, wanted), wanted).toBe(true);
  }
  expect(isNamed(game, 'five')).toBe(false);
  expect(isNamed({ ...game, aliases: [] }, 'vier')).toBe(false);
});
