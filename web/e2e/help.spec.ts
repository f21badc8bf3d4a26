import { board, expect, expectNoErrors, friendLinks, guest, openTable, plies, settled, test, touch } from './table';

test('a hint is marked on the board and told, and goes with the ply', async ({ page }) => {
  await openTable(page, 'connect-four', ['me', 'me']);
  for (const [n, column] of ['4', '1', '4', '1', '4', '2'].entries()) {
    await settled(page);
    await touch(page, `column:${column}`);
    await expect.poll(() => plies(page)).toBe(n + 1);
  }
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.getByTestId('hint')).toContainText('Hint: 4');
  await expect(page.getByTestId('hint')).toContainText('+1 as the result of the whole game');
  await expect(page.locator('.hint-rim').first()).toBeVisible();
  await touch(page, 'column:4');
  await expect.poll(() => plies(page)).toBe(7);
  await expect(page.getByTestId('hint')).toBeHidden();
  await expect(page.locator('.hint-rim')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Hint' })).toHaveCount(0);
  await expectNoErrors(page);
});

test('a ply is taken back together with the reply to it', async ({ page }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'random']);
  await settled(page);
  const back = page.getByRole('button', { name: 'Take back' });
  await expect(back).toBeDisabled();
  await touch(page, 'b2');
  await expect.poll(() => plies(page)).toBe(2);
  await settled(page);
  await back.click();
  await expect.poll(() => plies(page)).toBe(0);
  await expect(back).toBeDisabled();
  await settled(page);
  await touch(page, 'a1');
  await expect.poll(() => plies(page)).toBe(2);
  await page.reload();
  await expect.poll(() => plies(page)).toBe(2);
  await expectNoErrors(page);
});

test('among people there is no help unless they agreed on it', async ({ page, browser, baseURL }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'friend']);
  await expect(page.getByRole('button', { name: 'Hint' })).toHaveCount(0);

  await page.goto('/?new=tic-tac-toe');
  const dialog = page.getByRole('dialog');
  await dialog.locator('[data-seat="1"] select').selectOption('friend');
  const help = dialog.getByLabel('Hints and taking back');
  await expect(help).not.toBeChecked();
  await help.check();
  await dialog.getByRole('button', { name: 'Open the table' }).click();
  await settled(page);
  await touch(page, 'b2');
  await expect.poll(() => plies(page)).toBe(1);
  const friend = await guest(browser, baseURL, 'Bob');
  await friend.goto((await friendLinks(page))[0] as string);
  await expect.poll(() => plies(friend)).toBe(1);
  await expect(friend.getByRole('button', { name: 'Take back' })).toBeDisabled();
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect.poll(() => plies(friend)).toBe(0);
  await expect(board(friend)).toHaveAttribute('data-state', 'waiting');
});
