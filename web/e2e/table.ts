/** What people do at a table, for the tests. */

import { type Browser, test as base, expect, type Locator, type Page } from '@playwright/test';
import { RunningServer } from './server';

export { expect } from '@playwright/test';

/** Tests with a server of the worker's own. */
export const test = base.extend<object, { server: RunningServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures wanted from this pattern.
    async ({}, use) => {
      const server = await RunningServer.start();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
});

/** Opens a table by way of the lobby's dialog; `occupants` are `me`, `friend` or an engine's spec, by seat. */
export async function openTable(page: Page, spec: string, occupants: string[]): Promise<string> {
  await page.goto(`/?new=${spec}`);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Open the table' })).toBeEnabled();
  for (const [seat, occupant] of occupants.entries()) {
    await dialog.locator(`[data-seat="${seat}"] select`).selectOption(occupant);
  }
  await dialog.getByRole('button', { name: 'Open the table' }).click();
  await expect(board(page)).toBeVisible();
  return (await board(page).getAttribute('data-table')) ?? '';
}

/** The links that the opener of a table has for its friends, by seat. */
export async function friendLinks(page: Page): Promise<string[]> {
  const table = await board(page).getAttribute('data-table');
  return page.evaluate((id) => {
    const kept = JSON.parse(localStorage.getItem(`raichi.table.${id}`) ?? '{}') as {
      friends?: { seat: number; key: string }[];
    };
    return (kept.friends ?? []).map(({ key }) => `/t/${id}#${key}`);
  }, table);
}

/** Another person with a browser of their own, who comes by a link and sits down under this name, or without one. */
export async function guest(browser: Browser, baseURL: string | undefined, name = ''): Promise<Page> {
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  if (name) await context.addInitScript((known) => localStorage.setItem('raichi.name', known), name);
  return context.newPage();
}

/** The whole table; its attributes say how things stand. */
export function board(page: Page): Locator {
  return page.locator('main.table');
}

export async function plies(page: Page): Promise<number> {
  return Number(await board(page).getAttribute('data-plies'));
}

export type Phase = 'yours' | 'waiting' | 'over';

/** Waits until the person may choose, or the game is over; between two who share a device, the next one has it. */
export async function settled(page: Page): Promise<Phase> {
  await expect(board(page)).toHaveAttribute('data-state', /yours|over|curtained/, { timeout: 30_000 });
  if ((await board(page).getAttribute('data-state')) === 'curtained') {
    await page.getByRole('button', { name: 'lift the curtain' }).click();
    return settled(page);
  }
  return (await board(page).getAttribute('data-state')) as Phase;
}

/** The ids of all that is highlighted; bodies are turned until something is. */
export async function highlighted(page: Page): Promise<string[]> {
  // Where the graph of touches is cut off, the server is asked for the rest.
  await expect(board(page)).not.toHaveAttribute('data-waits', 'true');
  const turn = page.getByRole('button', { name: 'Turn left' });
  for (let turns = 0; turns < 8; turns++) {
    const ids = await highlightedNow(page);
    if (ids.length > 0 || (await turn.count()) === 0) return ids;
    await turn.first().click();
  }
  return highlightedNow(page);
}

async function highlightedNow(page: Page): Promise<string[]> {
  return page.$$eval('.target[data-touch]', (elements) => [
    ...new Set(elements.map((element) => element.getAttribute('data-touch') ?? '')),
  ]);
}

/** Touches what is highlighted under this id. */
export async function touch(page: Page, id: string): Promise<void> {
  // Of cells that are touched as one, the last lies on top.
  // A string of JSON is one of CSS too, the backslash of a tile included.
  await page
    .locator(`.target[data-touch=${JSON.stringify(id)}]`)
    .last()
    .dispatchEvent('click');
}

/** Touches until one action is chosen. */
export async function playOne(page: Page, draw: (n: number) => number): Promise<void> {
  do {
    const ids = await highlighted(page);
    expect(ids.length, 'something is highlighted whenever it is the person’s turn').toBeGreaterThan(0);
    await touch(page, ids[draw(ids.length)] as string);
    await page.waitForTimeout(30);
  } while ((await board(page).getAttribute('data-chosen')) !== '0');
}

export async function expectNoErrors(page: Page): Promise<void> {
  await expect(page.locator('[data-toast="error"]')).toHaveCount(0);
}

/** Numbers that look drawn by lot and are the same every time. */
export function lot(seed: number): (n: number) => number {
  let state = seed >>> 0 || 1;
  return (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % n;
  };
}

/**
 * Plays at random by touching only what is highlighted, at most `limit` touches; returns the phase then. The pause
 * keeps within the rate that the server allows.
 */
export async function playAtRandom(page: Page, limit: number, draw: (n: number) => number): Promise<Phase> {
  for (let i = 0; i < limit; i++) {
    if ((await settled(page)) === 'over') return 'over';
    const ids = await highlighted(page);
    expect(ids.length, 'something is highlighted whenever it is the person’s turn').toBeGreaterThan(0);
    await touch(page, ids[draw(ids.length)] as string);
    await expectNoErrors(page);
    await page.waitForTimeout(60);
  }
  return settled(page);
}
