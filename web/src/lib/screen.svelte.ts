/** How much room the screen has, for what a style sheet cannot decide alone. */

import { MediaQuery } from 'svelte/reactivity';

const small = new MediaQuery('max-width: 860px', false);

export const screen = {
  /** Whether all stands below each other. The style sheets have the same bound. */
  get narrow(): boolean {
    return small.current;
  },
};
