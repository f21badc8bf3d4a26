/** A part of the page that waits for a reply may be gone when it comes: then it must not lead the visitor elsewhere. */

import { onDestroy } from 'svelte';

/** To be called while a component is being set up. What it returns says whether the component is gone. */
export function whetherLeft(): () => boolean {
  let left = false;
  onDestroy(() => {
    left = true;
  });
  return () => left;
}
