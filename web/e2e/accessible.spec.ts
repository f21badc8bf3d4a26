import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { board, expect, friendLinks, guest, openTable, settled, test } from './table';

/** What a machine can find that shuts people out. */
async function violations(page: Page): Promise<string[]> {
  // Not as a script of the page's: the server allows none but its own.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const checker = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await checker.run(document, { resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('the lobby and the dialog are accessible', async ({ page }) => {
      await page.goto('/');
      await expect(page.getByRole('button', { name: 'Connect Four' })).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.goto('/?new=connect-four');
      await expect(page.getByRole('button', { name: 'Open the table' })).toBeEnabled();
      expect(await violations(page)).toEqual([]);
    });

    test('what stands before a table is accessible', async ({ page, browser, baseURL }) => {
      await openTable(page, 'poker:players=3', ['me', 'me', 'friend']);
      await expect(board(page)).toHaveAttribute('data-state', 'curtained');
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
      expect(await violations(page)).toEqual([]);
      const [link] = await friendLinks(page);
      const friend = await guest(browser, baseURL);
      await friend.emulateMedia({ colorScheme });
      await friend.goto(link as string);
      await expect(friend.getByRole('dialog')).toBeVisible();
      expect(await violations(friend)).toEqual([]);
    });

    test('a table is accessible', async ({ page }) => {
      await openTable(page, 'tablut', ['me', 'me']);
      await settled(page);
      await page.locator('[data-cell="d1"]').click();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('tab', { name: 'Rules' }).click();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('tab', { name: 'Table' }).click();
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await violations(page)).toEqual([]);
    });
  });
}
