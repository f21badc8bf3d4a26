import { readFile } from 'node:fs/promises';
import { board, expect, expectNoErrors, openTable, plies, resize, settled, test, touch } from './table';

test('finished games are listed, filtered, downloaded and imported', async ({ page }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'me']);
  for (const [n, cell] of ['a1', 'b1', 'a2', 'b2', 'a3'].entries()) {
    await settled(page);
    await touch(page, cell);
    await expect.poll(() => plies(page)).toBe(n + 1);
  }
  const table = (await board(page).getAttribute('data-table')) as string;
  await page.goto('/');
  await page.getByRole('link', { name: 'Finished games' }).click();
  const entry = page.locator(`[data-game="${table}"]`);
  await expect(entry).toContainText('Tic Tac Toe');
  await expect(entry).toContainText('X wins');
  await page.getByRole('combobox', { name: /^Result/ }).selectOption('draw');
  await expect(entry).toBeHidden();
  await expect(page).toHaveURL(/result=draw/);
  await page.getByRole('link', { name: 'All games' }).click();
  await page.getByRole('combobox', { name: /^Seats/ }).selectOption('3');
  await expect(entry).toBeHidden();
  await expect(page).toHaveURL(/seats=3/);
  await page.getByRole('combobox', { name: /^Seats/ }).selectOption('2');
  await expect(entry).toBeVisible();
  await page.getByRole('combobox', { name: /^Game/ }).selectOption('tic-tac-toe');
  await expect(entry).toBeVisible();
  // All of it fits on a telephone.
  await resize(page, { width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await resize(page, { width: 1280, height: 800 });

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: /as JSON lines/ }).click();
  const lines = await readFile((await (await downloading).path()) as string, 'utf8');
  expect(lines).toContain('"end":"line"');
  // From elsewhere: another name, so that it is another game; and a line that is none.
  const other = (lines.split('\n')[0] as string).replace('"seats":["X"', '"seats":["Zoe"');
  const file = { name: 'games.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(`${other}\nnonsense\n`) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await expect(page.getByTestId('imported')).toContainText('Line 2: line 2 is not a record');
  await page.getByRole('searchbox').fill('zoe');
  await page.getByRole('searchbox').press('Enter');
  await expect(page.locator('.list li')).toHaveCount(1);
  await page.locator('.list a.name').click();
  await expect(board(page)).toHaveAttribute('data-state', 'over');
  await expect(page.getByTestId('situation')).toContainText('Zoe wins');
  await expectNoErrors(page);
});

test('a score sheet is imported, shown in two columns, and downloaded', async ({ page }) => {
  await page.goto('/library');
  const sheet = 'kaalu 1. a b 2. c b 3. d!';
  const file = { name: 'sheet.txt', mimeType: 'text/plain', buffer: Buffer.from(`${sheet}\nkaalu b a d a c!\n`) };
  await page.locator('input[type="file"]').setInputFiles(file);
  const imported = page.getByTestId('imported').getByRole('link');
  await expect(imported).toHaveCount(2);
  // The same game under other letters.
  expect(await imported.nth(0).getAttribute('href')).toBe(await imported.nth(1).getAttribute('href'));
  const downloading = page.waitForEvent('download');
  // Neither of the two lies on the other.
  await page.getByRole('link', { name: 'Record of this game of kaalu' }).first().click({ trial: true });
  await page.getByRole('link', { name: 'Score sheet of this game of kaalu' }).first().click();
  expect(await readFile((await (await downloading).path()) as string, 'utf8')).toBe(`${sheet}\n`);
  await imported.nth(0).click();
  await expect(board(page)).toHaveAttribute('data-state', 'over');
  await page.getByRole('checkbox', { name: 'As a score sheet' }).check();
  const rows = page.getByRole('table', { name: 'Score sheet' }).getByRole('row');
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(3)).toContainText('3.');
  await rows.nth(2).getByRole('button', { name: 'b' }).click();
  await expect(rows.nth(2).getByRole('button', { name: 'b' })).toHaveAttribute('aria-current', 'step');
  await page.reload();
  await expect(page.getByRole('table', { name: 'Score sheet' })).toBeVisible();
  await expectNoErrors(page);
});

test('a score sheet is pasted, of the game that is chosen; one that is not over goes on elsewhere', async ({
  page,
}) => {
  await page.goto('/library');
  await page.getByText('Paste a score sheet or a record').click();
  const text = page.getByRole('textbox', { name: 'The score sheet or the record' });
  const take = page.getByRole('button', { name: 'Import', exact: true });
  const imported = page.getByTestId('imported');
  await text.fill('1. a b  2. a c\n3. a1/1c b');
  await take.click();
  await expect(imported).toContainText('names no game');
  await page.getByRole('combobox', { name: /^The game, where/ }).selectOption('kaalu');
  await take.click();
  await expect(imported).toContainText('the game is not over');
  await expect(imported).toContainText('Only finished games are kept here');
  await expect(imported.getByRole('link', { name: 'Play from here' })).toHaveAttribute('href', /new=kaalu&position=/);
  await imported.getByRole('link', { name: 'Analyse it' }).click();
  await expect(page.getByTestId('count')).toHaveText('6 / 6');
  await page.goBack();
  await page.getByText('Paste a score sheet or a record').click();
  await page.getByRole('combobox', { name: /^The game, where/ }).selectOption('kaalu');
  await text.fill('1. a b\n2. c b\n3. d!');
  await take.click();
  await imported.getByRole('link', { name: 'the game' }).click();
  await expect(board(page)).toHaveAttribute('data-state', 'over');
  await expectNoErrors(page);
});
