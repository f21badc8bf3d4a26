import { describe, expect, it } from 'vitest';
import type { GameEntry, RunView, TrainingRequest } from '../lib/wire';
import { difference, gameName, startsText, titleOf } from './words';

const GAMES = [
  { id: 'tic-tac-toe', name: 'Tic Tac Toe' },
  { id: 'hex', name: 'Hex' },
] as GameEntry[];
const TRAINING: TrainingRequest = {
  game: 'tic-tac-toe',
  learner: 'ntuple:tuples=1x9,alpha=1',
  games: 1000,
  seed: 1,
  against: 'perfect',
  starts: 'all',
  seat: null,
  measure_games: 100,
};

describe('the words of the lab', () => {
  it('are the names of games', () => {
    expect(gameName('tic-tac-toe', GAMES)).toBe('Tic Tac Toe');
    expect(gameName('hex:size=4,swap=true', GAMES)).toBe('Hex (size=4, swap=true)');
    expect(gameName('unknown', GAMES)).toBe('unknown');
    const run = { title: 'An agent learns tic-tac-toe', request: { kind: 'training', ...TRAINING } } as RunView;
    expect(titleOf(run, GAMES)).toBe('An agent learns Tic Tac Toe');
    expect(titleOf(run, [])).toBe('An agent learns tic-tac-toe');
  });

  it('say where games begin', () => {
    expect(startsText('plies:4')).toBe('after 4 plies at random');
    expect(startsText('plies:1')).toBe('after 1 ply at random');
    expect(startsText('all')).toBe('from every position');
  });

  it('say in what trainings differ', () => {
    expect(difference(TRAINING, TRAINING)).toBe('the same options');
    const other = { ...TRAINING, learner: 'ntuple:tuples=1x9,epsilon=0.1', seed: 2 };
    expect(difference(other, TRAINING)).toBe('epsilon=0.1, alpha as usual, seed=2');
    expect(difference({ ...TRAINING, learner: 'alphazero', against: 'random' }, TRAINING)).toBe(
      'alphazero, against random',
    );
  });
});
