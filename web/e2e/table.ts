/** What people do at a table, for the tests. */

import { type Browser, test as base, expect, type Locator, type Page } from '@playwright/test';
import type { KeyKind, NewTable, SeatRequest } from '../src/lib/wire';
import { RunningServer } from './server';

export { expect } from '@playwright/test';

// Tests touch faster than people do. What the server does with too many messages is for its own tests.
const QUICK_HANDS = ['--message-burst', '1000', '--messages-per-second', '200'];

/** Tests with a server of the worker's own. */
export const test = base.extend<object, { server: RunningServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures wanted from this pattern.
    async ({}, use) => {
      const server = await RunningServer.start(QUICK_HANDS);
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
});

/** Who sits where: `me`, `friend` or an engine's spec, by seat. */
export type Occupants = string[];

/**
 * Opens a table as the lobby's dialog does, without the lobby: the server is asked for it, and its keys are kept where
 * the page keeps them. What is about the dialog opens its tables there.
 */
export async function openTable(page: Page, spec: string, occupants: Occupants): Promise<string> {
  const seats: SeatRequest[] = occupants.map((occupant) =>
    occupant === 'me' || occupant === 'friend' ? { kind: occupant } : { kind: 'engine', agent: occupant },
  );
  const reply = await page.request.post('/api/tables', { data: { game: spec, seats } });
  expect(reply.ok(), `a table of ${spec}: ${await reply.text()}`).toBe(true);
  const { table, keys } = (await reply.json()) as NewTable;
  const held = (kind: KeyKind) => keys.filter((held) => held.kind === kind).map(({ seat, key }) => ({ seat, key }));
  const kept = { id: table, game: spec, mine: held('me'), friends: held('friend'), seen: Date.now() };
  // Once: what the page has made of it by the next load is the page's.
  await page.addInitScript(
    ([name, text]) => {
      if (localStorage.getItem(name) === null) localStorage.setItem(name, text);
    },
    [`raichi.table.${table}`, JSON.stringify(kept)] as const,
  );
  await page.goto(`/t/${table}`);
  await expect(board(page)).toBeVisible({ timeout: 60_000 });
  return table;
}

/** Opens a table by way of the lobby's dialog. */
export async function openByDialog(page: Page, spec: string, occupants: Occupants): Promise<string> {
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

/** Changes the size of the window, and waits until the page has laid itself out anew: that takes it a few frames. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise((drawn) => requestAnimationFrame(drawn));
  });
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

interface Standing {
  state: string;
  /** What is highlighted. */
  ids: string[];
  errors: string[];
}

/**
 * Touches what is highlighted under this id, if any is given, and waits until somebody here may choose or the game is
 * over. All of it happens in the page: a game takes hundreds of touches, and asking a browser takes longer than playing.
 */
async function standing(page: Page, touched?: string): Promise<Standing> {
  return page.evaluate(
    ([id, limit]) =>
      new Promise<Standing>((resolve, reject) => {
        const targets = () => [...document.querySelectorAll('.target[data-touch]')];
        const touchOf = (element: Element) => element.getAttribute('data-touch') ?? '';
        const found = (): Standing | undefined => {
          const table = document.querySelector<HTMLElement>('main.table');
          const { state = 'waiting', waits } = table?.dataset ?? {};
          if (state === 'waiting' || waits === 'true') return undefined;
          const errors = [...document.querySelectorAll('[data-toast="error"]')].map((toast) => toast.textContent ?? '');
          return { state, ids: [...new Set(targets().map(touchOf))], errors };
        };
        if (id !== null) {
          // Of cells that are touched as one, the last lies on top.
          const target = targets()
            .filter((element) => touchOf(element) === id)
            .at(-1);
          if (!target) return reject(new Error(`nothing is highlighted as ${id}`));
          target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }));
        }
        const watcher = new MutationObserver(() => setTimeout(look));
        const end = setTimeout(() => {
          watcher.disconnect();
          reject(new Error(`nobody may choose within ${limit} ms after ${id}`));
        }, limit);
        const look = () => {
          const now = found();
          if (!now) return;
          watcher.disconnect();
          clearTimeout(end);
          resolve(now);
        };
        watcher.observe(document.body, { subtree: true, attributes: true, childList: true });
        // The page has drawn by then what follows from the touch at once; that it waits for the server is among it.
        setTimeout(look);
      }),
    [touched ?? null, 30_000] as const,
  );
}

/** Plays at random by touching only what is highlighted, at most `limit` touches; returns the phase then. */
export async function playAtRandom(page: Page, limit: number, draw: (n: number) => number): Promise<Phase> {
  let touched: string | undefined;
  for (let touches = 0; ; touches++) {
    const now = await standing(page, touched);
    touched = undefined;
    expect(now.errors).toEqual([]);
    if (now.state === 'over') return 'over';
    if (now.state === 'curtained') await settled(page);
    if (touches === limit) return settled(page);
    // Behind a curtain nothing was highlighted yet, and a body may have to be turned.
    const ids = now.ids.length > 0 ? now.ids : await highlighted(page);
    expect(ids.length, 'something is highlighted whenever it is the person’s turn').toBeGreaterThan(0);
    touched = ids[draw(ids.length)] as string;
  }
}
