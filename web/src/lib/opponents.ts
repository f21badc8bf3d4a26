/** Who is proposed for the other seats of a new table. */

import type { AgentEntry } from './wire';

function middle(agents: AgentEntry[]): AgentEntry | undefined {
  return agents[Math.floor((agents.length - 1) / 2)];
}

/** Those who play this seat: nearly all play every seat. */
export function ableAt(agents: readonly AgentEntry[], seat: number): AgentEntry[] {
  return agents.filter((agent) => agent.seat === null || agent.seat === seat);
}

/**
 * The spec of the opponent to propose: the first of those wanted that plays the game, and otherwise a level of medium
 * strength. Who is wanted is named by a spec, or by its kind alone, of which it is the one in the middle of the list:
 * `best` may be on offer with several times. Without agents there is none.
 */
export function opponent(agents: AgentEntry[], wanted: readonly string[]): string | undefined {
  for (const name of wanted) {
    const exact = agents.find(({ spec }) => spec === name);
    const found = exact ?? middle(agents.filter(({ spec }) => spec.split(':')[0] === name));
    if (found) return found.spec;
  }
  return (middle(agents.filter(({ group }) => group === 'levels')) ?? agents[0])?.spec;
}
