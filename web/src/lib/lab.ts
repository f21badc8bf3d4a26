/** The lab's side of the server: its runs, and the keys of those that this browser has made. */

import { request } from './api';
import { readLines } from './lines';
import type {
  AgentEntry,
  ExampleView,
  FrameView,
  LearnersView,
  NewRun,
  RunGameView,
  RunMessage,
  RunOrder,
  RunProgress,
  RunRequest,
  RunView,
  TrainedView,
  TuplesView,
} from './wire';

/** What a run of this kind has come to. */
export type ProgressOf<K extends RunProgress['kind']> = Extract<RunProgress, { kind: K }>;

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Those who can play the game of a spec in a run, weakest first. */
export function labAgents(spec: string, signal?: AbortSignal): Promise<AgentEntry[]> {
  return request(`api/lab/agents?spec=${encodeURIComponent(spec)}`, { signal: signal ?? null });
}

/** What can learn the game of a spec, and how. */
export function learnersOf(spec: string, signal?: AbortSignal): Promise<LearnersView> {
  return request(`api/lab/learners?spec=${encodeURIComponent(spec)}`, { signal: signal ?? null });
}

/** The first thing to try, where there is one. */
export async function labExample(): Promise<ExampleView | undefined> {
  const response = await fetch('api/lab/example');
  return response.ok ? (((await response.json()) as ExampleView | null) ?? undefined) : undefined;
}

export const getRun = (run: string): Promise<RunView> => request(`api/lab/runs/${run}`);

/** A game that a training's agent played against itself. */
export const sampleOf = (run: string): Promise<FrameView[]> => request(`api/lab/runs/${run}/sample`);

/** The trained agents, by name. */
export const listTrained = (): Promise<TrainedView[]> => request('api/lab/trained');

export const trainedFileUrl = (name: string): string => `api/lab/trained/${encodeURIComponent(name)}/file`;

export const tuplesOf = (name: string): Promise<TuplesView> =>
  request(`api/lab/trained/${encodeURIComponent(name)}/tuples`);

/** Adds an agent to the library. */
export function importTrained(name: string, file: Blob): Promise<TrainedView> {
  const headers = { 'content-type': 'application/zip' };
  return request(`api/lab/trained?name=${encodeURIComponent(name)}`, { method: 'POST', headers, body: file });
}

export const listRuns = (): Promise<RunView[]> => request('api/lab/runs');

export const runGames = (run: string): Promise<RunGameView[]> => request(`api/lab/runs/${run}/games`);

/** Makes a run, keeps its key, and returns its id. */
export async function makeRun(asked: RunRequest): Promise<string> {
  const made = await request<NewRun>('api/lab/runs', json(asked));
  keepKey(made.run, made.key);
  return made.run;
}

/** Asks something of a run that this browser has made; what is kept gets a name. */
export function orderRun(run: string, what: RunOrder, name?: string): Promise<RunView> {
  return request(`api/lab/runs/${run}`, json({ key: keyOf(run) ?? '', do: what, ...(name ? { name } : {}) }));
}

/** Does what a run would do, and hands over what it comes to, as long as it is not aborted. */
export function tryOut(asked: RunRequest, signal: AbortSignal, heard: (message: RunMessage) => void): Promise<void> {
  return readLines<RunMessage>('api/lab/try', asked, signal, heard);
}

/** Hands over what the server sends about a run, as long as it works and this is not aborted. */
export function watchRun(run: string, signal: AbortSignal, heard: (message: RunMessage) => void): Promise<void> {
  return readLines<RunMessage>(`api/lab/runs/${run}/progress`, undefined, signal, heard);
}

/** Where a game of a run is looked at. */
export const gameUrl = (run: string, number: number): string =>
  `./analysis?${new URLSearchParams({ run, number: String(number) })}`;

const PREFIX = 'raichi.run.';
const MOST_KEPT = 200;

/** The key of a run, where this browser has made it. */
export function keyOf(run: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + run)?.split(' ')[1];
  } catch {
    return undefined;
  }
}

function keepKey(run: string, key: string): void {
  try {
    localStorage.setItem(PREFIX + run, `${Date.now()} ${key}`);
    const kept = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    const at = (name: string) => Number(localStorage.getItem(name)?.split(' ')[0]);
    for (const old of kept.sort((a, b) => at(b) - at(a)).slice(MOST_KEPT)) localStorage.removeItem(old);
  } catch {
    // Private windows may refuse storage; the run can then be looked at only.
  }
}
