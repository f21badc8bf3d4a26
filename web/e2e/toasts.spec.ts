import type { Page } from '@playwright/test';
import { expect, openTable, settled, test } from './table';

/** What a message lies on that one could touch; `null` where it is not in the window. */
async function covered(page: Page): Promise<unknown[] | null> {
  return page.evaluate(() => {
    const over = document.querySelector('[data-toast]')?.getBoundingClientRect() as DOMRect;
    if (over.top < 0 || over.bottom > innerHeight) return null;
    const actions = [
      ...document.querySelectorAll('button, a, input, [role="button"]:not(.place), .place.target'),
    ].filter((action) => action.checkVisibility() && !action.closest('[data-toast]'));
    return actions
      .filter((action) => {
        const box = action.getBoundingClientRect();
        return box.left < over.right && box.right > over.left && box.top < over.bottom && box.bottom > over.top;
      })
      .map((action) => action.textContent?.trim() || action.getAttribute('aria-label'));
  });
}

/** Short games, so that the list of them is longer than the window. */
const SHEETS = [
  '1. a1 b1 2. a2 b2 3. a3',
  '1. b1 a1 2. b2 a2 3. b3',
  '1. c1 a1 2. c2 a2 3. c3',
  '1. a1 b1 2. b2 c1 3. c3',
  '1. c1 a1 2. b2 b1 3. a3',
  '1. a1 c1 2. a2 c2 3. a3',
  '1. a1 c2 2. a2 c1 3. a3',
  '1. a1 b2 2. a2 c1 3. a3',
  '1. a1 b3 2. a2 c1 3. a3',
  '1. a1 c3 2. a2 c1 3. a3',
  '1. a1 c3 2. a2 b1 3. a3',
  '1. a1 c3 2. a2 b2 3. a3',
];

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`a message covers no action at ${viewport.width} × ${viewport.height}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await openTable(page, 'poker:players=2', ['me', 'me']);
    await settled(page);
    await page.evaluate(() => {
      // A clipboard that works.
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => {} } });
    });
    // Without scrolling there: the top bar stays in sight.
    await page.getByRole('button', { name: 'Copy this position as text' }).dispatchEvent('click');
    const toast = page.locator('[data-toast]');
    await expect(toast).toBeVisible();
    expect(await covered(page)).toEqual([]);
    await toast.getByRole('button', { name: 'Dismiss' }).click();
    await expect(toast).toHaveCount(0);
  });

  test(`a message covers no action after scrolling at ${viewport.width} × ${viewport.height}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto('/library');
    const file = page.locator('input[type="file"]');
    const sheets = SHEETS.map((sheet) => `tic-tac-toe ${sheet}`).join('\n');
    await file.setInputFiles({ name: 'sheets.txt', mimeType: 'text/plain', buffer: Buffer.from(sheets) });
    await expect(page.getByTestId('imported')).toBeVisible();
    // Without what was said of the import.
    await page.goto('/library');
    await expect(page.locator('.list li').nth(SHEETS.length - 1)).toBeVisible();
    await file.setInputFiles({ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.from('\n') });
    const toast = page.locator('[data-toast]');
    await expect(toast).toBeVisible();
    const scrollable = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    expect(scrollable).toBeGreaterThan(400);
    // To where it comes to lie on something, unless it goes elsewhere.
    for (const y of [183, 305, 366]) {
      await page.evaluate((y) => scrollTo(0, y), y);
      await expect.poll(() => covered(page)).toEqual([]);
    }
    await toast.getByRole('button', { name: 'Dismiss' }).click();
  });
}
