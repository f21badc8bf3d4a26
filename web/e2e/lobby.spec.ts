import type { GameEntry } from '../src/lib/wire';
import { board, expect, expectNoErrors, openByDialog, test } from './table';

test('an unknown game in the address is named, with what there is', async ({ page }) => {
  await page.goto('/?new=ludo:size=3');
  const notice = page.getByRole('alert').filter({ hasText: 'There is no game “ludo” here.' });
  await expect(notice).toBeVisible();
  const games = (await (await page.request.get('/api/games')).json()) as GameEntry[];
  await expect(notice.getByRole('link')).toHaveCount(games.length);
  await notice.getByRole('link', { name: 'Hex' }).click();
  await expect(page.getByRole('dialog', { name: 'Hex' })).toBeVisible();
});

test('an unknown parameter in the address is named, with what there is', async ({ page }) => {
  await page.goto('/?new=hex:size=7,colour=red');
  const dialog = page.getByRole('dialog', { name: 'Hex' });
  await expect(dialog.getByRole('alert')).toContainText('colour');
  await expect(dialog.getByRole('alert')).toContainText('size');
  // What is known is taken, and the table can be opened.
  await expect(dialog.locator('[data-param="size"]').getByRole('textbox')).toHaveValue('7');
  await expect(dialog.getByRole('button', { name: 'Open the table' })).toBeEnabled();
});

test('a value that is not allowed says what is', async ({ page }) => {
  await page.goto('/?new=hex:size=99');
  await expect(page.getByRole('dialog').locator('[data-param="size"]').getByRole('alert')).toContainText(/from \d+ to/);
});

test('Back closes dialogs, and a dialog that was closed is not in the way back', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Connect Four' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Four' });
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/');
  await page.goForward();
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/');

  await openByDialog(page, 'tic-tac-toe', ['me', 'me']);
  await page.getByRole('tab', { name: 'Table' }).click();
  const resign = page.getByRole('button', { name: 'Resign' });
  await resign.click();
  const sure = page.getByRole('dialog', { name: /^Does .+ resign\?$/ });
  await expect(sure).toBeVisible();
  await page.goBack();
  await expect(sure).toBeHidden();
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
  await resign.click();
  await sure.getByRole('button', { name: 'Play on' }).click();
  await expect(sure).toBeHidden();
  await expect(page).toHaveURL(/\/t\//);
  await resign.click();
  await page.keyboard.press('Escape');
  await expect(sure).toBeHidden();
  await expect(page).toHaveURL(/\/t\//);
});

test('why a table was not opened is told also where its dialog was closed meanwhile', async ({ page }) => {
  let refuse = (): void => undefined;
  const refused = new Promise<void>((done) => {
    refuse = done;
  });
  await page.route('**/api/tables', async (route) => {
    await refused;
    await route.fulfill({ status: 503, json: { code: 'server/busy', message: 'There is no room for more tables.' } });
  });
  await page.goto('/');
  const card = page.getByRole('button', { name: 'Connect Four' });
  await card.click();
  const dialog = page.getByRole('dialog', { name: 'Connect Four' });
  await dialog.getByRole('button', { name: 'Open the table' }).click();
  await expect(dialog.getByRole('button', { name: 'Opening …' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  refuse();
  await expect(page.locator('[data-toast="error"]')).toContainText('There is no room for more tables.');
  await expect(page).toHaveURL('/');
  // The card is as good as before.
  await card.click();
  await expect(dialog).toBeVisible();
});

test('who goes back while a table is being opened is not led there', async ({ page }) => {
  let open = (): void => undefined;
  const opened = new Promise<void>((done) => {
    open = done;
  });
  await page.route('**/api/tables', async (route) => {
    await opened;
    await route.continue();
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'Tic Tac Toe' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tic Tac Toe' });
  await dialog.getByRole('button', { name: 'Open the table' }).click();
  await expect(dialog.getByRole('button', { name: 'Opening …' })).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  const reply = page.waitForResponse('**/api/tables');
  open();
  await reply;
  // The table is kept for later.
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).toContain('raichi.table.');
  await expect(page).toHaveURL('/');
  await expectNoErrors(page);
});

test('games are found by parts of their names and by what is said of them', async ({ page }) => {
  await page.goto('/');
  const cards = page.locator('.cards').getByRole('button');
  await page.getByRole('searchbox', { name: 'Find a game' }).fill('connect-four');
  await expect(cards).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Find a game' }).fill('no such thing');
  await expect(page.getByText('No game has that name.')).toBeVisible();
});

test('where the browser lets nobody keep anything, a game can be played all the same', async ({ page }) => {
  await page.addInitScript(() => {
    const get = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    Object.defineProperty(window, 'localStorage', { get });
  });
  await openByDialog(page, 'tic-tac-toe', ['me', 'random']);
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
  await expectNoErrors(page);
});
