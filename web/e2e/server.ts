/** The real server, started for the tests: the binary that people run, on a port and with a database of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BINARY = process.env.RAICHI_BIN ?? '../target/debug/raichi';
const START_MS = 60_000;

export class RunningServer {
  readonly url: string;
  #folder = mkdtempSync(join(tmpdir(), 'raichi-e2e-'));
  #process: ChildProcess | undefined;
  #output = '';

  private constructor(
    private readonly port: number,
    private readonly settings: string[],
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Settings as on the command line, besides where it is and what it keeps. */
  static async start(settings: string[] = []): Promise<RunningServer> {
    const server = new RunningServer(await freePort(), settings);
    await server.start();
    return server;
  }

  /** Starts it, on the port and with the database it had before. */
  async start(): Promise<void> {
    const child = spawn(
      BINARY,
      [
        'serve',
        '--address',
        `127.0.0.1:${this.port}`,
        '--database',
        join(this.#folder, 'tables.sqlite'),
        ...this.settings,
      ],
      // Trained agents lie there, too.
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, XDG_DATA_HOME: this.#folder } },
    );
    this.#process = child;
    let gone: string | undefined;
    child.stdout?.on('data', (data) => {
      this.#output += data;
    });
    child.stderr?.on('data', (data) => {
      this.#output += data;
    });
    child.on('error', (error) => {
      gone = error.message;
    });
    child.on('exit', (code) => {
      gone ??= `it ended with ${code}`;
    });
    const deadline = Date.now() + START_MS;
    while (!(await isUp(`${this.url}/api/agents`))) {
      if (gone !== undefined || Date.now() > deadline) {
        throw new Error(`${BINARY} does not reply at ${this.url}: ${gone ?? 'no reply in time'}\n${this.#output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Ends it without a chance to say goodbye. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
