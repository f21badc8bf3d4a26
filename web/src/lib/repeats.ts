/** Questions of a drill that come twice running. */

import type { Exercise } from './wire';

/** What is shown of a question; the pieces may lie in another order. */
function shownIn({ question, figures }: Exercise): string {
  return [question, ...figures.map(({ text, tone, kind }) => `${kind} ${text} ${tone}`).sort()].join('\n');
}

/** The questions without those that repeat the one before. */
export function withoutRepeats(exercises: Exercise[]): Exercise[] {
  return exercises.filter((exercise, i) => {
    const before = exercises[i - 1];
    return !before || shownIn(before) !== shownIn(exercise);
  });
}
