/** A run that somebody looks at: what the server sends about it as it works, again and again while the server cannot be reached. */

import { ApiError } from './api';
import { orderRun, watchRun } from './lab';
import { toasts } from './toasts.svelte';
import type { RunOrder, RunView } from './wire';

const RETRY_MS = 2_000;

export class WatchedRun {
  view = $state.raw<RunView>();
  /** Why nothing can be shown. */
  failure = $state<string>();
  /** Whether the server cannot be reached. */
  lost = $state(false);
  /** Whether something is asked of it just now. */
  busy = $state(false);
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
        if (message.type === 'run') this.view = message;
        else if (message.type === 'error') throw new ApiError(message.code, message.message);
        else if (message.type === 'end') ended = true;
      });
      if (!ended) throw new ApiError('page/offline', '');
    } catch (error) {
      if (control.signal.aborted) return;
      if (error instanceof ApiError && error.code !== 'page/offline' && error.code !== 'server/busy') {
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
    this.busy = true;
    try {
      this.view = await orderRun(this.id, what, name);
      if (what === 'resume') void this.open();
      return true;
    } catch (error) {
      toasts.error(error instanceof Error ? error.message : String(error));
      return false;
    } finally {
      this.busy = false;
    }
  }
}
