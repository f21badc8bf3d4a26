import type { GameEntry } from '../src/lib/wire';
import { expectAccessible } from './axe';
import { board, expect, friendLinks, guest, highlighted, openTable, resize, settled, test, touch } from './table';

test('the lobby and the dialog are accessible', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Connect Four' })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/?new=connect-four');
  await expect(page.getByRole('button', { name: 'Open the table' })).toBeEnabled();
  await expectAccessible(page);
});

test('what stands before a table is accessible', async ({ page, browser, baseURL }) => {
  await openTable(page, 'poker:players=3', ['me', 'me', 'friend']);
  await expect(board(page)).toHaveAttribute('data-state', 'curtained');
  await expectAccessible(page);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await expectAccessible(page);
  const [link] = await friendLinks(page);
  const friend = await guest(browser, baseURL);
  await friend.goto(link as string);
  await expect(friend.getByRole('dialog')).toBeVisible();
  await expectAccessible(friend);
});

test('a table is accessible', async ({ page }) => {
  await openTable(page, 'tablut', ['me', 'me']);
  await settled(page);
  await page.locator('[data-cell="d1"]').click();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Rules' }).click();
  await expectAccessible(page, 'the rules');
  await page.getByRole('tab', { name: 'Table' }).click();
  await expectAccessible(page, 'the settings');
  await resize(page, { width: 390, height: 844 });
  await expectAccessible(page, 'on a telephone');
});

// The games are the server's to name; they are dealt out to a few tests that run side by side, each a step of its own.
const SHARES = 3;

for (let share = 0; share < SHARES; share++) {
  test(`every table is accessible, with something chosen, ${share + 1} of ${SHARES}`, async ({ page, baseURL }) => {
    test.setTimeout(240_000);
    const games = (await (await fetch(`${baseURL}/api/games`)).json()) as GameEntry[];
    expect(games.length).toBeGreaterThan(0);
    for (const game of games.filter((_, i) => i % SHARES === share)) {
      await test.step(game.id, async () => {
        await openTable(
          page,
          game.id,
          Array.from({ length: game.seats }, () => 'me'),
        );
        await settled(page);
        const [first] = await highlighted(page);
        if (first !== undefined) await touch(page, first);
        await expectAccessible(page, game.id);
      });
    }
  });
}

test('the choice of colours and pieces is accessible in every set', async ({ page }) => {
  await openTable(page, 'connect-four', ['me', 'me']);
  await settled(page);
  await page.getByRole('tab', { name: 'Table' }).click();
  const sets = await page.locator('fieldset').first().getByRole('radio').all();
  expect(sets.length).toBeGreaterThan(1);
  for (const set of sets) {
    await set.check();
    await expectAccessible(page);
  }
});
