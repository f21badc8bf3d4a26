import type { Page } from '@playwright/test';
import axe from 'axe-core';
import type { GameEntry } from '../src/lib/wire';
import { board, expect, friendLinks, guest, highlighted, openTable, settled, test, touch } from './table';

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

    // The games are the server's to name.
    test('every table is accessible, with something chosen', async ({ page, baseURL }) => {
      test.setTimeout(240_000);
      const games = (await (await fetch(`${baseURL}/api/games`)).json()) as GameEntry[];
      expect(games.length).toBeGreaterThan(0);
      for (const game of games) {
        await test.step(game.id, async () => {
          await openTable(
            page,
            game.id,
            Array.from({ length: game.seats }, () => 'me'),
          );
          await settled(page);
          const [first] = await highlighted(page);
          if (first !== undefined) await touch(page, first);
          expect(await violations(page), game.id).toEqual([]);
        });
      }
    });

    test('the choice of colours and pieces is accessible in every set', async ({ page }) => {
      await openTable(page, 'connect-four', ['me', 'me']);
      await settled(page);
      await page.getByRole('tab', { name: 'Table' }).click();
      for (const set of await page.locator('fieldset').first().getByRole('radio').all()) {
        await set.check();
        expect(await violations(page)).toEqual([]);
      }
    });
  });
}
