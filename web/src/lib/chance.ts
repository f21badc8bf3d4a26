/** Draws among the outcomes of chance. */

import type { OutcomeView } from './wire';

/** One of the outcomes, each as likely as its weight says; `at` is a random number from 0 to below 1. */
export function drawn(outcomes: readonly OutcomeView[], at: number): string | undefined {
  let left = at * outcomes.reduce((sum, { weight }) => sum + weight, 0);
  const found = outcomes.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return (found ?? outcomes.at(-1))?.token;
}
