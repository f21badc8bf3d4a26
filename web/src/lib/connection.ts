/**
 * A table's connection to the server. It reconnects by itself when it is lost, and what was sent but not yet acknowledged
 * is sent again with the same id, which the server takes as the same message: nothing is lost and nothing happens twice.
 */

import type { ClientMessage, Refusal, ServerMessage, View } from './wire';

export type Look = Extract<ServerMessage, { type: 'look' }>;
export type Hint = Extract<ServerMessage, { type: 'hint' }>;
export type Why = Extract<ServerMessage, { type: 'why' }>;
export type Narrowed = Extract<ServerMessage, { type: 'narrowed' }>;

type WithoutId<Message> = Message extends { id: string } ? Omit<Message, 'id'> : never;
/** What a page asks for; the connection gives it an id. */
export type Command = WithoutId<ClientMessage>;

/** `connecting` for the first time, `open`, `lost` or refused by a `busy` server and reconnecting, or `closed` for good. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'busy' | 'closed';

/** The keys of the seats that this page holds, and the name of the person. */
export interface Greeting {
  keys: string[];
  name?: string;
}

export interface Handlers {
  view(view: View): void;
  look(look: Look): void;
  narrowed(narrowed: Narrowed): void;
  hint(hint: Hint): void;
  why(why: Why): void;
  /** The command with that id was refused, or the connection itself. */
  error(error: Refusal, id: string | undefined): void;
  /**
   * The command is done; it was, or came before, ply number `nPlies`. Where it was sent more than once that may be long ago.
   */
  acknowledged(id: string, nPlies: number, sentAgain: boolean): void;
  state(state: ConnectionState): void;
}

/** What the connection needs of the browser, so that tests can replace it. */
export interface Environment {
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
/** A server without room is asked less often, so that all who wait do not keep it busy. */
const FIRST_BUSY_DELAY_MS = 4_000;
const LONGEST_BUSY_DELAY_MS = 30_000;
/** A command without a reply for so long shows that the connection is lost although it is not closed. */
const REPLY_TIMEOUT_MS = 6_000;
/** Codes after which reconnecting is of no use. */
export const FATAL = new Set(['table/unknown', 'table/damaged', 'table/newer', 'seat/elsewhere', 'origin/wrong']);

/** A command that has no reply yet. */
interface Pending {
  command: Command;
  /** How often it was sent. */
  times: number;
}

export class TableConnection {
  #socket: SocketLike | undefined;
  #state: ConnectionState = 'connecting';
  #attempts = 0;
  /** Whether the server said that it has no room. */
  #busy = false;
  #retry: unknown;
  #replyTimer: unknown;
  /** In the order in which they were sent. */
  #pending = new Map<string, Pending>();

  constructor(
    private readonly url: string,
    private readonly greeting: () => Greeting,
    private readonly handlers: Handlers,
    private readonly world: Environment = browser,
  ) {}

  open(): void {
    this.#connect();
  }

  close(): void {
    this.#enter('closed');
    this.world.cancel(this.#retry);
    this.world.cancel(this.#replyTimer);
    this.#drop();
  }

  /** Connects and says hello again. */
  reopen(): void {
    this.world.cancel(this.#retry);
    this.#connect();
  }

  /** Sends a command now, or as soon as the connection is open. Returns its id. */
  send(command: Command): string {
    const id = this.world.id();
    const pending = { command, times: 0 };
    this.#pending.set(id, pending);
    if (this.#state === 'open') this.#transmit(id, pending);
    return id;
  }

  /** Waits no longer for a reply: the command is not sent again, and its refusal is not told. */
  forget(id: string): void {
    this.#pending.delete(id);
  }

  /** Reconnects without waiting for the end of the pause, as when the network is back. */
  reconnectNow(): void {
    if (this.#state !== 'lost' && this.#state !== 'busy') return;
    this.world.cancel(this.#retry);
    this.#connect();
  }

  #connect(): void {
    this.#drop();
    const socket = this.world.connect(this.url);
    this.#socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'hello', ...this.greeting() }));
      this.#enter('open');
      for (const [id, pending] of this.#pending) this.#transmit(id, pending);
    };
    socket.onmessage = ({ data }) => this.#receive(String(data));
    socket.onclose = () => this.#lose();
  }

  #transmit(id: string, pending: Pending): void {
    const { command } = pending;
    pending.times += 1;
    this.#socket?.send(JSON.stringify({ ...command, id }));
    if (takesLong(command)) return;
    this.world.cancel(this.#replyTimer);
    this.#replyTimer = this.world.after(REPLY_TIMEOUT_MS, () => {
      const isOverdue = [...this.#pending.values()].some(({ command }) => !takesLong(command));
      if (isOverdue && this.#state === 'open') this.#lose();
    });
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as ServerMessage;
    switch (message.type) {
      case 'view':
        this.#attempts = 0;
        this.handlers.view(message);
        break;
      case 'look':
        this.#pending.delete(message.id);
        this.handlers.look(message);
        break;
      case 'narrowed':
        this.#pending.delete(message.id);
        this.handlers.narrowed(message);
        break;
      case 'hint':
        this.#pending.delete(message.id);
        this.handlers.hint(message);
        break;
      case 'why':
        this.#pending.delete(message.id);
        this.handlers.why(message);
        break;
      case 'ack': {
        const { id, n_plies } = message;
        const sentAgain = (this.#pending.get(id)?.times ?? 0) > 1;
        this.#pending.delete(id);
        this.handlers.acknowledged(id, n_plies, sentAgain);
        break;
      }
      case 'error': {
        const { id, code } = message;
        const isForgotten = id !== undefined && !this.#pending.delete(id);
        if (FATAL.has(code)) this.close();
        else if (isForgotten) break;
        this.#busy = id === undefined && code === 'server/busy';
        this.handlers.error(message, id);
        break;
      }
    }
  }

  #lose(): void {
    if (this.#state === 'closed') return;
    this.#drop();
    this.#enter(this.#busy ? 'busy' : 'lost');
    const [first, longest] = this.#busy
      ? [FIRST_BUSY_DELAY_MS, LONGEST_BUSY_DELAY_MS]
      : [FIRST_DELAY_MS, LONGEST_DELAY_MS];
    this.#busy = false;
    const ceiling = Math.min(longest, first * 2 ** this.#attempts);
    this.#attempts += 1;
    // Between half and all of it, so that the pages of a table do not all reconnect at once.
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

  #enter(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.handlers.state(state);
  }
}

/** An engine thinks before it replies to a question for a hint. */
function takesLong({ type }: Command): boolean {
  return type === 'hint';
}

const browser: Environment = {
  connect: (url) => new WebSocket(url) as unknown as SocketLike,
  after: (ms, what) => setTimeout(what, ms),
  cancel: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  random: Math.random,
  id: () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`,
};

/** The address of a table's WebSocket, of the page at this root. */
export function socketUrl(table: string, root: string): string {
  return `${root.replace(/^http/, 'ws')}/ws/${encodeURIComponent(table)}`;
}
