/**
 * A table's line to the server. It comes back by itself when it is lost, and what was sent but not yet acknowledged is
 * sent again with the same id, which the server takes as the same message: nothing is lost and nothing happens twice.
 */

import type { Command, Look, Narrowed, ServerError, ServerMessage, View } from './protocol';

/** `connecting` for the first time, `open`, `lost` and being sought again, or `closed` for good. */
export type LineState = 'connecting' | 'open' | 'lost' | 'closed';

/** Who speaks: the keys of the seats they hold, and what they are called. */
export interface Greeting {
  keys: string[];
  name?: string;
}

export interface Handlers {
  view(view: View): void;
  look(look: Look): void;
  narrowed(narrowed: Narrowed): void;
  /** An objection, to the command with that id or to the line as such. */
  error(error: ServerError, id: string | undefined): void;
  /** The command is done; it was, or came before, ply number `nPlies`. */
  acknowledged(id: string, nPlies: number): void;
  state(state: LineState): void;
}

/** What the line needs of a WebSocket and of the world, so that tests can stand in for both. */
export interface Surroundings {
  connect(url: string): SocketLike;
  after(ms: number, what: () => void): unknown;
  cancel(timer: unknown): void;
  random(): number;
  id(): string;
}

export interface SocketLike {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** A command not answered for so long is a sign that the line is dead without having said so. */
const PATIENCE_MS = 6_000;
/** Codes after which seeking the table again is of no use. */
export const HOPELESS = new Set(['table/unknown', 'seat/key', 'origin/wrong']);

export class TableLine {
  #socket: SocketLike | undefined;
  #state: LineState = 'connecting';
  #attempts = 0;
  #retry: unknown;
  #patience: unknown;
  /** In the order in which they were sent. */
  #unanswered = new Map<string, Command>();

  constructor(
    private readonly url: string,
    private readonly greeting: () => Greeting,
    private readonly handlers: Handlers,
    private readonly world: Surroundings = browser,
  ) {}

  open(): void {
    this.#connect();
  }

  close(): void {
    this.#enter('closed');
    this.world.cancel(this.#retry);
    this.world.cancel(this.#patience);
    this.#drop();
  }

  /** Greets the server anew. */
  reopen(): void {
    this.world.cancel(this.#retry);
    this.#connect();
  }

  /** Sends a command now, or as soon as there is a line; answers its id. */
  send(command: Command): string {
    const id = this.world.id();
    this.#unanswered.set(id, command);
    if (this.#state === 'open') this.#transmit(id, command);
    return id;
  }

  /** Tries at once, as when the network has come back, rather than at the end of the pause. */
  hurry(): void {
    if (this.#state !== 'lost') return;
    this.world.cancel(this.#retry);
    this.#connect();
  }

  #connect(): void {
    this.#drop();
    const socket = this.world.connect(this.url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempts = 0;
      socket.send(JSON.stringify({ type: 'hello', ...this.greeting() }));
      this.#enter('open');
      for (const [id, command] of this.#unanswered) this.#transmit(id, command);
    };
    socket.onmessage = ({ data }) => this.#receive(String(data));
    socket.onclose = () => this.#lose();
  }

  #transmit(id: string, command: Command): void {
    this.#socket?.send(JSON.stringify({ ...command, id }));
    this.world.cancel(this.#patience);
    this.#patience = this.world.after(PATIENCE_MS, () => {
      if (this.#unanswered.size > 0 && this.#state === 'open') this.#lose();
    });
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as ServerMessage;
    switch (message.type) {
      case 'view':
        this.handlers.view(message);
        break;
      case 'look':
        this.#unanswered.delete(message.id);
        this.handlers.look(message);
        break;
      case 'narrowed':
        this.#unanswered.delete(message.id);
        this.handlers.narrowed(message);
        break;
      case 'ack':
        this.#unanswered.delete(message.id);
        this.handlers.acknowledged(message.id, message.n_plies ?? 0);
        break;
      case 'error': {
        const { id, code } = message;
        if (id !== undefined) this.#unanswered.delete(id);
        if (HOPELESS.has(code)) this.close();
        this.handlers.error(message, id);
        break;
      }
    }
  }

  #lose(): void {
    if (this.#state === 'closed') return;
    this.#drop();
    this.#enter('lost');
    const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#attempts);
    this.#attempts += 1;
    // Between half and the whole of it, so that a table's pages do not all come back in the same instant.
    const delay = ceiling * (0.5 + this.world.random() / 2);
    this.world.cancel(this.#retry);
    this.#retry = this.world.after(delay, () => this.#connect());
  }

  #drop(): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = undefined;
    socket.onopen = socket.onclose = socket.onmessage = null;
    socket.close();
  }

  #enter(state: LineState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.handlers.state(state);
  }
}

const browser: Surroundings = {
  connect: (url) => new WebSocket(url) as unknown as SocketLike,
  after: (ms, what) => setTimeout(what, ms),
  cancel: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  random: Math.random,
  id: () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`,
};

/** Where a table's line is. */
export function lineUrl(table: string, location: Location): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return `${scheme}://${location.host}/ws/${encodeURIComponent(table)}`;
}
