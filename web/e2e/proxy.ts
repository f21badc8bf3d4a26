/** A proxy before a server, as an operator would have one, which can change what it hands on. */

import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** What to send instead of a body, by its path. */
export type Change = (path: string, body: string) => string;

export class ReverseProxy {
  change: Change | undefined;
  #server: Server;
  #sockets = new Set<Socket>();

  private constructor(
    private readonly target: URL,
    private readonly prefix: string,
  ) {
    this.#server = createServer((incoming, reply) => {
      const { change } = this;
      const path = this.#behind(incoming.url);
      if (path === undefined) {
        reply.writeHead(404).end();
        return;
      }
      const headers = { ...incoming.headers };
      // What may be changed is asked for whole and as it is.
      if (change) {
        headers['accept-encoding'] = 'identity';
        delete headers['if-none-match'];
      }
      const forwarded = request(new URL(path, target), { method: incoming.method ?? 'GET', headers }, (response) => {
        const { statusCode = 502 } = response;
        if (!change || statusCode !== 200) {
          reply.writeHead(statusCode, response.headers);
          response.pipe(reply);
          return;
        }
        text(response).then((body) => {
          const { 'content-length': _, etag: __, ...kept } = response.headers;
          reply.writeHead(statusCode, kept);
          reply.end(change(path, body));
        });
      });
      forwarded.on('error', () => reply.destroy());
      incoming.pipe(forwarded);
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('upgrade', (incoming, socket, head) => this.#tunnel(incoming, socket as Socket, head));
  }

  /** Before the server at `target`; it is below `prefix` here, which is empty or like `/raichi`. */
  static async before(target: string, prefix = ''): Promise<ReverseProxy> {
    const proxy = new ReverseProxy(new URL(target), prefix);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.prefix}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #behind(url = '/'): string | undefined {
    return url.startsWith(`${this.prefix}/`) ? url.slice(this.prefix.length) : undefined;
  }

  #tunnel(incoming: IncomingMessage, socket: Socket, head: Buffer): void {
    const path = this.#behind(incoming.url);
    if (path === undefined) {
      socket.destroy();
      return;
    }
    const onward = connect(Number(this.target.port), this.target.hostname, () => {
      const headers = Array.from({ length: incoming.rawHeaders.length / 2 }, (_, i) =>
        incoming.rawHeaders.slice(2 * i, 2 * i + 2).join(': '),
      );
      onward.write(`GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    const end = () => {
      onward.destroy();
      socket.destroy();
    };
    onward.on('error', end);
    socket.on('error', end);
    socket.on('close', end);
  }
}

async function text(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
