import { board, expect, openTable, plies, settled, test, touch } from './table';

async function playThree(page: Parameters<typeof settled>[0]): Promise<void> {
  for (const [ply, cell] of ['a1', 'b2', 'c3'].entries()) {
    await settled(page);
    await page.locator(`[data-cell="${cell}"]`).click();
    await expect.poll(() => plies(page)).toBe(ply + 1);
  }
}

test('the arrow keys go back and on ply by ply, and looking back is clearly shown and left', async ({ page }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'me']);
  await playThree(page);
  const pieces = page.locator('svg.board .piece');
  const back = page.getByRole('status').filter({ hasText: 'Looking back' });
  await page.keyboard.press('ArrowLeft');
  await expect(back).toContainText('after ply 2 of 3');
  await expect(pieces).toHaveCount(2);
  // Nothing is played there.
  await expect(page.locator('.place.target')).toHaveCount(0);
  await page.keyboard.press('Home');
  await expect(pieces).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect(pieces).toHaveCount(1);
  await page.keyboard.press('End');
  await expect(back).toHaveCount(0);
  await expect(pieces).toHaveCount(3);

  await page.keyboard.press('ArrowLeft');
  await expect(back).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(back).toHaveCount(0);
  await page.keyboard.press('ArrowLeft');
  await back.getByRole('button', { name: 'Back to the present' }).click();
  await expect(back).toHaveCount(0);
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
});

test('on the board the arrow keys walk, and in a field they write', async ({ page }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'me']);
  await playThree(page);
  await page.locator('[data-cell="b1"]').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('[data-cell="a1"]')).toBeFocused();
  await page.getByRole('combobox', { name: 'Type an action' }).fill('c1');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Home');
  await page.keyboard.type('?');
  await expect(page.getByText('Looking back')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // What scrolls goes on scrolling.
  await page.getByRole('tab', { name: 'Rules' }).click();
  const rules = page.getByRole('group', { name: 'Rules' });
  await rules.focus();
  await page.keyboard.press('Home');
  await expect(rules).toBeFocused();
  await expect(page.getByText('Looking back')).toHaveCount(0);
});

test('where the arrows are actions they play', async ({ page }) => {
  await openTable(page, '2048', ['me']);
  await settled(page);
  const before = await plies(page);
  // At least one of them moves a tile; while the server is asked about it, the others rest.
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key);
  await expect.poll(() => plies(page)).toBeGreaterThan(before);
  await expect(page.getByText('Looking back')).toHaveCount(0);
});

test('`?` lists the keys, everywhere', async ({ page }) => {
  await page.goto('/');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(page.getByRole('button', { name: 'Connect Four' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(keys).toBeVisible();
  await expect(keys).toContainText('one ply back and on');
  await page.goBack();
  await expect(keys).toBeHidden();
  await page.getByRole('button', { name: 'Keys' }).click();
  await expect(keys).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(keys).toBeHidden();
  await openTable(page, 'tic-tac-toe', ['me', 'me']);
  await settled(page);
  await touch(page, 'a1');
  await page.keyboard.press('?');
  await expect(keys).toBeVisible();
  // While it is open, the page's own keys rest.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Looking back')).toHaveCount(0);
});
