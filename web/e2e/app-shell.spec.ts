/* The page as an installed application: its manifest, and what its service worker keeps and does not keep. */

import type { Page } from '@playwright/test';
import { ReverseProxy } from './proxy';
import { board, expect, openTable, test } from './table';

test.use({ serviceWorkers: 'allow' });

/** Waits until the service worker has kept the page's files; the next page is then in its care. */
async function installed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

async function cacheNames(page: Page): Promise<string[]> {
  return page.evaluate(() => caches.keys());
}

async function kept(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(caches_.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
}

test('it can be installed', async ({ page }) => {
  await page.goto('/');
  const client = await page.context().newCDPSession(page);
  const { errors, url } = await client.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await client.send('Page.getInstallabilityErrors');
  // The tests' windows are private ones.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  const manifest = await (await page.request.get(url)).json();
  expect(manifest.icons.map(({ purpose }: { purpose?: string }) => purpose)).toContain('maskable');
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await page.request.get(new URL(src, url).href);
    expect(icon.headers()['content-type']).toBe(type);
    if (type !== 'image/png') continue;
    // A PNG's width stands at byte 16.
    expect(`${(await icon.body()).readUInt32BE(16)}x${(await icon.body()).readUInt32BE(20)}`).toBe(sizes);
  }
});

test('without a server it opens and says so; with one again it goes on', async ({ page, server }) => {
  await page.goto('/');
  await installed(page);
  await server.kill();
  try {
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Sit down and play' })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('The server cannot be reached');
    // The games are the server's; none are shown as if it were there.
    await expect(page.locator('[data-game]')).toHaveCount(0);
  } finally {
    await server.start();
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('[data-game]').first()).toBeVisible();
});

test('without a network it opens too, and goes on by itself when that is back', async ({ page, context }) => {
  await page.goto('/');
  await installed(page);
  await context.setOffline(true);
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText(/cannot be reached|offline/);
  await context.setOffline(false);
  await expect(page.locator('[data-game]').first()).toBeVisible();
});

test('a page that goes offline says so', async ({ page, context }) => {
  await page.goto('/');
  await expect(page.locator('[data-game]').first()).toBeVisible();
  await installed(page);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Hex', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('You are offline');
});

test('a table’s own page opens without a server too, and comes back with it', async ({ page, server }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'me']);
  await installed(page);
  await server.kill();
  try {
    await page.reload();
    await expect(page.getByText('The server cannot be reached. Trying again …')).toBeVisible();
  } finally {
    await server.start();
  }
  await expect(board(page)).toBeVisible({ timeout: 20_000 });
});

test('only the page’s own files are kept', async ({ page }) => {
  await page.goto('/');
  await installed(page);
  await openTable(page, 'tic-tac-toe', ['me', 'random']);
  await page.reload();
  await expect(board(page)).toBeVisible();
  const paths = await kept(page);
  expect(paths).toContain('/index.html');
  expect(paths.filter((path) => /^\/assets\/.*\.js$/.test(path)).length).toBeGreaterThan(3);
  expect(
    paths.filter((path) => !/^\/(assets|icons)\/|^\/(index\.html|favicon\.svg|raichi\.webmanifest)$/.test(path)),
  ).toEqual([]);
  // The kept page has no games in it.
  const shell = await page.evaluate(async () => (await caches.match('/index.html'))?.text());
  expect(shell).toContain('<div id="app">');
  expect(shell).not.toContain('id="cards"');
});

test('an update waits for the pages of the old version, then drops their files', async ({ context, server }) => {
  test.slow();
  const proxy = await ReverseProxy.before(server.url);
  const first = await context.newPage();
  await first.goto(proxy.url);
  await installed(first);
  await first.reload();
  const [old] = await cacheNames(first);
  // The worker of the next build: it names its cache by another version.
  proxy.change = (path, body) =>
    path === '/service-worker.js' ? body.replace(old?.split(' ').at(-1) ?? '', 'next') : body;
  await first.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
  });
  // It is there and waits, since a page of the old version is open.
  await expect.poll(() => cacheNames(first)).toHaveLength(2);
  await expect
    .poll(() => first.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state))
    .toBe('installed');
  await first.close();
  // The browser needs some time, more on a busy machine, to notice that the last page was closed. A page that is opened
  // before that gets the old version again.
  await expect(async () => {
    const second = await context.newPage();
    await second.goto(proxy.url);
    await expect(second.locator('[data-game]').first()).toBeVisible();
    const names = await cacheNames(second);
    await second.close();
    expect(names).toEqual([old?.replace(/\S+$/, 'next')]);
  }).toPass({ intervals: [500, 1_000, 2_000, 4_000, 8_000], timeout: 120_000 });
  await proxy.close();
});
