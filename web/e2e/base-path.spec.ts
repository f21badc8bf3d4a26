/* The page behind a proxy that has it below a path of its own. */

import { ReverseProxy } from './proxy';
import { board, expect, lot, playOne, settled, test } from './table';

test.use({ serviceWorkers: 'allow' });

const PATH = '/raichi';

test('everything works below a base path', async ({ context, server }) => {
  const proxy = await ReverseProxy.before(server.url, PATH);
  proxy.change = (_, body) => body.replace('<base href="/" />', `<base href="${PATH}/" />`);
  const page = await context.newPage();
  const beside: string[] = [];
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.startsWith(`${PATH}/`)) beside.push(request.url());
  });
  page.on('websocket', (socket) => {
    if (!new URL(socket.url()).pathname.startsWith(`${PATH}/ws/`)) beside.push(socket.url());
  });

  // From the lobby through the dialog to a table.
  await page.goto(`${proxy.url}/`);
  await page.getByRole('button', { name: 'Tic Tac Toe', exact: true }).click();
  await expect(page).toHaveURL(`${proxy.url}/?new=tic-tac-toe`);
  const dialog = page.getByRole('dialog');
  await dialog.locator('[data-seat="0"] select').selectOption('me');
  await dialog.locator('[data-seat="1"] select').selectOption('friend');
  await dialog.getByRole('button', { name: 'Open the table' }).click();
  await expect(board(page)).toBeVisible();
  expect(page.url()).toMatch(new RegExp(`^${proxy.url}/t/[^/]+$`));
  const link = await page.evaluate(() => {
    const name = Object.keys(localStorage).find((key) => key.startsWith('raichi.table.')) ?? '';
    const { id, friends } = JSON.parse(localStorage.getItem(name) ?? '{}');
    return `t/${id}#${friends[0].key}`;
  });

  // A friend comes by the link, and they play.
  const friend = await (await context.browser()?.newContext())?.newPage();
  if (!friend) throw new Error('the browser opens a second window');
  await friend.goto(`${proxy.url}/${link}`);
  await friend.getByRole('button', { name: 'Without a name' }).click();
  expect(await settled(page)).toBe('yours');
  await playOne(page, lot(1));
  await expect(board(friend)).toHaveAttribute('data-state', 'yours');
  await friend.context().close();

  // Links, the way back, the rules, and what is fetched for them.
  await page.getByRole('link', { name: 'Raichi, the games' }).click();
  await expect(page).toHaveURL(`${proxy.url}/`);
  await expect(page.locator('[data-game]').first()).toBeVisible();
  await page.goBack();
  await expect(board(page)).toBeVisible();
  await page.goto(`${proxy.url}/rules/hex`);
  await expect(page.getByRole('heading', { name: 'Variants' })).toBeVisible();
  const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  expect(scope).toBe(`${proxy.url}/`);
  expect(beside).toEqual([]);
  await proxy.close();
});
