import { board, expect, expectNoErrors, friendLinks, guest, openTable, plies, settled, test, touch } from './table';

test('clocks run, warn, and a player who runs out of time loses', async ({ page, browser, baseURL }) => {
  await page.goto('/?new=tic-tac-toe');
  const dialog = page.getByRole('dialog');
  await dialog.locator('[data-seat="1"] select').selectOption('friend');
  await dialog.getByLabel('Clock').selectOption('fischer');
  await dialog.getByLabel('Minutes').fill('0.25');
  await dialog.getByLabel('Seconds a ply').fill('0');
  await dialog.getByRole('button', { name: 'Open the table' }).click();
  await expect(board(page)).toBeVisible();
  const mine = page.locator('[data-clock="0"]');
  // Long enough for a friend to come and a ply to be played on a busy machine.
  await expect(mine).toContainText('0:15');
  await page.waitForTimeout(400);
  await expect(mine).toContainText('0:15');
  const friend = await guest(browser, baseURL, 'Bob');
  await friend.goto((await friendLinks(page))[0] as string);
  await expect(mine).toContainText(/0:1[0-4]|0:0\d\.\d/);
  await touch(page, 'b2');
  await expect.poll(() => plies(friend)).toBe(1);
  await expect(friend.locator('[data-clock="1"]')).toHaveAttribute('data-low', 'true', { timeout: 30_000 });
  await expect(board(friend)).toHaveAttribute('data-state', 'over', { timeout: 30_000 });
  await expect(page.getByTestId('situation')).toContainText('Bob ran out of time');
  await expectNoErrors(page);
});

test('people agree on a draw, and an offer is declined by playing on', async ({ page, browser, baseURL }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'friend']);
  const friend = await guest(browser, baseURL, 'Bob');
  await friend.goto((await friendLinks(page))[0] as string);
  await settled(page);
  await page.getByRole('tab', { name: 'Table' }).click();
  const place = () => page.getByRole('link', { name: 'New game' }).boundingBox();
  await page.getByRole('button', { name: 'Offer a draw' }).scrollIntoViewIfNeeded();
  const before = await place();
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  await expect(page.getByTestId('draw-offer')).toHaveText('A draw is offered.');
  // Nothing else has come under the pointer.
  await expect(page.getByRole('button', { name: 'Offer a draw' })).toBeDisabled();
  await expect.poll(place).toEqual(before);
  await touch(page, 'b2');
  await expect(friend.getByTestId('draw-offer')).toContainText('offers a draw');
  await settled(friend);
  await touch(friend, 'a1');
  await expect(page.getByTestId('draw-offer')).toBeHidden();
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  await friend.getByRole('button', { name: 'Accept the draw' }).first().click();
  await expect(page.getByTestId('situation')).toHaveText('A draw: all agreed on it.');
  await expect(board(friend)).toHaveAttribute('data-state', 'over');
});

test('a draw that was offered on the same device is accepted in a dialog', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openTable(page, 'tic-tac-toe', ['me', 'me']);
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  await page.locator('.tab').getByRole('button', { name: 'Accept the draw' }).click();
  const dialog = page.getByRole('dialog', { name: 'Does everybody agree on a draw?' });
  await dialog.getByRole('button', { name: 'Play on' }).click();
  await expect(dialog).toBeHidden();
  await page.locator('.tab').getByRole('button', { name: 'Accept the draw' }).click();
  await dialog.getByRole('button', { name: 'Agree' }).click();
  await expect(page.getByTestId('situation')).toHaveText('A draw: all agreed on it.');
  await expectNoErrors(page);
});

test('there is no draw to offer against an engine', async ({ page }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'random']);
  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByRole('button', { name: 'Resign' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Offer a draw' })).toHaveCount(0);
});

test('what is chosen before one’s turn is played when it comes', async ({ page, browser, baseURL }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'friend']);
  const friend = await guest(browser, baseURL, 'Bob');
  await friend.goto((await friendLinks(page))[0] as string);
  await expect(board(friend)).toHaveAttribute('data-state', 'waiting');
  const cell = friend.locator('[data-touch="a1"]').last();
  await cell.click();
  await expect(friend.getByTestId('premove')).toContainText('a1');
  await friend.getByRole('button', { name: 'Cancel' }).click();
  await expect(friend.getByTestId('premove')).toBeHidden();
  await cell.click();
  await settled(page);
  await touch(page, 'b2');
  await expect.poll(() => plies(page)).toBe(2);
  await expect(friend.getByTestId('premove')).toBeHidden();
  await expectNoErrors(friend);
});
