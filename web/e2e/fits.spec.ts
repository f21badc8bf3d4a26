import type { Page } from '@playwright/test';
import type { GameEntry } from '../src/lib/wire';
import { board, expect, lot, openTable, playAtRandom, resize, settled, test } from './table';

// The games are the server's to name; they are dealt out to a few tests that run side by side, each a step of its own.
const SHARES = 2;
const SIZES = [
  { name: 'a telephone lengthwise', width: 844, height: 390 },
  { name: 'a telephone upright', width: 390, height: 844 },
  { name: 'a large screen', width: 1440, height: 900 },
];
/** Dots that a finger can hit, and that a mouse can. */
const FINGER = 20;

for (let share = 0; share < SHARES; share++) {
  test(`the board and the actions of every game are in sight, ${share + 1} of ${SHARES}`, async ({ page, baseURL }) => {
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
        for (const { name, ...size } of SIZES) {
          await resize(page, size);
          await fits(page, `${game.id} on ${name}`, size);
        }
      });
    }
  });
}

async function fits(page: Page, what: string, { width, height }: { width: number; height: number }): Promise<void> {
  const seen = await page.evaluate(() => {
    const box = (element: Element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return { left, top, right, bottom };
    };
    // A body is seen whole, a board that is too wide for its cells to be touched is moved about in its frame.
    const boards = [...document.querySelectorAll('main.table svg:is(.board, .solid, .table)')].map((svg) => {
      const window = svg.closest('.window');
      return box(window && window.scrollWidth > window.clientWidth + 1 ? window : svg);
    });
    const bar = document.querySelector('main.table .bar');
    const targets = [...document.querySelectorAll('main.table .target')].map((target) => {
      const reach = target.querySelector('.reach') ?? target;
      const { left, right, top, bottom } = box(reach);
      return {
        id: target.getAttribute('data-touch'),
        least: Math.min(right - left, bottom - top),
        line: target.classList.contains('line-place'),
      };
    });
    // What stands over or beside a board lies on nothing of it.
    const controls = [...document.querySelectorAll('main.table :is(.zoom, .turn, .switch)')].map((control) => ({
      name: control.className,
      ...box(control),
    }));
    const drawn = [...document.querySelectorAll('main.table svg.board :is(.cell > *, text, .piece .figure)')];
    const covered = drawn
      .map((element) => ({ is: element.textContent?.trim() || element.tagName, ...box(element) }))
      .flatMap((thing) =>
        controls
          .filter(
            (over) =>
              thing.left < over.right - 1 &&
              thing.right > over.left + 1 &&
              thing.top < over.bottom - 1 &&
              thing.bottom > over.top + 1,
          )
          .map((over) => `${over.name} on ${thing.is}`),
      );
    const sideways = document.documentElement.scrollWidth - innerWidth;
    return { boards, bar: bar && box(bar), targets, covered, sideways };
  });
  expect(seen.covered, `${what}: nothing of the board is covered`).toEqual([]);
  expect(seen.sideways, `${what}: nothing sticks out sideways`).toBeLessThanOrEqual(0);
  expect(seen.bar, `${what}: the bar`).not.toBeNull();
  const bar = seen.bar as NonNullable<typeof seen.bar>;
  expect(bar.bottom, `${what}: the bar is in sight`).toBeLessThanOrEqual(height + 0.5);
  expect(bar.top, `${what}: the bar is in sight`).toBeGreaterThan(40);
  const [first] = seen.boards;
  for (const found of first ? [first] : []) {
    expect(found.left, `${what}: the board, left`).toBeGreaterThanOrEqual(-0.5);
    expect(found.top, `${what}: the board, top`).toBeGreaterThanOrEqual(0);
    expect(found.right, `${what}: the board, right`).toBeLessThanOrEqual(width + 0.5);
    // The bar may stand beside the board.
    const floor = bar.left < found.right ? bar.top : height;
    expect(found.bottom, `${what}: the board, bottom`).toBeLessThanOrEqual(floor + 0.5);
  }
  for (const { id, least, line } of seen.targets)
    if (!line) expect(least, `${what}: ${id} can be touched`).toBeGreaterThanOrEqual(FINGER);
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
}

test('the list of plies begins with a whole row, wherever it was scrolled to', async ({ page }) => {
  await openTable(page, 'hex:size=7', ['me', 'me']);
  await resize(page, { width: 1280, height: 590 });
  await playAtRandom(page, 28, lot(3));
  const row = page.locator('[aria-current="step"]');
  /** How much of the first row that is to be seen is cut off. */
  const cut = async () => {
    const of = await row.evaluate((current) => {
      const list = current.closest('.list') as HTMLElement;
      const [box, at] = [current.getBoundingClientRect(), list.getBoundingClientRect().top];
      return { rest: (box.top - at) % box.height, row: box.height, scrolled: list.scrollTop };
    });
    expect(of.scrolled).toBeGreaterThan(0);
    return Math.min(of.rest, of.row - of.rest);
  };
  await expect(row).toContainText('28');
  expect(await cut()).toBeLessThan(1.5);
  for (const ply of [27, 26, 25, 24, 23, 22, 21, 20, 19]) {
    await page.keyboard.press('ArrowLeft');
    await expect(row).toContainText(String(ply));
    expect(await cut()).toBeLessThan(1.5);
  }
  await page.getByRole('checkbox', { name: 'As a score sheet' }).check();
  await expect(page.getByRole('table', { name: 'Score sheet' })).toBeVisible();
  await expect(row).toBeInViewport();
  expect(await cut()).toBeLessThan(1.5);
});
