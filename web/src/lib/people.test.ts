import { expect, test } from 'vitest';
import { views } from '../fixtures';
import { called, calledFirst, nameOf, whoOffers } from './people';
import type { View } from './wire';

const seats = views.nim3p.seats.map((seat, i) => ({ ...seat, occupant: ['Ann', 'Bob', null][i] ?? null }));
const view: View = { ...views.nim3p, seats, you: [0] };

test('people are called by their names where these tell them apart, else by their seats', () => {
  expect([0, 1, 2].map((seat) => nameOf(view, seat))).toEqual(['Ann', 'Bob', 'Player 3']);
  const twins = { ...view, seats: seats.map((seat) => ({ ...seat, occupant: 'Ann' })) };
  expect([0, 1].map((seat) => nameOf(twins, seat))).toEqual(['Player 1', 'Player 2']);
  const engine = { ...view, seats: seats.map((seat) => ({ ...seat, kind: 'engine' as const, occupant: 'mcts' })) };
  expect(nameOf(engine, 1)).toBe('Player 2');
});

test('one’s only seat is oneself; of several, each has its name', () => {
  expect([0, 1].map((seat) => called(view, seat))).toEqual(['you', 'Bob']);
  expect(calledFirst(view, 0)).toBe('You');
  expect(called({ ...view, you: [0, 1] }, 0)).toBe('Ann');
  expect(called({ ...view, you: [] }, 0)).toBe('Ann');
});

test('a rematch is offered by the other, where there is one', () => {
  expect(whoOffers({ ...view, seats: seats.slice(0, 2) })).toBe('Bob');
  expect(whoOffers(view)).toBe('Somebody');
  expect(whoOffers({ ...view, seats: seats.slice(0, 2), you: [] })).toBe('Somebody');
});
