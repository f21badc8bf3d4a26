/** The server's HTTP side. */

import type { AgentEntry, Description, GameEntry, NewTable, Passage, SeatRequest, ServerError } from './protocol';

/** An answer that is not the one asked for; `message` is a sentence for people. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

async function request<T>(path: string, init?: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('page/offline', 'The server cannot be reached. Is it running?');
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as T;
  const error = body as Partial<ServerError> | null;
  throw new ApiError(
    error?.code ?? `http/${response.status}`,
    error?.message ?? `The server answered ${response.status} ${response.statusText}.`,
  );
}

// The list does not change while a server runs, so one request serves the whole visit.
let gamesRequest: Promise<GameEntry[]> | undefined;

export function games(): Promise<GameEntry[]> {
  gamesRequest ??= request<GameEntry[]>('/api/games').catch((error: unknown) => {
    gamesRequest = undefined;
    throw error;
  });
  return gamesRequest;
}

/** The rules of a game, by its id. */
export function rules(game: string): Promise<Passage[]> {
  return request(`/api/rules/${encodeURIComponent(game)}`);
}

/** The agents, weakest first; with a spec, those that can play that game. */
export function agents(spec?: string, signal?: AbortSignal): Promise<AgentEntry[]> {
  const query = spec === undefined ? '' : `?spec=${encodeURIComponent(spec)}`;
  return request(`/api/agents${query}`, { signal: signal ?? null });
}

export function describeGame(spec: string, signal?: AbortSignal): Promise<Description> {
  return request(`/api/describe?spec=${encodeURIComponent(spec)}`, { signal: signal ?? null });
}

export function openTable(game: string, seats: SeatRequest[]): Promise<NewTable> {
  return request('/api/tables', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ game, seats }),
  });
}

export function recordUrl(table: string): string {
  return `/api/tables/${encodeURIComponent(table)}/record`;
}
