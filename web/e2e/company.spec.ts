import {
  board,
  expect,
  expectNoErrors,
  friendLinks,
  guest,
  openByDialog,
  openTable,
  plies,
  settled,
  test,
  touch,
} from './table';

/** Plays Tic Tac Toe to its end by turns: the first seat wins. */
async function playToTheEnd(first: Parameters<typeof settled>[0], second: Parameters<typeof settled>[0]) {
  for (const [ply, cell] of ['a1', 'a2', 'b1', 'b2', 'c1'].entries()) {
    const page = ply % 2 === 0 ? first : second;
    await settled(page);
    await touch(page, cell);
    await expect.poll(() => plies(page)).toBe(ply + 1);
  }
}

test('a rematch that one offers is shown to the other, and takes both there', async ({ page, browser, baseURL }) => {
  await page.addInitScript(() => localStorage.setItem('raichi.name', 'Ann'));
  await openByDialog(page, 'tic-tac-toe', ['me', 'friend']);
  const [link] = await friendLinks(page);
  const bob = await guest(browser, baseURL, 'Bob');
  await bob.goto(link as string);
  const watcher = await guest(browser, baseURL);
  await watcher.goto(`/t/${await board(page).getAttribute('data-table')}`);
  await playToTheEnd(page, bob);

  await expect(page.getByText('offers a rematch')).toHaveCount(0);
  await page.getByRole('button', { name: 'Rematch' }).click();
  await expect(bob.locator('.offer')).toHaveText('Ann offers a rematch.');
  await expect(bob).toHaveTitle(/A rematch\?/);
  await expect(bob.locator('[aria-live="polite"]').filter({ hasText: 'Ann offers a rematch.' })).toHaveCount(1);
  // Ann is there already, and is told who is not.
  await expect(board(page)).toHaveAttribute('data-plies', '0');
  await expect(page.getByTestId('situation')).toHaveText(/Bob to act; Bob is away/);
  await bob.getByRole('button', { name: 'Accept the rematch' }).click();
  await expect(page.getByTestId('situation')).toHaveText(/^Bob to act$/);

  const tables = await Promise.all([page, bob].map((one) => board(one).getAttribute('data-table')));
  expect(new Set(tables).size).toBe(1);
  await settled(bob);
  await touch(bob, 'b2');
  await settled(page);
  for (const one of [page, bob]) await expectNoErrors(one);

  // People who watched can go on watching; those who come back to the first table find the way.
  await watcher.getByRole('button', { name: 'Watch the rematch' }).click();
  await expect(board(watcher)).toHaveAttribute('data-plies', '1');
  await bob.goBack();
  await expect(bob.locator('.offer')).toHaveText('The rematch has begun.');
  await bob.getByRole('button', { name: 'To the rematch' }).click();
  await expect(board(bob)).toHaveAttribute('data-plies', '1');
});

test('a friend’s link asks for a name before anybody joins, and remembers it', async ({ page, browser, baseURL }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'friend']);
  const [link] = await friendLinks(page);
  const friend = await guest(browser, baseURL);
  await friend.goto(link as string);
  const dialog = friend.getByRole('dialog', { name: 'A seat is kept for you' });
  await expect(dialog).toBeVisible();
  await expect(page.locator('[data-seat="1"]')).toContainText('away');
  // Asked again after a reload: nothing is lost.
  await friend.reload();
  await dialog.getByRole('textbox', { name: 'Your name' }).fill('Bob');
  await friend.keyboard.press('Enter');
  await expect(page.locator('.seats [data-seat="1"]')).toContainText('Bob');
  await expect(friend.locator('.seats [data-seat="1"]')).toContainText('Bob (you)');
  expect(new URL(friend.url()).hash).toBe('');

  // Another invitation finds the name.
  await openTable(page, 'tic-tac-toe', ['friend', 'me']);
  const [other] = await friendLinks(page);
  await friend.goto(other as string);
  await expect(board(friend)).toHaveAttribute('data-state', 'yours');
  await expect(page.locator('.seats [data-seat="0"]')).toContainText('Bob');
});

test('a name need not be given', async ({ page, browser, baseURL }) => {
  await openTable(page, 'tic-tac-toe', ['friend', 'me']);
  const [link] = await friendLinks(page);
  const friend = await guest(browser, baseURL);
  await friend.goto(link as string);
  // The question comes with the table, which the page asks for when it has been loaded.
  await expect(friend.getByRole('dialog', { name: 'A seat is kept for you' })).toBeVisible();
  await friend.keyboard.press('Escape');
  await expect(board(friend)).toHaveAttribute('data-state', 'yours');
  await expect(page.locator('.seats [data-seat="0"]')).toContainText('a guest');
});

test('a wrong key is forgotten, said once, and leaves one watching', async ({ page, browser, baseURL }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'me']);
  const table = await board(page).getAttribute('data-table');
  const stranger = await guest(browser, baseURL, 'Eve');
  await stranger.goto(`/t/${table}#no-such-key`);
  await expect(stranger.locator('[data-toast="error"]')).toContainText('holds no seat at this table');
  await expect(stranger.getByText('watching', { exact: true })).toBeVisible();
  const kept = () => stranger.evaluate((id) => localStorage.getItem(`raichi.table.${id}`) ?? '', table);
  expect(await kept()).not.toContain('no-such-key');
  await stranger.reload();
  await expect(stranger.getByText('watching', { exact: true })).toBeVisible();
  await expectNoErrors(stranger);

  // A good key beside it is kept.
  await page.goto(`/t/${table}#no-such-key`);
  await expect(page.locator('[data-toast="error"]')).toContainText('has been forgotten');
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
  await page.reload();
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
});

test('between two who share a device with secrets hangs a curtain', async ({ page }) => {
  // The cards that a seat holds, as its own tray names them.
  const hand = async (seat: number) =>
    page
      .locator(`[data-area="tray:${seat}"] [data-cell]`)
      .evaluateAll((cells) =>
        cells.map((cell) => cell.getAttribute('aria-label') ?? '').filter((it) => / of /.test(it)),
      );
  const hidden = async () => {
    await expect(board(page)).toHaveAttribute('data-state', 'curtained');
    expect(await page.locator('svg [data-cell], svg .piece').count()).toBe(0);
    return page.content();
  };
  await openTable(page, 'poker:players=2', ['me', 'me']);
  await hidden();
  await page.getByRole('button', { name: 'lift the curtain' }).click();
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
  const first = (await hand(0)).length === 2 ? 0 : 1;
  const cards = await hand(first);
  expect(cards).toHaveLength(2);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByText('Looking back')).toBeVisible();
  await page.keyboard.press('Escape');
  await touch(page, 'call');

  const content = await hidden();
  for (const card of cards) expect(content).not.toContain(card);
  await expect(page.getByRole('heading', { name: /Hand the device to/ })).toBeVisible();
  // No key plays or looks behind it, and a reload does not lift it.
  await page.keyboard.press('ArrowLeft');
  await page.reload();
  const again = await hidden();
  for (const card of cards) expect(again).not.toContain(card);
  await page.keyboard.press('Enter');
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
  expect(await hand(1 - first)).toHaveLength(2);
  expect(await hand(first)).toHaveLength(0);
  await expectNoErrors(page);
});

test('no curtain hangs where nothing is hidden', async ({ page }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'me']);
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
  await touch(page, 'a1');
  await expect.poll(() => plies(page)).toBe(1);
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
});

test('one’s own plies are one’s own in the list and for screen readers', async ({ page, browser, baseURL }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'friend']);
  const [link] = await friendLinks(page);
  const bob = await guest(browser, baseURL, 'Bob');
  await bob.goto(link as string);
  await settled(page);
  await touch(page, 'a1');
  await settled(bob);
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: 'You: a1. Bob to act.' })).toHaveCount(1);
  await touch(bob, 'b2');
  await settled(page);
  const list = page.getByRole('list', { name: 'Plies' }).getByRole('listitem');
  await expect(list.nth(0)).toContainText('You');
  await expect(list.nth(1)).toContainText('Bob');
});
