import { parts } from '../lib/agent-name';
import type { FormatView, GameEntry, RunOrder, RunState, RunView, TrainingRequest } from '../lib/wire';

export const STATES: Record<RunState, string> = {
  running: 'running',
  paused: 'paused',
  stopped: 'stopped',
  done: 'done',
  failed: 'failed',
};

/** What is said while the server has not yet done what a run was asked, and where it refuses. */
export const ORDERS: Record<RunOrder, [asking: string, refused: string]> = {
  pause: ['pausing', 'paused'],
  resume: ['resuming', 'resumed'],
  stop: ['stopping', 'stopped'],
  remove: ['removing', 'removed'],
  keep: ['keeping', 'kept'],
};

export const FORMATS: Record<FormatView, [name: string, help: string]> = {
  'round-robin': ['Round robin', 'Every agent meets every other.'],
  double: ['Double round robin', 'Every agent meets every other twice.'],
  'knock-out': ['Knock-out', 'Who loses a meeting is out.'],
  swiss: ['Swiss', 'Those meet who have scored alike.'],
};

/** The name of a game with what its spec sets: `Hex (size=4)`. */
export function gameName(spec: string, games: readonly Pick<GameEntry, 'id' | 'name'>[]): string {
  const [id, params] = parts(spec);
  const name = games.find((game) => game.id === id)?.name ?? id;
  return params.length > 0 ? `${name} (${params.join(', ')})` : name;
}

/** What a run is. The server's title has the game's id; with the games its name is known. */
export function titleOf(run: Pick<RunView, 'title' | 'request'>, games: readonly GameEntry[]): string {
  const { request } = run;
  if (games.length === 0) return run.title;
  if (request.kind === 'training') return `An agent learns ${gameName(request.game, games)}`;
  if (request.kind === 'balance') {
    return `Balance of ${request.variants.map((spec) => gameName(spec, games)).join(' and ')}`;
  }
  return run.title;
}

/** Where the games begin in which an agent is measured. */
export function startsText(starts: string): string {
  if (starts === 'start') return 'from the start of the game';
  if (starts === 'all') return 'from every position';
  const plies = /^plies:(\d+)$/.exec(starts)?.[1];
  return plies ? `after ${plies} ${plies === '1' ? 'ply' : 'plies'} at random` : `from ${starts}`;
}

/** In what a training differs from another one, in few words. */
export function difference(one: TrainingRequest, from: TrainingRequest): string {
  const [[kind, options], [fromKind, fromOptions]] = [parts(one.learner), parts(from.learner)];
  const found: string[] = [];
  if (one.game !== from.game) found.push(one.game);
  if (kind !== fromKind) {
    found.push(one.learner);
  } else {
    const key = (option: string) => option.split('=')[0] ?? '';
    const set = new Set(options.map(key));
    found.push(...options.filter((option) => !fromOptions.includes(option)));
    found.push(
      ...fromOptions
        .map(key)
        .filter((name) => !set.has(name))
        .map((name) => `${name} as usual`),
    );
  }
  if (one.seed !== from.seed) found.push(`seed=${one.seed}`);
  if (one.against !== from.against) found.push(`against ${one.against}`);
  if (one.starts !== from.starts) found.push(startsText(one.starts));
  return found.length > 0 ? found.join(', ') : 'the same options';
}
