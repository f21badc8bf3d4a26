/** How much room the screen has, for what a style sheet cannot decide alone. */

import { MediaQuery } from 'svelte/reactivity';

// The style sheets have the same bounds: 860 across and 560 across, 540 high.
const small = new MediaQuery('((max-width: 860px) and (min-height: 541px)) or (max-width: 560px)', false);
const flat = new MediaQuery('(min-width: 561px) and (max-height: 540px)', false);

export const screen = {
  /** Whether all stands below each other, as on a telephone held upright. */
  get narrow(): boolean {
    return small.current;
  },
  /** Whether there is little height, as on a telephone held lengthwise: the actions stand beside the board. */
  get low(): boolean {
    return flat.current;
  },
};
