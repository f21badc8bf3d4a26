/** A run that somebody looks at: what the server sends about it as it works, again and again while the server cannot be reached. */

import { ApiError } from './api';
import { orderRun, watchRun } from './lab';
import type { RunOrder, RunView } from './wire';

const RETRY_MS = 2_000;
const LATE = 'The server has not replied yet: the present piece of work takes long.';

export class WatchedRun {
  view = $state.raw<RunView>();
  /** Why nothing can be shown. */
  failure = $state<string>();
  /** Whether the server cannot be reached. */
  lost = $state(false);
  /** What is asked of it just now: the server replies once the present piece of work is done, which may take a while. */
  asking = $state<RunOrder>();
  /** What was asked last and not done, and why. */
  refused = $state.raw<{ what: RunOrder; why: string; isLate: boolean }>();
  #control: AbortController | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly id: string) {}

  async open(): Promise<void> {
    this.close();
    const control = new AbortController();
    this.#control = control;
    try {
      let ended = false;
      await watchRun(this.id, control.signal, (message) => {
        this.lost = false;
        if (message.type === 'run') {
          // What was asked was done after all, though the reply did not come.
          if (message.state !== this.view?.state) this.refused = undefined;
          this.view = message;
        } else if (message.type === 'error') throw new ApiError(message.code, message.message);
        else if (message.type === 'end') ended = true;
      });
      if (!ended) throw new ApiError('page/offline', '');
    } catch (error) {
      if (control.signal.aborted) return;
      if (error instanceof ApiError && !error.isPassing) {
        this.failure = error.message;
        return;
      }
      this.lost = true;
      this.#retry = setTimeout(() => void this.open(), RETRY_MS);
    }
  }

  close(): void {
    this.#control?.abort();
    clearTimeout(this.#retry);
  }

  /** Asks something of it; says whether it was done. */
  async order(what: RunOrder, name?: string): Promise<boolean> {
    [this.asking, this.refused] = [what, undefined];
    try {
      this.view = await orderRun(this.id, what, name);
      if (what === 'resume') void this.open();
      return true;
    } catch (error) {
      // The server waits no longer with its reply, but does what was asked once it can.
      const isLate = error instanceof ApiError && ['http/408', 'http/504'].includes(error.code);
      const why = isLate ? LATE : error instanceof Error ? error.message : String(error);
      this.refused = { what, why, isLate };
      return false;
    } finally {
      this.asking = undefined;
    }
  }
}
