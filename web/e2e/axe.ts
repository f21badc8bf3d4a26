/** What a machine can find that shuts people out. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { expect } from './table';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The rules whose findings depend on colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

async function violations(page: Page, rules?: string[]): Promise<string[]> {
  // Not as a script of the page's: the server allows none but its own.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  return page.evaluate(async (rules) => {
    // Colours that change by and by are none that anybody is to read by.
    const changes = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(changes.map(({ finished }) => finished.catch(() => undefined)));
    const checker = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await checker.run(document, {
      resultTypes: ['violations'],
      // Of style sheets and films, which no rule here looks at.
      preload: false,
      ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  }, rules);
}

/**
 * Checks the page as it is, in light colours and in dark ones. They are the same document: what has nothing to do with
 * colours is looked at once.
 */
export async function expectAccessible(page: Page, what = ''): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, OF_COLOURS), `${what} in dark colours`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await violations(page), `${what} in light colours`).toEqual([]);
}
