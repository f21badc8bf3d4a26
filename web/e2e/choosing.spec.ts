import type { Page } from '@playwright/test';
import type { ServerMessage, Step, View } from '../src/lib/wire';
import { board, expect, expectNoErrors, openTable, plies, settled, test, touch } from './table';

/** The views that a page is sent, the latest last. */
function views(page: Page): View[] {
  const seen: View[] = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(String(payload)) as ServerMessage;
      if (message.type === 'view') seen.push(message);
    }),
  );
  return seen;
}

test('the ends of a line are touched in either order', async ({ page }) => {
  await openTable(page, 'sim', ['me', 'me']);
  await settled(page);
  await page.locator('[data-cell="5"]').click();
  await expect(page.locator('[data-cell="2"]')).toHaveClass(/target/);
  await page.locator('[data-cell="2"]').click();
  await expect.poll(() => plies(page)).toBe(1);
  await expect(page.getByRole('list', { name: 'Plies' })).toContainText('2-5');
  await expectNoErrors(page);
});

/** The steps of the seat that is to choose, and where its touches lead as far as that came with the view. */
function steps(view: View | undefined): { after: (touched: string[]) => Step | undefined } {
  const all = Object.values(view?.choices ?? {})[0]?.steps ?? [];
  const after = (touched: string[]) =>
    touched.reduce((step: Step | undefined, id) => all[step?.next.find((next) => next.id === id)?.step ?? -1], all[0]);
  return { after };
}

/** The beginnings of two touches that come with the view. */
function pairs(view: View | undefined): [string, string][] {
  const { after } = steps(view);
  const ids = (touched: string[]) => after(touched)?.next.map(({ id }) => id) ?? [];
  return ids([]).flatMap((one) => ids([one]).map((other): [string, string] => [one, other]));
}

/** Two different pieces that can be given together, drawing from the bag until there are such. */
async function exchange(page: Page, seen: View[]): Promise<[string, string]> {
  for (;;) {
    await settled(page);
    const { after } = steps(seen.at(-1));
    const wanted = pairs(seen.at(-1)).find(
      (pair) => pair[0] !== pair[1] && after(pair)?.next.some(({ id }) => id === 'for'),
    );
    if (wanted) return wanted;
    const before = await plies(page);
    await touch(page, 'draw');
    await expect.poll(() => plies(page)).toBeGreaterThan(before);
  }
}

test('an exchange is chosen piece by piece in any order, its sums said as they grow', async ({ page }) => {
  const seen = views(page);
  await openTable(page, 'al-jabar', ['me', 'me']);
  const given = (await exchange(page, seen)).reverse();
  const before = await plies(page);

  const caption = page.locator('.bar .caption');
  for (const [i, id] of given.entries()) {
    await touch(page, id);
    await expect(board(page)).toHaveAttribute('data-chosen', String(i + 1));
    // One colour by itself, then a sum.
    if (i > 0) await expect(caption).toContainText(/ \+ .* = /);
    else await expect(caption).not.toBeEmpty();
  }
  // What was chosen first is taken back by itself, and chosen again.
  const first = given[0] as string;
  if (!(await page.locator(`.target[data-touch="${first}"]`).count())) {
    await page.locator(`[data-touch="${first}"]`).dispatchEvent('click');
    await expect(board(page)).toHaveAttribute('data-chosen', String(given.length - 1));
    await touch(page, first);
    await expect(board(page)).toHaveAttribute('data-chosen', String(given.length));
  }
  await touch(page, 'for');
  await expect(caption).toContainText('take pieces that sum to');
  // Whatever may be taken, until it is enough.
  while (!(await page.locator('.target[data-touch="ok"]').count())) {
    const chosen = Number(await board(page).getAttribute('data-chosen'));
    await page.locator('.target[data-touch]').first().dispatchEvent('click');
    await expect(board(page)).toHaveAttribute('data-chosen', String(chosen + 1));
    await expect(board(page)).toHaveAttribute('data-waits', 'false');
  }
  await expect(caption).toContainText('; for ');
  expect(await plies(page)).toBe(before);
  await touch(page, 'ok');
  await expect.poll(() => plies(page)).toBeGreaterThan(before);
  await expectNoErrors(page);
});

test('how often a piece is chosen is written on it', async ({ page }) => {
  const seen = views(page);
  await openTable(page, 'al-jabar', ['me', 'me']);
  for (;;) {
    await settled(page);
    const twice = pairs(seen.at(-1)).find(([one, other]) => one === other);
    if (twice) {
      const [id] = twice;
      await touch(page, id);
      await expect(page.locator('.times')).toHaveCount(0);
      await touch(page, id);
      await expect(page.locator('.times text')).toHaveText('2×');
      return;
    }
    const before = await plies(page);
    await touch(page, 'draw');
    await expect.poll(() => plies(page)).toBeGreaterThan(before);
  }
});

test('stones are chosen by pile and count, in either order', async ({ page }) => {
  await openTable(page, 'kaalu', ['me', 'me']);
  for (const stone of ['stock:0', 'stock:1']) {
    await settled(page);
    const before = await plies(page);
    await touch(page, stone);
    await touch(page, stone === 'stock:0' ? 'pile:0' : 'pile:1');
    await expect.poll(() => plies(page)).toBeGreaterThan(before);
  }
  await settled(page);
  await touch(page, 'pile:0');
  await expect(page.locator('.bar .caption')).toContainText('how many black and how many neutral stones');
  await touch(page, 'neutral:0:1');
  await expect(page.locator('.bar .caption')).toContainText('1 neutral: and how many black');
  await touch(page, 'own:0:0');
  await expect(page.locator('.bar .caption')).toContainText('0 black and 1 neutral: to which pile');
  await touch(page, 'pile:1');
  await expect.poll(() => plies(page)).toBe(3);
  await expectNoErrors(page);
});
