/** The server's HTTP side. Addresses are relative to the page's `<base>`. */

import type {
  AgentEntry,
  Choices,
  Description,
  GameCard,
  GameEntry,
  ImportedRecord,
  KeptVariations,
  LessonView,
  LibraryPage,
  NarrowStep,
  NewTable,
  PassageView,
  PlacingRequest,
  PlacingView,
  Refusal,
  SeatRequest,
  StepOfPassage,
  TableRequest,
  TryRequest,
  TryView,
  VariationsRequest,
} from './wire';

/** A request that failed; `message` is a sentence for people. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** What is to be changed: a parameter of the game, or `position`. */
    readonly param?: string,
    /** The place in a position's text, in characters from 1. */
    readonly column?: number,
  ) {
    super(message);
  }

  /** Whether the same request may succeed later: nobody was reached who knows, or there is too much to do. */
  get isPassing(): boolean {
    return PASSING.includes(this.code) || /^http\/5/.test(this.code);
  }

  /** Whether the server says that what was asked for is wrong, and not that it has failed itself. */
  get isRefusal(): boolean {
    return !this.isPassing && this.code !== 'server/internal';
  }
}

const PASSING = ['page/offline', 'server/busy', 'server/disk-full', 'message/too-many'];

export async function request<T>(path: string, init?: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('page/offline', unreachable());
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as T;
  const error = body as Partial<Refusal> | null;
  throw new ApiError(
    error?.code ?? `http/${response.status}`,
    error?.message ?? `The server replied with ${response.status} ${response.statusText}.`,
    error?.param,
    error?.column,
  );
}

/** Why there is no reply, for people. */
export function unreachable(): string {
  return navigator.onLine
    ? 'The server cannot be reached. Is it running?'
    : 'You are offline. Games are played on the server: they go on when you are connected again.';
}

// The list does not change while a server runs, so one request serves the whole visit.
let gamesRequest: Promise<GameEntry[]> | undefined;

export function games(): Promise<GameEntry[]> {
  gamesRequest ??= request<GameEntry[]>('api/games').catch((error: unknown) => {
    gamesRequest = undefined;
    throw error;
  });
  return gamesRequest;
}

/** What the lobby shows of the games: its page has that in it, with the pictures of the first. */
export async function cards(): Promise<GameCard[]> {
  const written = document.getElementById('cards')?.textContent;
  return written && !gamesRequest ? (JSON.parse(written) as GameCard[]) : games();
}

/** Whether a game has something beside its board: every page has that in it, so that only the lobby needs the games. */
export async function has(what: 'charts' | 'letterings' | 'by_text', game: string): Promise<boolean> {
  const told = document.querySelector<HTMLMetaElement>(`meta[name="${what}"]`);
  if (told) return told.content.split(' ').includes(game);
  return (await games()).some((entry) => entry.id === game && entry[what]);
}

/** The rules of a game, by its id. */
export function rules(game: string): Promise<PassageView[]> {
  return request(`api/rules/${encodeURIComponent(game)}`);
}

/** What is told about a game: where it comes from, what was decided about its rules. */
export function about(game: string): Promise<PassageView[]> {
  return request(`api/about/${encodeURIComponent(game)}`);
}

/** The positions on the way to one that a text draws, which is the passage with this number. */
export function stepsOf(text: 'rules' | 'about', game: string, passage: number): Promise<StepOfPassage[]> {
  return request(`api/${text}/${encodeURIComponent(game)}/${passage}`);
}

/** What can be learned and what can be solved in a game. */
export type Shelf = 'lessons' | 'problems';

/** The lessons of a game, or its problems. */
export function lessons(shelf: Shelf, game: string): Promise<LessonView[]> {
  return request(`api/${shelf}/${encodeURIComponent(game)}`);
}

function post<T>(path: string, body: unknown): Promise<T> {
  return request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** A step of a lesson, or a problem; its numbers are from 1. */
export interface StepAddress {
  shelf: Shelf;
  game: string;
  lesson: number;
  step: number;
}

function addressOf({ shelf, game, lesson, step }: StepAddress): string {
  return `api/${shelf}/${encodeURIComponent(game)}/${lesson}/${step}`;
}

/** What a try in a step of a lesson comes to, or the step's position where nothing is tried. */
export function lessonTry(at: StepAddress, body: TryRequest): Promise<TryView> {
  return post(addressOf(at), body);
}

/** What goes on from some touches in a step of a lesson. */
export function narrowLesson(at: StepAddress, body: NarrowStep): Promise<Choices> {
  return post(`${addressOf(at)}/narrow`, body);
}

/** The agents, weakest first; with a spec, those that can play that game. */
export function agents(spec?: string, signal?: AbortSignal): Promise<AgentEntry[]> {
  const query = spec === undefined ? '' : `?spec=${encodeURIComponent(spec)}`;
  return request(`api/agents${query}`, { signal: signal ?? null });
}

/** The game of a spec, at its start or at a position. */
export function describeGame(spec: string, position: string, signal?: AbortSignal): Promise<Description> {
  const at = position === '' ? '' : `&position=${encodeURIComponent(position)}`;
  return request(`api/describe?spec=${encodeURIComponent(spec)}${at}`, { signal: signal ?? null });
}

/** What lies where in a position that is set up by touching. */
export function place(body: PlacingRequest): Promise<PlacingView> {
  return post('api/placing', body);
}

/** Creates a table; an empty position is the game's own start. */
export function openTable(
  game: string,
  position: string,
  seats: SeatRequest[],
  terms: Pick<TableRequest, 'help' | 'clock'> = {},
): Promise<NewTable> {
  const body: TableRequest = { game, seats, ...(position === '' ? {} : { position }), ...terms };
  return request('api/tables', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** A page of finished games, filtered by a query. */
export function library(query: string, signal?: AbortSignal): Promise<LibraryPage> {
  return request(`api/library${query === '' ? '' : `?${query}`}`, { signal: signal ?? null });
}

/** Where all records of finished games are, filtered by a query. */
export function libraryRecordsUrl(query: string): string {
  return `api/library/records${query === '' ? '' : `?${query}`}`;
}

/** Makes finished games of records, each a line of JSON, and of score sheets, each a line: `kaalu 1. a b 2. a c`. */
export function importRecords(lines: string): Promise<ImportedRecord[]> {
  return request('api/library', { method: 'POST', headers: { 'content-type': 'application/jsonl' }, body: lines });
}

/** What was tried in the analysis of a finished game, as it is kept with its record. */
export function keptVariations(table: string): Promise<KeptVariations> {
  return request(`api/tables/${encodeURIComponent(table)}/variations`);
}

/** Keeps it; `last` where the page is about to be left. */
export function keepVariations(table: string, body: VariationsRequest, last: boolean): Promise<KeptVariations> {
  return request(`api/tables/${encodeURIComponent(table)}/variations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: last,
  });
}

export function sheetUrl(table: string): string {
  return `api/tables/${encodeURIComponent(table)}/sheet`;
}

export function recordUrl(table: string): string {
  return `api/tables/${encodeURIComponent(table)}/record`;
}
