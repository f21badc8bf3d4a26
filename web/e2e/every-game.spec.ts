import type { Page } from '@playwright/test';
import type { GameEntry } from '../src/lib/wire';
import { board, expect, expectNoErrors, lot, openByDialog, playAtRandom, resize, test } from './table';

// Long games are broken off by their own cap, which is an end like any other; at night they have more time.
const NIGHTLY = process.env.RAICHI_NIGHTLY !== undefined;
const CAP = NIGHTLY ? 600 : 60;
const TOUCHES = 12 * CAP;

// The games are the server's to name; they are dealt out to a few tests that run side by side, each a step of its own.
const SHARES = 7;

// A trace draws up the page at each of hundreds of touches. They are the same every time: without this line, what
// failed is seen again with one.
test.use({ trace: 'off' });

for (let share = 0; share < SHARES; share++) {
  test(`every game is played to its end by touching only what is highlighted, ${share + 1} of ${SHARES}`, async ({
    page,
    baseURL,
  }) => {
    test.setTimeout(NIGHTLY ? 3_600_000 : 600_000);
    const games = (await (await fetch(`${baseURL}/api/games`)).json()) as GameEntry[];
    expect(games.length).toBeGreaterThan(0);
    const errors: string[] = [];
    await page.addInitScript(() => localStorage.setItem('raichi.pauses', 'off'));
    page.on('pageerror', (error) => errors.push(error.message));
    for (const game of games.filter((_, i) => i % SHARES === share)) {
      await test.step(game.id, async () => {
        const everybody = Array.from({ length: game.seats }, () => 'me');
        await openByDialog(page, `${game.id}:max-plies=${CAP}`, everybody);
        expect(await playAtRandom(page, TOUCHES, lot(game.id.length * 31 + 5)), game.id).toBe('over');
        await expect(page.getByTestId('situation')).not.toBeEmpty();
        await expectNoErrors(page);
        await fitsATelephone(page, game.id);
      });
    }
    expect(errors).toEqual([]);
  });
}

async function fitsATelephone(page: Page, id: string): Promise<void> {
  await resize(page, { width: 390, height: 844 });
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(sideways, `${id} does not scroll sideways on a telephone`).toBeLessThanOrEqual(0);
  // A wide board is pushed sideways in its own frame rather than drawn too small to touch.
  await expect(board(page).locator('svg:is(.board, .table)').first(), `${id}: the board is in sight`).toBeInViewport({
    ratio: 0.6,
  });
  await page.setViewportSize({ width: 1280, height: 800 });
}
