import { board, expect, expectNoErrors, openTable, plies, test } from './table';

test('a match of engines is paused, stepped through, and goes on faster', async ({ page }) => {
  await openTable(page, 'connect-four', ['random', 'random']);
  const pace = page.getByTestId('pace');
  await pace.getByRole('button', { name: 'Pause' }).click();
  await expect(pace.getByRole('button', { name: 'Go on' })).toBeVisible();
  const before = await plies(page);
  await page.waitForTimeout(900);
  expect(await plies(page)).toBe(before);
  await pace.getByRole('button', { name: 'Step' }).click();
  await expect.poll(() => plies(page)).toBe(before + 1);
  await pace.getByRole('button', { name: 'Faster' }).click();
  await expect(pace).toContainText('as fast as they can');
  await pace.getByRole('button', { name: 'Go on' }).click();
  await expect(board(page)).toHaveAttribute('data-state', 'over', { timeout: 20_000 });
  await expect(pace).toBeHidden();
  await expectNoErrors(page);
});
