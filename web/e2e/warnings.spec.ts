import { board, expect, openTable, plies, settled, test, touch } from './table';

test('an action that loses at once is asked about, and the setting ends that', async ({ page }) => {
  await openTable(page, 'sim', ['me', 'me']);
  for (const [a, b] of [
    ['1', '2'],
    ['4', '5'],
    ['2', '3'],
    ['4', '6'],
  ] as const) {
    await settled(page);
    await touch(page, a);
    await touch(page, b);
    await expect(board(page)).not.toHaveAttribute('data-state', 'waiting');
  }
  await expect.poll(() => plies(page)).toBe(4);
  const warning = page.getByTestId('warning');
  await touch(page, '1');
  await touch(page, '3');
  await expect(warning).toContainText('1-3 loses at once');
  await warning.getByRole('button', { name: 'Choose again' }).click();
  await expect(warning).toBeHidden();
  expect(await plies(page)).toBe(4);
  await touch(page, '3');
  await touch(page, '1');
  await warning.getByRole('button', { name: 'Play it all the same' }).click();
  await expect.poll(() => plies(page)).toBe(5);
  await expect(board(page)).toHaveAttribute('data-state', 'over');
  await expect(page.getByTestId('situation')).toHaveText('White wins: Black completed a triangle.');
});

test('how many stones to take is chosen at the pile', async ({ page }) => {
  await openTable(page, 'kaalu', ['me', 'me']);
  for (const [n, stock, pile] of [
    [1, 'stock:0', 'pile:0'],
    [2, 'stock:1', 'pile:1'],
  ] as const) {
    await settled(page);
    await touch(page, stock);
    await touch(page, pile);
    await expect.poll(() => plies(page)).toBe(n);
  }
  await settled(page);
  await expect(page.locator('[data-cell="own:0:0"]')).toHaveCount(0);
  await touch(page, 'pile:0');
  const choice = page.locator('[data-cell="own:0:0"]');
  await expect(choice).toBeVisible();
  const [pile, beside] = [await page.locator('[data-cell="pile:0"]').boundingBox(), await choice.boundingBox()];
  expect(Math.abs((pile?.x ?? 0) - (beside?.x ?? 1e9))).toBeLessThan(pile?.width ?? 0);
  await touch(page, 'own:0:0');
  await touch(page, 'neutral:0:1');
  // What is chosen stays in sight, what is not goes.
  await expect(choice).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('[data-cell="own:0:1"]')).toHaveCount(0);
  await touch(page, 'pile:1');
  await expect.poll(() => plies(page)).toBe(3);
});
