/** A step of a lesson on the board: what was tried, and what the server said to it. */

import { ApiError, lessonTry, narrowLesson, type StepAddress } from './api';
import { PositionBoard } from './position-board.svelte';
import { toasts } from './toasts.svelte';
import type { TryRequest, VerdictView } from './wire';

/** How long a wrong try stays on the board before it is taken back. */
const LOOK_MS = 1_400;

export class LessonBoard extends PositionBoard {
  verdict = $state<VerdictView | null>(null);
  said = $state('');
  shown = $state.raw<string[]>([]);
  /** The seat that acts where the step begins. */
  seat = $state(0);
  /** Why the step cannot be shown. */
  failure = $state<string>();
  #line: string[] = [];
  #back: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly at: StepAddress,
    /** Called with what each try came to, and when what was meant is shown. */
    private readonly happened: (what: VerdictView | 'shown') => void,
  ) {
    super();
  }

  /** Shows the step from its beginning. */
  async open(): Promise<void> {
    this.#line = [];
    await this.#try({});
    this.seat = this.acting;
  }

  close(): void {
    clearTimeout(this.#back);
  }

  play(token: string): void {
    if (this.verdict !== 'right') void this.#try({ line: this.#line, token });
    else this.stay();
  }

  answer(answer: string): void {
    void this.#try({ answer });
  }

  /** Shows what was meant. */
  async reveal(): Promise<void> {
    await this.#try({ line: this.#line, show: true });
  }

  async #try(request: TryRequest): Promise<void> {
    clearTimeout(this.#back);
    try {
      const view = await lessonTry(this.at, request);
      this.failure = undefined;
      this.shown = view.shown;
      if (request.show) this.happened('shown');
      if (view.verdict !== null) {
        this.verdict = view.verdict;
        this.said = view.said;
        this.happened(view.verdict);
      }
      const isTakenBack = view.verdict === 'wrong' && request.token !== undefined;
      // Also where what was meant is shown before the wrong try is taken back.
      this.#line = isTakenBack ? [] : view.line;
      // Until then nothing can be touched: it would be taken for what comes after the wrong try.
      this.show(isTakenBack ? { ...view.position, choices: {} } : view.position);
      if (isTakenBack) this.#back = setTimeout(() => void this.open(), LOOK_MS);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (this.position) toasts.error(message);
      else this.failure = message;
      this.stay();
      if (error instanceof ApiError && this.position) this.prefix = [];
    }
  }

  protected async narrow(touched: string[]): Promise<void> {
    const line = this.#line;
    try {
      const choices = await narrowLesson(this.at, { line, touched });
      if (this.#line === line) this.narrowing = this.narrowing.learn(touched, choices);
    } catch (error) {
      toasts.error(error instanceof Error ? error.message : String(error));
      this.prefix = [];
    }
  }
}
