import type { Page } from '@playwright/test';
import type { GameEntry } from '../src/lib/wire';
import { board, expect, expectNoErrors, highlighted, openTable, settled, test } from './table';

/** Goes by the Tab key to something that can be chosen, as one does without a mouse. */
async function tabToTarget(page: Page): Promise<string | null> {
  const at = () =>
    page.evaluate(() => document.activeElement?.closest('.target[data-touch]')?.getAttribute('data-touch'));
  for (let i = 0; i < 60; i++) {
    const id = await at();
    if (id) return id;
    await page.keyboard.press('Tab');
  }
  return null;
}

test('the keyboard alone plays games of every sort', async ({ page, baseURL }) => {
  test.setTimeout(180_000);
  const games = (await (await fetch(`${baseURL}/api/games`)).json()) as GameEntry[];
  // One game of cells, one of hexagons, one of lines and one of cards, as far as the server has them.
  const has = (wanted: (picture: GameEntry['picture']) => boolean) => games.find(({ picture }) => wanted(picture));
  const cells = (picture: GameEntry['picture']) => picture.areas.flatMap((area) => area.cells);
  const chosen = new Set([
    has((picture) => cells(picture).every(({ shape }) => shape.type === 'square')),
    has((picture) => cells(picture).some(({ shape }) => shape.type === 'hexagon')),
    has(({ areas }) => areas.some(({ lines }) => lines?.some(({ id }) => id))),
    has(({ areas }) => areas.some(({ pieces }) => pieces.some(({ kind }) => kind === 'card-back'))),
  ]);
  for (const game of chosen) {
    if (!game) continue;
    await test.step(game.id, async () => {
      await openTable(
        page,
        game.id,
        Array.from({ length: game.seats }, () => 'me'),
      );
      await settled(page);
      for (let i = 0; i < 6 && (await settled(page)) === 'yours'; i++) {
        expect((await highlighted(page)).length).toBeGreaterThan(0);
        expect(await tabToTarget(page), `${game.id}: the Tab key leads to what can be chosen`).not.toBeNull();
        const before = await board(page).evaluate((main) => `${main.dataset.plies} ${main.dataset.chosen}`);
        await page.keyboard.press('Enter');
        await expect
          .poll(() => board(page).evaluate((main) => `${main.dataset.plies} ${main.dataset.chosen}`))
          .not.toBe(before);
      }
      await expectNoErrors(page);
    });
  }
});
