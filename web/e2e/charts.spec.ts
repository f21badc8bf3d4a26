import { withoutRepeats } from '../src/lib/repeats';
import type { Exercise } from '../src/lib/wire';
import { expect, expectNoErrors, openTable, test } from './table';

test('the table of sums stands beside the board, tells what makes a colour, and is open again after a reload', async ({
  page,
}) => {
  await openTable(page, 'al-jabar', ['me', 'me']);
  await page.getByRole('tab', { name: 'Charts' }).click();
  await page.getByText('All sums').click();
  const chart = page.locator('[data-chart="sums"]');
  await expect(chart.locator('tbody td')).toHaveCount(64);
  await chart.locator('tbody th button').first().click();
  await expect(chart.getByRole('status')).toContainText('YO, BP, GW');
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Charts' })).toHaveAttribute('aria-selected', 'true');
  await expect(chart.locator('tbody td').first()).toBeVisible();
  await expectNoErrors(page);
});

test('pieces are written as letters, colours or triples', async ({ page }) => {
  await openTable(page, 'al-jabar', ['me', 'me']);
  const board = page.locator('.boards svg text');
  await expect(board.filter({ hasText: /^[RYBOGPWK]$/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Triples' }).click();
  await expect(board.filter({ hasText: /^[01]{3}$/ }).first()).toBeVisible();
  await expect(board.filter({ hasText: /^[RYBOGPWK]$/ })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Triples' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Colours', exact: true }).click();
  await expect(board.filter({ hasText: /^(Red|Yellow|Blue|Orange|Green|Purple|White)$/ }).first()).toBeVisible();
  await expectNoErrors(page);
});

test('the chart of blackjack opens what each action is expected to win', async ({ page }) => {
  test.setTimeout(90_000);
  await page.goto('/rules/blackjack');
  await page.getByText('What to do with two cards').click({ timeout: 60_000 });
  const chart = page.locator('[data-chart="strategy"]');
  await chart.getByRole('row', { name: /^88/ }).getByRole('button').nth(8).click();
  for (const action of ['stand', 'hit', 'double', 'split', 'surrender']) {
    await expect(chart.getByRole('status').getByText(action, { exact: true })).toBeVisible();
  }
  // However far the chart goes on below, what is told is in sight.
  await chart.getByRole('button').first().click();
  await expect(chart.getByRole('status').getByText('stand', { exact: true })).toBeInViewport({ ratio: 1 });
  await expectNoErrors(page);
});

test('what is still to come stands in the charts of a position', async ({ page }) => {
  await openTable(page, 'jabirs-transmutations', ['me', 'random', 'random']);
  await page.getByRole('tab', { name: 'Charts' }).click();
  await page.getByText('The cards', { exact: true }).click();
  await expect(page.getByRole('columnheader', { name: 'deck and hidden hands' })).toBeVisible();
  await page.getByText('The events', { exact: true }).click();
  await expect(page.getByRole('columnheader', { name: 'to come' })).toBeVisible();
  await expectNoErrors(page);
});

test('sheets are printed from the page, and need nothing from elsewhere', async ({ page, baseURL }) => {
  await page.goto('/rules/tablut');
  const link = page.getByRole('link', { name: 'Print' });
  const address = await link.getAttribute('href');
  await page.goto(new URL(address ?? '', baseURL).href);
  await expect(page.locator('#board .playing svg')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'How it begins' })).toBeVisible();
  const refused = await page.request.get('/api/print?spec=tablut&what=sums');
  expect([refused.status(), (await refused.json()).code]).toEqual([422, 'print/unknown-sheet']);
});

/** One alone is asked for to see whether there is a drill. */
const MANY_EXERCISES = /api\/drill.*n=\d{2}/;

test('a sum is found one step at a time', async ({ page }) => {
  await page.goto('/drill/al-jabar');
  const asked = page.waitForResponse(MANY_EXERCISES);
  await page.getByRole('button', { name: 'Show a handful' }).click();
  const [first] = (await (await asked).json()) as { steps: string[] }[];
  const section = page.getByRole('region', { name: 'One step at a time' });
  const next = section.getByRole('button', { name: 'Next step' });
  for (const [number, step] of (first?.steps ?? []).entries()) {
    await next.click();
    await expect(section.locator('li')).toHaveCount(number + 1);
    await expect(section.locator('li').last()).toHaveText(step);
  }
  await expect(next).toBeDisabled();
  await section.getByRole('button', { name: 'Another handful' }).click();
  await expect(section.locator('li')).toHaveCount(0);
  await expectNoErrors(page);
});

test('a drill counts right answers and keeps the best', async ({ page }) => {
  await page.goto('/drill/al-jabar');
  const asked = page.waitForResponse(MANY_EXERCISES);
  await page.getByRole('button', { name: 'Start' }).click();
  const exercises = withoutRepeats((await (await asked).json()) as Exercise[]);
  const question = page.locator('.question');
  for (const number of [0, 1]) {
    await expect(question).toHaveAttribute('data-number', String(number));
    await page
      .locator('.answers button')
      .nth(exercises[number]?.right ?? 0)
      .click();
  }
  await expect(question).toContainText('2 right of 2 answered');
  await page
    .locator('.answers button')
    .nth(((exercises[2]?.right ?? 0) + 1) % 8)
    .click();
  await expect(question).toContainText('2 right of 3 answered');
  await expectNoErrors(page);
  await page.goto('/drill/hex');
  await expect(page.getByRole('alert')).toContainText('There is no drill of hex');
  await expect(page.getByRole('button', { name: 'Start' })).toHaveCount(0);
});
