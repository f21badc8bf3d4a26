import type { Page } from '@playwright/test';
import { board, expect, openTable, playOne, settled, test } from './table';

/** Where the middle of a cell is on the screen. */
async function middle(page: Page, cell: string): Promise<[number, number]> {
  const box = await page.locator(`[data-cell="${cell}"] .reach`).boundingBox();
  if (!box) throw new Error(`no cell ${cell}`);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

test('a board is turned about: coordinates and touches go with it, and the page remembers', async ({ page }) => {
  const table = await openTable(page, 'tablut', ['me', 'me']);
  await settled(page);
  const [x, y] = await middle(page, 'a1');
  const [farX, farY] = await middle(page, 'i9');
  expect(y).toBeGreaterThan(farY);
  const letter = page.locator('svg.board text.coordinate').filter({ hasText: /^\s*a\s*$/ });
  const before = await letter.boundingBox();

  await page.getByRole('button', { name: 'Turn the board about' }).click();
  await expect(page.getByRole('button', { name: 'Turn the board about' })).toHaveAttribute('aria-pressed', 'true');
  const [turnedX, turnedY] = await middle(page, 'a1');
  // But for the rims, where the coordinates stand.
  expect(Math.abs(turnedX - farX)).toBeLessThan(60);
  expect(turnedY).toBeLessThan(y);
  expect(turnedX).toBeGreaterThan(x);
  // The letter stands beside its column.
  const after = await letter.boundingBox();
  expect(after?.x).not.toBeCloseTo(before?.x ?? 0, 0);
  expect(Math.abs((after?.x ?? 0) + (after?.width ?? 0) / 2 - turnedX)).toBeLessThan(6);

  // What is touched is what is seen there: the man on d1, now at the far side.
  const [manX, manY] = await middle(page, 'd1');
  await page.mouse.click(manX, manY);
  await expect(page.locator('[data-cell="d1"]')).toHaveAttribute('aria-pressed', 'true');
  const [toX, toY] = await middle(page, 'd2');
  expect(toY).toBeGreaterThan(manY);
  await page.mouse.click(toX, toY);
  await expect(board(page)).toHaveAttribute('data-plies', '1');
  await expect(page.locator('[aria-current="step"] .text')).toHaveText('d1-d2');

  await page.goto(`/t/${table}`);
  await settled(page);
  expect((await middle(page, 'a1'))[1]).toBeLessThan((await middle(page, 'i9'))[1]);
});

test('colours and pieces are chosen by samples, and are kept', async ({ page }) => {
  const table = await openTable(page, 'connect-four', ['me', 'me']);
  await settled(page);
  await playOne(page, () => 3);
  const colour = () =>
    page
      .locator('svg.board .piece .body')
      .first()
      .evaluate((body) => getComputedStyle(body).fill);
  const house = await colour();
  await page.getByRole('tab', { name: 'Table' }).click();
  const distinct = page.getByRole('radio', { name: 'Distinct, for any colour vision' });
  // Each has a sample beside it, in its own colours.
  const fills = await page
    .locator('fieldset')
    .first()
    .locator('svg')
    .evaluateAll((samples) => samples.map((svg) => getComputedStyle(svg.querySelector('.body') as Element).fill));
  expect(fills.length).toBe(3);
  expect(fills[1]).not.toBe(fills[0]);

  await distinct.check();
  expect(await colour()).not.toBe(house);
  // The samples stay as they are.
  const first = page.locator('fieldset').first().locator('svg').first().locator('.body').first();
  expect(await first.evaluate((body) => getComputedStyle(body).fill)).toBe(fills[0]);
  // Engravings tell the seats apart without any colours.
  await page.getByRole('radio', { name: 'Boldly marked' }).check();
  await expect(page.locator('svg.board .piece path.bold').first()).toBeAttached();
  await page.getByRole('radio', { name: 'Plain' }).check();
  await expect(page.locator('svg.board .piece path')).toHaveCount(0);
  await page.getByRole('radio', { name: 'Boldly marked' }).check();

  await page.goto(`/t/${table}`);
  await settled(page);
  await expect(page.locator('html')).toHaveAttribute('data-colours', 'distinct');
  await expect(page.locator('svg.board .piece path.bold').first()).toBeAttached();
});

test('the coordinates of a large board are legible on a telephone, and its cells can be touched', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const spec of ['hex', 'yavalath']) {
    await openTable(page, spec, ['me', 'me']);
    await settled(page);
    const heights = await page
      .locator('svg.board text.coordinate')
      .evaluateAll((texts) =>
        texts.map(
          (text) =>
            Number.parseFloat(getComputedStyle(text).fontSize) * ((text as SVGTextElement).getScreenCTM()?.a ?? 0),
        ),
      );
    expect(heights.length).toBeGreaterThan(10);
    for (const height of heights) expect(height, `${spec}: a coordinate`).toBeGreaterThanOrEqual(9.5 - 0.01);
    const cell = await page.locator('svg.board .target .reach').first().boundingBox();
    expect(Math.min(cell?.width ?? 0, cell?.height ?? 0), `${spec}: a cell`).toBeGreaterThanOrEqual(32);
  }
});
