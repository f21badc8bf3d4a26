import type { GameEntry } from '../src/lib/protocol';
import { expect, expectNoErrors, lot, openTable, playAtRandom, test } from './table';

const TOUCHES = 36;

// One test for all, since the games are the server's to name; each is a step of its own in the report.
test('every game can be played by touching only what is highlighted', async ({ page, baseURL }) => {
  test.setTimeout(240_000);
  const games = (await (await fetch(`${baseURL}/api/games`)).json()) as GameEntry[];
  expect(games.length).toBeGreaterThan(0);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  for (const game of games) {
    await test.step(game.id, async () => {
      await openTable(
        page,
        game.id,
        Array.from({ length: game.seats }, () => 'me'),
      );
      await playAtRandom(page, TOUCHES, lot(game.id.length * 31 + 5));
      await expectNoErrors(page);
      await page.setViewportSize({ width: 390, height: 844 });
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(sideways, `${game.id} does not scroll sideways on a telephone`).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  }
  expect(errors).toEqual([]);
});
