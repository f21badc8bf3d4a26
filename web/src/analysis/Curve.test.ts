// @vitest-environment happy-dom

import { flushSync, mount, unmount } from 'svelte';
import { expect, test } from 'vitest';
import type { Analysis } from '../lib/analysis.svelte';
import Curve from './Curve.svelte';

const WORKS = 'Working out what each ply was worth …';
const SAYS_NOTHING = 'This agent does not say what positions are worth.';

/** What is said over a curve with so many points, after a part of the work. */
function said(nPoints: number, progress: number, curveRuns: boolean): string | undefined {
  const points = new Map(
    Array.from({ length: nPoints }, (_, n_plies) => [n_plies, { n_plies, values: [0], exact: false, best: null }]),
  );
  const curve = { points, losses: new Map(), worst: [], progress };
  const position = { opposed: false, seats: [{}] };
  const analysis = { curve, curveOf: ['a', 'b'], curveRuns, path: [], range: [-1, 1], tones: [], position };
  const shown = mount(Curve, { target: document.body, props: { analysis: analysis as unknown as Analysis } });
  flushSync();
  const text = document.querySelector('[role="status"]')?.textContent?.trim();
  void unmount(shown);
  return text;
}

test('a curve without points says whether some are to come', () => {
  expect(said(0, 0, true)).toBe(WORKS);
  expect(said(0, 1, false)).toBe(SAYS_NOTHING);
  expect(said(1, 0.1, true)).toBeUndefined();
  // It was cut off, and is asked for again.
  expect(said(0, 0, false)).toBeUndefined();
});
