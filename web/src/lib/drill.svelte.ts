/** A drill: questions one after the other until the time is over. */

import type { Exercise } from './wire';

/** How long an answer that was wrong is explained before the next question can be answered. */
const EXPLAINED_MS = 1_500;
const TICK_MS = 100;

export class Drill {
  /** The number of the question, from 0. */
  at = $state(0);
  nRight = $state(0);
  nAnswered = $state(0);
  /** Milliseconds that are left. */
  left = $state(0);
  over = $state(false);
  /** What is said to the last answer, and whether it was right. */
  said = $state('');
  wasRight = $state(false);
  /** While an answer is explained nothing can be said. */
  explaining = $state(false);
  #end: number;
  #ticking: ReturnType<typeof setInterval>;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly exercises: Exercise[],
    readonly seconds: number,
    /** Called once, with the number of right answers. */
    private readonly ended: (nRight: number) => void,
    private readonly now = () => performance.now(),
  ) {
    this.left = 1000 * seconds;
    this.#end = now() + this.left;
    this.#ticking = setInterval(() => this.tick(), TICK_MS);
  }

  get exercise(): Exercise | undefined {
    return this.exercises[this.at];
  }

  /** Looks at the clock. */
  tick(): void {
    if (this.over) return;
    this.left = Math.max(0, this.#end - this.now());
    if (this.left === 0) this.#finish();
  }

  /** Takes the choice with this number as the answer. One after the end does not count. */
  answer(number: number): void {
    this.tick();
    const { exercise } = this;
    if (this.over || this.explaining || !exercise) return;
    this.nAnswered += 1;
    this.wasRight = number === exercise.right;
    if (this.wasRight) {
      this.nRight += 1;
      this.said = 'Right.';
      this.#goOn();
    } else {
      this.said = `${exercise.because}.`;
      this.explaining = true;
      this.#waiting = setTimeout(() => this.#goOn(), EXPLAINED_MS);
    }
  }

  close(): void {
    clearInterval(this.#ticking);
    clearTimeout(this.#waiting);
  }

  #goOn(): void {
    this.explaining = false;
    if (this.over) return;
    this.at += 1;
    if (this.at >= this.exercises.length) this.#finish();
  }

  #finish(): void {
    this.over = true;
    this.close();
    this.ended(this.nRight);
  }
}
