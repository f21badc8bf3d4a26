import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import {
  board,
  expect,
  expectNoErrors,
  guest,
  openByDialog,
  openTable,
  plies,
  resize,
  settled,
  test,
  touch,
} from './table';

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
  // Games of three seats and more have more who may win.
  await expect(page.getByLabel('Result').getByRole('option', { name: 'The third seat won' })).toBeAttached();
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
  // What comes back as it went is the game that is here.
  const newest = lines.split('\n')[0] as string;
  const back = { name: 'games.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(newest) };
  await page.locator('input[type="file"]').setInputFiles(back);
  await expect(page.getByTestId('imported')).toContainText('already here, nothing was added');
  await expect(page.getByTestId('imported').locator(`a[href$="/t/${table}"]`)).toHaveCount(1);
  // From elsewhere: another name, so that it is another game; and a line that is none.
  const other = newest.replace('"seats":["X"', '"seats":["Zoe"');
  const file = { name: 'games.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(`${other}\nnonsense\n`) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await expect(page.getByTestId('imported')).toContainText('Line 2 is not a record');
  await page.getByRole('searchbox').fill('zoe');
  await page.getByRole('searchbox').press('Enter');
  await expect(page.locator('.list li')).toHaveCount(1);
  await page.locator('.list a.name').click();
  await expect(board(page)).toHaveAttribute('data-state', 'over');
  await expect(page.getByTestId('situation')).toContainText('Zoe wins');
  // Nobody can come to it.
  await expect(page.locator('.seats')).not.toContainText('away');
  await expectNoErrors(page);
});

test('a score sheet is imported, shown in two columns, and downloaded', async ({ page }) => {
  await page.goto('/library');
  const sheet = 'kaalu 1. a b 2. c b 3. d!';
  const file = { name: 'sheet.txt', mimeType: 'text/plain', buffer: Buffer.from(`${sheet}\nkaalu b a d a c!\n`) };
  await page.locator('input[type="file"]').setInputFiles(file);
  const imported = page.getByTestId('imported').getByRole('link', { name: 'the game of kaalu' });
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
  await expect(imported.getByRole('link', { name: 'the game' })).toBeVisible();
  await expect(text).toHaveValue('');
  // What the server did not get stays to be sent again, whatever became of what was sent before.
  await page.route('**/api/library', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await text.fill('1. c a\n2. d a\n3. b!');
  await take.click();
  await expect(page.locator('[data-toast="error"]')).toContainText('cannot be reached');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(text).toHaveValue('1. c a\n2. d a\n3. b!');
  await imported.getByRole('link', { name: 'the game' }).click();
  await expect(board(page)).toHaveAttribute('data-state', 'over');
  await expectNoErrors(page);
});

test('other plies of an imported game are kept with it by whoever imported it, and only read by others', async ({
  page,
  browser,
  baseURL,
}) => {
  await page.goto('/library');
  const lines = 'connect-four 1. 4 1 2. 4 1 3. 4 2 4. 4\nconnect-four 1. 1 2 2. 1 2 3. 1 2 4. 1\n';
  const file = { name: 'sheets.txt', mimeType: 'text/plain', buffer: Buffer.from(lines) };
  await page.locator('input[type="file"]').setInputFiles(file);
  const imported = page.getByTestId('imported');
  await expect(imported.getByRole('link', { name: 'the game' })).toHaveCount(2);
  await expect(page.getByText('this browser has the keys')).toBeVisible();
  await imported.getByRole('link', { name: 'Analyse it' }).first().click();

  const analysed = (of: Page) => of.locator('main.analysis');
  await expect(page.getByTestId('kept')).toContainText('are kept with the game');
  await page.locator('[data-ply="5"]').click();
  await expect(analysed(page)).toHaveAttribute('data-plies', '5');
  await touch(page, 'column:4');
  await expect(analysed(page)).toHaveAttribute('data-plies', '6');
  // Whose ply it is stands beside it at once.
  await expect(page.getByTestId('variation')).toHaveText(/6\s*Red\s*4/);
  const table = new URL(page.url()).searchParams.get('table') as string;
  const kept = async () => (await (await page.request.get(`/api/tables/${table}/variations`)).json()).lines;
  await expect.poll(kept).toEqual([{ after: 5, plies: ['4'] }]);

  // Somebody else finds it by the game alone; what they try is theirs.
  const stranger = await guest(browser, baseURL);
  await stranger.goto(`/analysis?table=${table}`);
  await expect(stranger.getByTestId('variation')).toHaveText(/6\D*4/);
  await expect(stranger.getByTestId('kept')).toContainText('stay in this browser and in the link');
  await stranger.locator('[data-ply="3"]').first().click();
  await expect(analysed(stranger)).toHaveAttribute('data-plies', '3');
  await touch(stranger, 'column:7');
  await expect(analysed(stranger)).toHaveAttribute('data-plies', '4');
  await expect(stranger.getByTestId('variation')).toHaveCount(2);
  // The link holds it all the same.
  const other = await guest(browser, baseURL);
  await other.goto(stranger.url());
  await expect(other.getByTestId('variation')).toHaveCount(2);
  await expect(other.getByTestId('kept')).toContainText('stay in this browser');
  // The same game brought again does not change hands.
  await stranger.goto('/library');
  await stranger.locator('input[type="file"]').setInputFiles(file);
  await expect(stranger.getByTestId('imported')).toContainText('Line 1: already here, nothing was added: the game');
  await stranger.goto(`/analysis?table=${table}`);
  await expect(stranger.getByTestId('variation')).toHaveCount(2);
  await expect(stranger.getByTestId('kept')).toContainText('stay in this browser');
  // Longer than the page waits before it writes.
  await stranger.waitForTimeout(2_000);
  expect(await kept()).toEqual([{ after: 5, plies: ['4'] }]);

  await page.reload();
  await expect(page.getByTestId('variation')).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove the variation 4' }).click();
  await expect.poll(kept).toEqual([]);
  for (const one of [page, stranger, other]) await expectNoErrors(one);
});

test('who lets engines play keeps what is tried in their game', async ({ page, browser, baseURL }) => {
  const table = await openByDialog(page, 'tic-tac-toe', ['random', 'random']);
  await expect(board(page)).toHaveAttribute('data-state', 'over', { timeout: 60_000 });
  await page.goto(`/analysis?table=${table}`);
  await expect(page.getByTestId('kept')).toContainText('are kept with the game');
  await page.getByRole('button', { name: 'The start' }).click();
  await expect(page.locator('main.analysis')).toHaveAttribute('data-plies', '0');
  const record = await (await page.request.get(`/api/tables/${table}/record`)).json();
  await touch(page, record.plies[0].text === 'a1' ? 'b2' : 'a1');
  await expect(page.getByTestId('variation')).toHaveCount(1);
  const kept = async () => (await (await page.request.get(`/api/tables/${table}/variations`)).json()).lines.length;
  await expect.poll(kept).toBe(1);
  const stranger = await guest(browser, baseURL);
  await stranger.goto(`/analysis?table=${table}`);
  await expect(stranger.getByTestId('variation')).toHaveCount(1);
  await expect(stranger.getByTestId('kept')).toContainText('stay in this browser');
  await expectNoErrors(page);
});
