import { describe, expect, it } from 'vitest';
import type { AgentEntry, GameEntry, RunView, TrainingRequest } from '../lib/wire';
import { agentName, difference, gameName, startsText, titleOf } from './words';

const GAMES = [
  { id: 'tic-tac-toe', name: 'Tic Tac Toe' },
  { id: 'hex', name: 'Hex' },
] as GameEntry[];
const AGENTS = [
  { spec: 'level:1', name: 'Beginner (level 1)', group: 'levels' },
  { spec: 'mcts:time=1s,evaluator=first', name: 'first, with a search', group: 'trained' },
  { spec: 'random', name: 'Random', group: 'methods' },
  { spec: 'mcts:time=1s', name: 'Monte-Carlo tree search, 1 second a move', group: 'methods' },
  { spec: 'perfect:time=1s', name: 'Perfect, 1 second a move', group: 'methods' },
] as AgentEntry[];
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

  it('are the names of agents, also with options that are not on offer', () => {
    expect(agentName('level:1', AGENTS)).toBe('Beginner (level 1)');
    expect(agentName('mcts:time=1s', AGENTS)).toBe('Monte-Carlo tree search, 1 second a move');
    expect(agentName('mcts:sims=200', AGENTS)).toBe('Monte-Carlo tree search, 200 simulations a move');
    expect(agentName('perfect', AGENTS)).toBe('Perfect');
    expect(agentName('trained:first', AGENTS)).toBe('first');
    expect(agentName('unknown:x=1', AGENTS)).toBe('unknown:x=1');
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
