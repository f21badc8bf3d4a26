import { describe, expect, it } from 'vitest';
import { agentName } from './agent-name';
import type { AgentEntry } from './wire';

const AGENTS = [
  { spec: 'level:1', name: 'Beginner (level 1)', group: 'levels' },
  { spec: 'mcts:time=1s,evaluator=first', name: 'first, with a search', group: 'trained' },
  { spec: 'random', name: 'Random', group: 'methods' },
  { spec: 'mcts:time=1s', name: 'Monte-Carlo tree search, 1 second a move', group: 'methods' },
  { spec: 'perfect:time=1s', name: 'Perfect, 1 second a move', group: 'methods' },
] as AgentEntry[];

describe('the name of an agent', () => {
  it("is that on offer, or its method's and its options", () => {
    expect(agentName('level:1', AGENTS)).toBe('Beginner (level 1)');
    expect(agentName('mcts:time=1s', AGENTS)).toBe('Monte-Carlo tree search, 1 second a move');
    expect(agentName('mcts:sims=200', AGENTS)).toBe('Monte-Carlo tree search, 200 simulations a move');
    expect(agentName('perfect', AGENTS)).toBe('Perfect');
    expect(agentName('trained:first', AGENTS)).toBe('first');
    expect(agentName('unknown:x=1', AGENTS)).toBe('unknown:x=1');
  });
});
