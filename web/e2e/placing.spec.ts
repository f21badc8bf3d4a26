import type { Page } from '@playwright/test';
import type { GameEntry, PlacingView } from '../src/lib/wire';
import { expectAccessible } from './axe';
import { board, expect, expectNoErrors, test, touch } from './table';

const page_ = (page: Page) => page.locator('main.place-page');
const check = (page: Page) => page.getByTestId('check');

async function put(page: Page, piece: string, ...places: string[]): Promise<void> {
  await page.getByRole('button', { name: piece, exact: true }).click();
  for (const id of places) await touch(page, id);
}

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`a position is set up by touching, checked at once, shared, analysed and played, at ${size.width}×${size.height}`, async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.setViewportSize(size);
    await page.goto('/?new=connect-four');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Start from a position').click();
    await dialog.getByRole('link', { name: 'Set one up on the board' }).click();
    await expect(page_(page)).toHaveAttribute('data-position', '7/7/7/7/7/7 0');

    // A disc that hangs in the air is no position, and can be neither played nor shared.
    await put(page, 'Yellow', '4-3');
    await expect(check(page)).toContainText('This is no position yet');
    await expect(page.locator('svg.board g.piece')).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'Share link' })).toBeDisabled();
    // It is there after a reload all the same.
    await page.reload();
    await expect(check(page)).toContainText('This is no position yet');
    await expect(page.locator('svg.board g.piece')).toHaveCount(1);
    await put(page, 'Take away', '4-3');
    await expect(check(page)).toHaveText('This position can be played.');

    await put(page, 'Yellow', '1-1', '2-1', '3-1', '4-1');
    await put(page, 'Red', '4-1', '7-1', '7-2');
    await put(page, 'Red', '7-3');
    await expect(page_(page)).toHaveAttribute('data-position', '7/7/7/6R/6R/YYYR2R 0');
    // Put again it goes.
    await put(page, 'Red', '7-3', '4-1');
    await page.getByRole('radio', { name: 'Red' }).check();
    await expect(page_(page)).toHaveAttribute('data-position', '7/7/7/7/6R/YYY3R 1');
    await page.getByRole('radio', { name: 'Yellow' }).check();
    await expect(page_(page)).toHaveAttribute('data-position', '7/7/7/7/6R/YYY3R 0');
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await sideways()).toBeLessThanOrEqual(0);

    // The link leads here again, also for somebody else.
    await page.getByRole('button', { name: 'Share link' }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await context.newPage();
    await other.goto(link);
    await expect(page_(other)).toHaveAttribute('data-position', '7/7/7/7/6R/YYY3R 0');
    await expect(other.locator('svg.board g.piece')).toHaveCount(5);

    // Analysed.
    await other.getByRole('link', { name: 'Analyse' }).click();
    await expect(other.locator('main.analysis svg.board g.piece')).toHaveCount(5);

    // And played.
    await page.getByRole('link', { name: 'Play', exact: true }).click();
    await expect(page.getByRole('dialog').locator('svg g.piece')).toHaveCount(5);
    await page.getByRole('dialog').locator('[data-seat="1"] select').selectOption('me');
    await page.getByRole('dialog').getByRole('button', { name: 'Open the table' }).click();
    await touch(page, 'column:4');
    await expect(board(page)).toHaveAttribute('data-state', 'over');
    await expectNoErrors(page);
  });
}

test('the lobby leads to the games that positions are set up of', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Set up a position' }).click();
  await expect(page).toHaveURL(/\/place$/);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Tablut' }).click();
  await expect(page_(page)).toBeVisible();
  await page.goBack();
  // By text, where no pieces are put.
  await page.getByRole('link', { name: 'Poker', exact: true }).click();
  await expect(page).toHaveURL(/\/setup\?game=poker/);
  await page.goBack();
  await page.getByRole('link', { name: 'By text' }).click();
  await expect(page.getByRole('combobox', { name: 'Game' })).toHaveValue('');
  await expectNoErrors(page);
});

test('a text fills the board, and a wrong one says what is wrong', async ({ page }) => {
  await page.goto('/place?game=tic-tac-toe');
  const field = page.getByLabel('The position as text');
  await field.fill('XO1/1Z1/3 0');
  await page.getByRole('button', { name: 'Show this position' }).click();
  await expect(page.getByRole('alert')).toContainText('Z');
  await field.fill('XXX/OO1/3 1');
  await page.getByRole('button', { name: 'Show this position' }).click();
  await expect(check(page)).toHaveText('The game is over in this position.');
  await expect(page.getByRole('link', { name: 'Analyse' })).toHaveAttribute('href', /analysis/);
  await page.getByRole('button', { name: 'Clear the board' }).click();
  await expect(page_(page)).toHaveAttribute('data-position', '3/3/3 1');

  // By the keyboard: a number chooses a piece, Enter puts it.
  await page.locator('.target[data-touch="b2"]').focus();
  await page.keyboard.press('2');
  await page.keyboard.press('Enter');
  await expect(page_(page)).toHaveAttribute('data-position', '3/1O1/3 1');
});

test('every game that can be set up by touching takes its first piece, and the others are set up by text', async ({
  page,
  baseURL,
}) => {
  test.setTimeout(180_000);
  const games = (await (await fetch(`${baseURL}/api/games`)).json()) as GameEntry[];
  const refused: string[] = [];
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()));
  let n = 0;
  for (const { id } of games) {
    await test.step(id, async () => {
      const reply = await fetch(`${baseURL}/api/placing`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ game: id }),
      });
      await page.goto(`/place?game=${id}`);
      if (!reply.ok) {
        await expect(page).toHaveURL(/\/setup\?game=/);
        // The page knew that, and did not ask for what is refused.
        expect(refused).toEqual([]);
        return;
      }
      n++;
      const { places } = (await reply.json()) as PlacingView;
      await expect(page_(page)).toBeVisible();
      await page.getByRole('button', { name: 'Clear the board' }).click();
      await expect(page.locator('svg.board g.piece')).toHaveCount(0);
      const before = await page_(page).getAttribute('data-position');
      await page.locator('.pieces .piece').first().click();
      await touch(page, places[0]?.ids[0] ?? '');
      await expect(page_(page)).not.toHaveAttribute('data-position', before ?? '');
    });
  }
  expect(n).toBeGreaterThanOrEqual(12);
});
