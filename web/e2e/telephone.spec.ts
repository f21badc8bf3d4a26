import type { GameEntry } from '../src/lib/wire';
import { board, expect, openTable, settled, test, touch } from './table';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test('a cube and its net are in sight together, above the bar', async ({ page }) => {
  for (const spec of ['rubiks-cube', 'rubiks-cube:size=3']) {
    await openTable(page, spec, ['me']);
    await settled(page);
    const bar = (await page.locator('.bar').boundingBox())?.y ?? 0;
    for (const area of ['board', 'body']) {
      const box = await page.locator(`[data-area="${area}"] svg.${area === 'body' ? 'solid' : 'board'}`).boundingBox();
      expect(box?.y ?? 0).toBeGreaterThan(50);
      expect((box?.y ?? 0) + (box?.height ?? 999), `${spec}: ${area}`).toBeLessThanOrEqual(bar);
    }
    await expect(page.getByRole('button', { name: 'Turn left' })).toBeInViewport({ ratio: 1 });
  }
});

test('the name of a game is whole in the bar, and the choices after a game stand in one row', async ({
  page,
  baseURL,
}) => {
  const games = (await (await fetch(`${baseURL}/api/games`)).json()) as GameEntry[];
  // The longest is the hardest.
  const [longest] = games.sort((a, b) => b.name.length - a.name.length);
  await openTable(
    page,
    longest?.id ?? '',
    Array.from({ length: longest?.seats ?? 0 }, () => 'me'),
  );
  const heading = page.locator('.heading');
  await expect(heading).toHaveText(longest?.name ?? '');
  expect(
    await heading.evaluate((it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight + 4),
  ).toBe(true);

  await openTable(page, 'tic-tac-toe:max-plies=1', ['me', 'me']);
  await settled(page);
  await touch(page, 'b2');
  await expect(board(page)).toHaveAttribute('data-state', 'over');
  const tops = await page
    .locator('.bar .buttons > *')
    .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top));
  expect(tops.length).toBe(3);
  expect(new Set(tops).size).toBe(1);
});

test('a board is enlarged around its middle, and stays where it is when enlarged again', async ({ page }) => {
  await openTable(page, 'hex:size=19', ['me', 'me']);
  await settled(page);
  const middle = () =>
    page
      .locator('.frame .window')
      .evaluate((window) => (window.scrollLeft + window.clientWidth / 2) / window.scrollWidth);
  for (let times = 0; times < 2; times++) await page.getByRole('button', { name: 'Larger' }).click();
  await expect.poll(middle).toBeCloseTo(0.5, 1);
  await page.locator('.frame .window').evaluate((window) => {
    window.scrollLeft = window.scrollWidth;
  });
  await expect.poll(middle).toBeGreaterThan(0.6);
  const before = await middle();
  await page.getByRole('button', { name: 'Larger' }).click();
  await expect.poll(middle).toBeCloseTo(before, 1);
});

test('one’s own cards are next to the board, the others’ below them', async ({ page }) => {
  await openTable(page, 'jabirs-transmutations', ['random', 'me', 'random']);
  await settled(page);
  const top = async (seat: number) => (await page.locator(`[data-area="seat:${seat}"]`).boundingBox())?.y ?? 0;
  const own = await top(1);
  for (const other of [0, 2]) expect(await top(other)).toBeGreaterThan(own);
  // And larger than theirs.
  const width = async (seat: number) =>
    (await page.locator(`[data-area="seat:${seat}"] svg.tray .piece`).first().boundingBox())?.width ?? 0;
  expect(await width(1)).toBeGreaterThan(await width(0));
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
});

test('nothing covers the board of a lesson', async ({ page }) => {
  for (const game of ['al-jabar', 'hex', 'tablut', 'jabirs-transmutations']) {
    await page.goto(`/lesson/${game}`);
    await expect(page.locator('.task')).toBeVisible();
    const frame = await page.locator('.frame').first().boundingBox();
    const reply = await page.locator('.reply').boundingBox();
    const words = await page.locator('.words').boundingBox();
    if (!frame || !reply || !words) throw new Error(`${game}: something is not drawn`);
    expect(frame.y, game).toBeGreaterThanOrEqual(words.y + words.height - 1);
    expect(Math.min(frame.y + frame.height, reply.y) - frame.y, `${game}: enough of the board`).toBeGreaterThan(200);
    // The page scrolls as a whole: at its end all of the board stands above what is to be done.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const stage = await page.locator('.lesson > .stage').boundingBox();
    const below = await page.locator('.reply').boundingBox();
    expect((stage?.y ?? 0) + (stage?.height ?? 0), game).toBeLessThanOrEqual((below?.y ?? 0) + 1);
  }
});

test('what is chosen in the dialog of a new table can be read in full', async ({ page }) => {
  await page.goto('/?new=tablut');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Open the table' })).toBeEnabled();
  const choices = dialog.locator('select');
  for (const choice of await choices.all()) {
    const cut = await choice.evaluate((select: HTMLSelectElement) => {
      const style = getComputedStyle(select);
      const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
      pen.font = style.font;
      // The browser's own arrow takes some room as well.
      const room =
        select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight) - 20;
      return [...select.options].map(({ text }) => text).filter((text) => pen.measureText(text).width > room);
    });
    expect(cut).toEqual([]);
  }
});
