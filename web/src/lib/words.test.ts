import { expect, test } from 'vitest';
import { frenchCard, isMentioned, pieceWords, seatsWord } from './words';

test('cards of the French deck are told from cards with words', () => {
  expect(frenchCard('As')).toEqual({ rank: 'A', suit: 's' });
  expect(frenchCard('Td')).toEqual({ rank: 'T', suit: 'd' });
  expect(frenchCard('10d')).toEqual({ rank: 'T', suit: 'd' });
  expect(frenchCard('fire')).toBeUndefined();
  expect(frenchCard(undefined)).toBeUndefined();
});

test('pieces are said in words', () => {
  expect(pieceWords({ cell: 'a', kind: 'card', tone: 'white', text: 'Qh' }, [])).toBe('queen of hearts');
  expect(pieceWords({ cell: 'a', kind: 'card-back', tone: 'plain' }, [])).toBe('a card face down');
  expect(pieceWords({ cell: 'a', kind: 'king', tone: { seat: 1 } }, ['Black', 'White'])).toBe('White king');
  expect(pieceWords({ cell: 'a', kind: 'tile', tone: { scale: 3 }, text: '16' }, [])).toBe('tile 16');
});

test('a label that already tells of a piece is not lengthened', () => {
  const muscovite = { cell: 'a4', kind: 'disc', tone: { seat: 0 }, text: 'M' } as const;
  expect(isMentioned(muscovite, 'a4, Muscovite', ['Muscovites', 'Swedes'])).toBe(true);
  expect(isMentioned(muscovite, 'a4', ['Muscovites', 'Swedes'])).toBe(false);
  const queen = { cell: 'c', kind: 'card', tone: 'red', text: 'Qh' } as const;
  expect(isMentioned(queen, 'first card', [])).toBe(false);
  expect(isMentioned(queen, 'Ann, queen of hearts', [])).toBe(true);
});

test('how many can play is said in words', () => {
  expect([seatsWord([1, 1]), seatsWord([2, 2]), seatsWord([1, 7]), seatsWord([2, 12])]).toEqual([
    'one seat',
    'two seats',
    'one to seven seats',
    'two to 12 seats',
  ]);
});
