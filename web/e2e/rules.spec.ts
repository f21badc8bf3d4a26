import type { GameEntry } from '../src/lib/wire';
import { board, expect, openTable, settled, test } from './table';

test('every game has its rules on their own page, with its positions and parameters', async ({ page, baseURL }) => {
  const games = (await (await fetch(`${baseURL}/api/games`)).json()) as GameEntry[];
  for (const { id, name, params } of games) {
    await page.goto(`/rules/${id}`);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.locator('main .markdown').first()).not.toBeEmpty();
    await expect(page.locator('dt')).toHaveCount(params.length);
    await expect(page).toHaveTitle(`Rules of ${name} · Raichi`);
  }
  await page.goto('/rules/chess');
  await expect(page.getByRole('heading', { name: 'No such game' })).toBeVisible();
});

test('the rules are led to from the dialog and from the table, which stays open', async ({ page }) => {
  await page.goto('/?new=hex');
  await expect(page.getByRole('link', { name: 'The rules on their own page' })).toHaveAttribute('href', './rules/hex');
  await openTable(page, 'hex', ['me', 'me']);
  await settled(page);
  await page.getByRole('tab', { name: 'Rules' }).click();
  const [rules] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'On their own page' }).click(),
  ]);
  await expect(rules.getByRole('heading', { level: 1, name: 'Hex' })).toBeVisible();
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
  await rules.getByRole('link', { name: 'Play', exact: true }).click();
  await expect(rules.getByRole('dialog').getByRole('heading', { name: 'Hex' })).toBeVisible();
});

test('games are found by how many can play them', async ({ page }) => {
  await page.goto('/');
  const card = (id: string) => page.locator(`[data-game="${id}"]`);
  await expect(card('poker')).toContainText('two to ten seats');
  await page.getByRole('button', { name: 'Three or more' }).click();
  await expect(card('poker')).toBeVisible();
  await expect(card('jabirs-transmutations')).toBeVisible();
  await expect(card('hex')).toHaveCount(0);
  await page.getByRole('button', { name: 'For two' }).click();
  await expect(card('poker')).toBeVisible();
  await expect(card('jabirs-transmutations')).toHaveCount(0);
  await page.getByRole('button', { name: 'Alone' }).click();
  await expect(card('blackjack')).toBeVisible();
  await expect(card('poker')).toHaveCount(0);
});

test('an example is stepped through with what is said on the way, and a better action leads to the analysis', async ({
  page,
}) => {
  await page.goto('/about/al-jabar');
  const figure = page.locator('figure').first();
  // It opens where the deal is done, and says how to go on.
  await expect(figure.getByRole('status')).toContainText('27/46');
  await expect(figure.locator('.told')).toContainText('leads through its 19 plies');
  // Clicks count also while the server has not told the steps.
  let tell = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await page.route('**/api/about/al-jabar/*', async (route) => {
    await told;
    await route.continue();
  });
  for (let n = 0; n < 8; n++) await figure.getByRole('button', { name: 'One ply on' }).click();
  await expect(figure.getByRole('status')).toContainText('27/46');
  tell();
  await expect(figure.getByRole('status')).toContainText('35/46');
  await expect(figure.locator('.remark').last()).toContainText('Better here: RGW>K');
  const [analysis] = await Promise.all([
    page.waitForEvent('popup'),
    figure.getByRole('link', { name: 'See it' }).click(),
  ]);
  await expect(analysis.locator('body')).toContainText('RGW>K');
});

test('a ply keeps its tilde under a diagram', async ({ page }) => {
  await page.goto('/rules/al-jabar');
  const ply = page.locator('figure .ply').first();
  await expect(ply).toContainText('~');
  const widths = await ply.evaluate((element) => {
    const width = (text: string) => {
      element.textContent = text;
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().width;
    };
    return { together: width('~G'), apart: width('~') + width('G') };
  });
  // A tilde that stands on the letter takes no room of its own.
  expect(widths.together).toBeGreaterThan(widths.apart - 1);
});

test('on paper there is neither the bar nor what is touched, and the ground is white', async ({ page }) => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const address of ['/rules/tic-tac-toe', '/about/tic-tac-toe']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('#app > header')).toBeHidden();
    const grounds = await page.evaluate(() =>
      ['html', 'body', 'figure'].map((name) => {
        const element = document.querySelector(name);
        return element && getComputedStyle(element).backgroundColor;
      }),
    );
    for (const ground of grounds.filter((ground) => ground !== null)) expect(ground).toBe('rgba(0, 0, 0, 0)');
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
    for (const steps of await page.locator('figure .steps').all()) await expect(steps).toBeHidden();
  }
  await page.goto('/rules/tic-tac-toe');
  await expect(page.locator('figure').first()).toBeVisible();
});
