import { board, expect, expectNoErrors, openTable, plies, settled, test, touch } from './table';

// Three of Yellow's in a row, and Yellow to act.
const START = '7/7/7/6R/6R/YYY3R 0';

test('a table begins with a position given as text, and shows it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/?new=connect-four');
  const dialog = page.getByRole('dialog');
  const open = dialog.getByRole('button', { name: 'Open the table' });
  await expect(open).toBeEnabled();
  await dialog.getByText('Start from a position').click();
  const field = dialog.getByLabel('The position as text');

  // What is wrong is said at the field, and no table can be opened.
  await field.fill('7/7/7/6R/6R/YYX3R 0');
  await expect(dialog.getByRole('alert')).toContainText('X');
  await expect(open).toBeDisabled();

  // The preview has the stones.
  await field.fill(START);
  await expect(dialog.locator('svg g.piece')).toHaveCount(6);
  await dialog.locator('[data-seat="1"] select').selectOption('random');
  await open.click();
  await expect(board(page).locator('svg.board g.piece')).toHaveCount(6);
  expect(await plies(page)).toBe(0);

  // It can be copied from the table, which wins from there in one ply.
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('button', { name: 'Copy the position that play began with' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(START);
  await settled(page);
  await touch(page, 'column:4');
  await expect(board(page)).toHaveAttribute('data-state', 'over');
  await expect(page.getByTestId('situation')).toContainText('You win');
  await expectNoErrors(page);
});

test('the position of a table opens another one', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openTable(page, 'connect-four', ['me', 'me']);
  for (const column of ['1', '7', '2']) {
    await settled(page);
    const before = await plies(page);
    await touch(page, `column:${column}`);
    await expect.poll(() => plies(page)).toBe(before + 1);
  }
  await page.getByRole('button', { name: 'Copy this position as text' }).click();
  const position = await page.evaluate(() => navigator.clipboard.readText());
  expect(position).toBe('7/7/7/7/7/YY4R 1');

  await page.goto('/?new=connect-four');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Start from a position').click();
  await dialog.getByLabel('The position as text').fill(position);
  await expect(dialog.locator('svg g.piece')).toHaveCount(3);
  await dialog.getByRole('button', { name: 'Open the table' }).click();
  await expect(board(page).locator('svg.board g.piece')).not.toHaveCount(0);
  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByText(position)).toBeVisible();
});
