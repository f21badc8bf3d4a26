import type { AgentEntry } from './wire';

/** `hex:size=4,swap=true` in its parts. */
export function parts(spec: string): [id: string, options: string[]] {
  const colon = spec.indexOf(':');
  if (colon < 0) return [spec, []];
  return [
    spec.slice(0, colon),
    spec
      .slice(colon + 1)
      .split(',')
      .filter(Boolean),
  ];
}

/**
 * The name of an agent. One that is not on offer with just these options has the name of its method, and its options:
 * `Monte-Carlo tree search, 200 simulations a move`.
 */
export function agentName(spec: string, agents: readonly Pick<AgentEntry, 'spec' | 'name' | 'group'>[]): string {
  const exact = agents.find((agent) => agent.spec === spec);
  if (exact) return exact.name;
  const [id, options] = parts(spec);
  if (id === 'trained') return options.join(', ');
  // `mcts` with a trained evaluator is on offer under that evaluator's name.
  const method = agents.find((agent) => agent.group !== 'trained' && parts(agent.spec)[0] === id);
  if (!method) return spec;
  // Names on offer say how long the method thinks, after a comma.
  const name = method.name.split(',')[0] ?? id;
  const said = options.map((option) => option.replace(/^sims=(\d+)$/, '$1 simulations a move'));
  return [name, ...said].join(', ');
}
