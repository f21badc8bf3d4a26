/*
 * How the lobby arrives over a slow network on a slow machine. What is checked is its structure, which is the same on
 * every machine: what is asked for before the cards are seen, in how many rounds, and how many bytes that is. The time
 * is printed.
 */

import type { CDPSession } from '@playwright/test';
import { board, expect, openTable, test } from './table';

test.use({ serviceWorkers: 'allow' });

const SLOW_NETWORK = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const SLOWER_CPU = 4;
const N_GAMES = 21;
/** Those with pictures in the document. */
const FIRST_CARDS = 10;

interface Asked {
  path: string;
  started: number;
  finished?: number;
  bytes: number;
  /** What asked for it: the `parser` of the document, or a script. */
  by: string;
}

/** All that the page asks for, with times in seconds. */
async function watched(client: CDPSession): Promise<Map<string, Asked>> {
  const asked = new Map<string, Asked>();
  await client.send('Network.enable');
  client.on('Network.requestWillBeSent', ({ requestId, request, timestamp, initiator }) => {
    const path = new URL(request.url).pathname;
    asked.set(requestId, { path, started: timestamp, bytes: 0, by: initiator.type });
  });
  client.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const request = asked.get(requestId);
    if (request) Object.assign(request, { finished: timestamp, bytes: encodedDataLength });
  });
  return asked;
}

test('the lobby’s cards come in two rounds of requests and few bytes', async ({ page }) => {
  const client = await page.context().newCDPSession(page);
  const asked = await watched(client);
  await client.send('Network.emulateNetworkConditions', SLOW_NETWORK);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_CPU });
  await page.addInitScript(() => {
    const seen = () => {
      const lowest = [...document.querySelectorAll('[data-game]:has(svg)')].at(-1)?.getBoundingClientRect().bottom ?? 0;
      if (lowest < innerHeight) requestAnimationFrame(seen);
      // The window is full of cards, which this frame paints.
      else setTimeout(() => performance.mark('cards'));
    };
    requestAnimationFrame(seen);
  });
  await page.goto('/', { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('cards').length > 0, null, { timeout: 60_000 });
  const [mark] = await page.evaluate(() => performance.getEntriesByName('cards').map(({ startTime }) => startTime));
  // What the browser asks for on its own, such as the icon, is no part of the page.
  const kept = [...asked.values()].filter(({ by, path }) => by !== 'other' || path === '/');
  // Of what scripts and style sheets ask for nothing is waited for: the fonts of the shown text, the other games, the
  // other parts of the page. How much of it comes before the last card is drawn is the machine's affair.
  const isLater = ({ path, by }: Asked) => path.endsWith('.woff2') || by === 'script';
  const before = kept.filter((request) => !isLater(request));
  const bytes = before.reduce((sum, request) => sum + request.bytes, 0);
  process.stdout.write(
    `The lobby's cards are seen after ${((mark ?? 0) / 1000).toFixed(2)} s at 400 ms latency, 50 kB/s and a ` +
      `${SLOWER_CPU} times slower CPU; ${before.length} requests and ${(bytes / 1000).toFixed(1)} kB before them.\n`,
  );

  await expect(page.locator('[data-game] svg').first()).toBeVisible();
  const [html, ...rest] = before;
  expect(html?.path).toBe('/');
  // The second round begins while the document is read: the document names all of it.
  expect(rest.map(({ by }) => by)).toEqual(rest.map(() => 'parser'));
  // The cards are in the document: no data is waited for.
  expect(rest.map(({ path }) => path.replace(/-[\w-]{8}\./, '.')).sort()).toEqual([
    '/assets/Lobby.css',
    '/assets/Lobby.js',
    '/assets/common.css',
    '/assets/common.js',
    '/assets/page.css',
    '/assets/page.js',
  ]);
  // They are asked for by what is there already, and take nothing from it.
  const ready = Math.max(...rest.map(({ finished }) => finished ?? Number.POSITIVE_INFINITY));
  expect(kept.filter((request) => isLater(request) && request.started < ready)).toEqual([]);
  // 62 kB with the pictures of ten games and the words of twenty-one.
  expect(bytes).toBeLessThan(64_000);
});

test('the first cards have their pictures before the games are there, then all have', async ({ page }) => {
  let come = () => {};
  const wanted = new Promise<void>((resolve) => {
    come = resolve;
  });
  // Nor are the other parts of the page, which scripts ask for when the first is shown.
  await page.route(/\/api\/games$|\/assets\/(?!Lobby|common|page)[^/]+\.(js|css)$/, async (route) => {
    await wanted;
    await route.continue();
  });
  await page.goto('/');
  const cards = page.locator('[data-game]');
  await expect(cards).toHaveCount(N_GAMES);
  await expect(page.locator('[data-game]:has(svg)')).toHaveCount(FIRST_CARDS);
  const high = () => cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height));
  const heights = await high();
  // They are found by their words already.
  await page.getByRole('searchbox', { name: 'Find a game' }).fill('yavalath');
  await expect(cards).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Find a game' }).fill('');
  come();
  await expect(page.locator('[data-game]:has(svg)')).toHaveCount(N_GAMES);
  // Nothing moves when the other pictures come.
  expect(await high()).toEqual(heights);
});

test('text is shown before its fonts are there', async ({ page }) => {
  const fonts: string[] = [];
  await page.route('**/*.woff2', (route) => {
    fonts.push(route.request().url());
    // Never replied to.
  });
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.locator('[data-game]')).toHaveCount(N_GAMES);
  await expect.poll(() => fonts.length).toBeGreaterThan(0);
  const unseen = await page.evaluate(() => [...document.fonts].filter(({ display }) => display !== 'swap').length);
  expect(unseen).toBe(0);
  // English text needs none of the second files.
  expect(fonts.filter((url) => url.includes('-more-'))).toEqual([]);
});

test('a table’s address loads its part of the page at once', async ({ page, browser, server }) => {
  const table = await openTable(page, 'tic-tac-toe', ['me', 'random']);
  const context = await browser.newContext({ baseURL: server.url });
  const other = await context.newPage();
  const client = await context.newCDPSession(other);
  const asked = await watched(client);
  await client.send('Network.emulateNetworkConditions', SLOW_NETWORK);
  await other.goto(`/t/${table}`);
  await expect(board(other)).toBeVisible();
  const requests = [...asked.values()];
  const part = requests.find(({ path }) => path.startsWith('/assets/TablePage'));
  // The document names it: no script has to find out first.
  expect(part?.by).toBe('parser');
  // What there is beside the board is told in the page: all games are not asked for.
  await expect(other.getByRole('tab', { name: 'Table' })).toBeVisible();
  expect(requests.filter(({ path }) => path === '/api/games')).toEqual([]);
  await context.close();
});

test('files are sent compressed, and kept for ever where their names say what is in them', async ({ server }) => {
  const get = (path: string, encoding: string) =>
    fetch(server.url + path, { headers: { 'accept-encoding': encoding } });
  const page = await (await get('/', 'identity')).text();
  const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? 'none';
  for (const encoding of ['br', 'gzip']) {
    for (const path of ['/', script, '/api/games', '/api/rules/hex', '/raichi.webmanifest']) {
      const response = await get(path, encoding);
      expect([path, response.headers.get('content-encoding')]).toEqual([path, encoding]);
      expect([path, response.headers.get('vary')?.includes('accept-encoding')]).toEqual([path, true]);
      // What was compressed reads back.
      expect(await response.text()).toBe(await (await get(path, 'identity')).text());
    }
  }
  expect((await get(script, 'br')).headers.get('cache-control')).toContain('immutable');
  expect((await get('/', 'br')).headers.get('cache-control')).toBe('no-cache');
  expect((await get('/service-worker.js', 'br')).headers.get('cache-control')).toBe('no-cache');
  const tag = (await get(script, 'br')).headers.get('etag') ?? '';
  const again = await fetch(server.url + script, { headers: { 'if-none-match': tag } });
  expect(again.status).toBe(304);
  expect(await (await get('/robots.txt', 'identity')).text()).toContain('Disallow: /t/');
});
