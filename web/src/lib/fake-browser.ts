/** A browser without a network, for tests of connections and tables. */

import { expect } from 'vitest';
import type { Environment, SocketLike } from './connection';

/** A socket whose other end is the test. */
export class FakeSocket implements SocketLike {
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.closed = true;
  }
  receive(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

export class FakeBrowser implements Environment {
  sockets: FakeSocket[] = [];
  timers: { ms: number; what: () => void }[] = [];
  ids = 0;
  connect(): SocketLike {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  }
  after(ms: number, what: () => void): unknown {
    const timer = { ms, what };
    this.timers.push(timer);
    return timer;
  }
  cancel(timer: unknown): void {
    this.timers = this.timers.filter((t) => t !== timer);
  }
  random(): number {
    return 1;
  }
  id(): string {
    this.ids += 1;
    return `id-${this.ids}`;
  }
  get socket(): FakeSocket {
    return this.sockets.at(-1) as FakeSocket;
  }
  /** Fires the only timer there is. Returns how long it would have taken. */
  tick(): number {
    expect(this.timers).toHaveLength(1);
    const [timer] = this.timers.splice(0, 1);
    timer?.what();
    return timer?.ms ?? 0;
  }
}
