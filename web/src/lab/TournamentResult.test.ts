// @vitest-environment happy-dom

import { flushSync, mount, unmount } from 'svelte';
import { expect, test } from 'vitest';
import type { ProgressOf } from '../lib/lab';
import TournamentResult from './TournamentResult.svelte';

/** What the standings say of two agents after a game each. */
function standings(matrix: [number, number, number][][]): string {
  const agent = { spec: 'random', name: 'Random', games: 1, wins: 0, draws: 0, losses: 0, elo: null, millis: 1 };
  const agents = [
    { ...agent, points: 900, payoff: { value: 900, low: null, high: null } },
    { ...agent, points: 700, payoff: { value: 700, low: null, high: null } },
  ];
  const of = { order: [0, 1], matrix, n_games: 2, n_repeated: 0, with_prior: false, mean_length: 40, seat_tones: [] };
  const result = { ...of, agents } as unknown as ProgressOf<'tournament'>;
  const shown = mount(TournamentResult, { target: document.body, props: { run: 'r', result } });
  flushSync();
  const text = document.querySelector('[aria-labelledby="standings"]')?.textContent?.replace(/\s+/g, ' ') ?? '';
  void unmount(shown);
  return text;
}

test('games of one seat have results and no points, nor an Elo', () => {
  const text = standings([]);
  expect(text).toMatch(/AgentGamesMean resultTime a plyRandom1 *900/);
  expect(text).not.toMatch(/Points|of 1|Elo/);
});

test('agents that meet have points', () => {
  const none: [number, number, number] = [0, 0, 0];
  expect(
    standings([
      [none, [1, 0, 0]],
      [[0, 0, 1], none],
    ]),
  ).toContain('Points');
});
