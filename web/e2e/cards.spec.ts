import type { Locator, Page } from '@playwright/test';
import { board, expect, openTable, resize, settled, test, touch } from './table';

const SIX = ['me', 'me', 'me', 'me', 'me', 'me'];

function place(page: Page, seat: number): Locator {
  return page.locator(`[data-place="${seat}"]`);
}

async function boxes(all: Locator) {
  return all.evaluateAll((elements) =>
    elements.map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return { left, top, right, bottom };
    }),
  );
}

/** Plays the named action where it is offered, else the next of them. */
async function act(page: Page, ...ids: string[]): Promise<void> {
  await settled(page);
  const before = await board(page).getAttribute('data-plies');
  for (const id of ids) {
    if ((await page.locator(`.target[data-touch="${id}"]`).count()) === 0) continue;
    await touch(page, id);
    break;
  }
  await expect(board(page)).not.toHaveAttribute('data-plies', before ?? '');
}

/** Takes the device, where it has to be handed over, to see how the round ended. */
async function lift(page: Page): Promise<void> {
  const curtain = page.getByRole('button', { name: 'lift the curtain' });
  await curtain.or(page.getByTestId('round-end')).first().waitFor();
  if (await curtain.isVisible()) await curtain.click();
}

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
]) {
  test(`seats sit around the table with names, chips, bets and the button, at ${size.width}×${size.height}`, async ({
    page,
  }) => {
    await page.addInitScript(() => localStorage.setItem('raichi.name', 'Ada'));
    await page.setViewportSize({ width: 1280, height: 800 });
    await openTable(page, 'poker:players=6', ['me', 'random', 'random', 'random', 'random', 'random']);
    await settled(page);
    await resize(page, size);
    const all = await boxes(page.locator('[data-place]'));
    expect(all).toHaveLength(6);
    for (const [i, a] of all.entries()) {
      expect(a.left).toBeGreaterThanOrEqual(0);
      expect(a.right).toBeLessThanOrEqual(size.width);
      for (const b of all.slice(i + 1))
        expect(a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1).toBe(
          true,
        );
    }
    // One's own place is at the near side, its cards are the largest, and the others' lie face down.
    const own = await place(page, 0).boundingBox();
    for (const seat of [1, 2, 3, 4, 5]) {
      const other = await place(page, seat).boundingBox();
      expect((other?.y ?? 0) + (other?.height ?? 0)).toBeLessThanOrEqual((own?.y ?? 0) + (own?.height ?? 0));
      expect(await place(page, seat).locator('.card-rim').count()).toBeLessThanOrEqual(2);
    }
    const width = async (seat: number) => (await place(page, seat).locator('[data-area]').boundingBox())?.width ?? 0;
    expect(await width(0)).toBeGreaterThan(1.2 * (await width(1)));
    await expect(place(page, 0)).toContainText('Ada');
    for (const seat of [0, 1, 2, 3, 4, 5]) await expect(place(page, seat)).toContainText('Chips');
    await expect(page.locator('.button-badge')).toHaveText('D');
    // Both blinds lie before their seats.
    expect(await page.locator('[data-stake]').count()).toBeGreaterThanOrEqual(2);
    await expect(page.locator('.middle')).toContainText('Pot');
  });
}

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
]) {
  test(`names of ten seats are whole, at ${size.width}×${size.height}`, async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('raichi.name', 'Alexandra'));
    await openTable(page, 'poker:players=10', ['me', ...Array<string>(9).fill('random')]);
    await settled(page);
    await resize(page, size);
    await expect(place(page, 0).locator('.called')).toHaveText('Alexandra');
    const cut = await page
      .locator('.called')
      .evaluateAll((names) => names.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent));
    expect(cut).toEqual([]);
    // A longer one is cut short, and whole where one points at it.
    await expect(place(page, 0).locator('.called')).toHaveAttribute('title', 'Alexandra');
  });
}

test('the showdown is held, says who won what with which hand, and can be skipped', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('raichi.name', 'Ada'));
  await openTable(page, 'poker', ['me', 'me']);
  // Both go on until the cards are shown.
  for (let i = 0; i < 12 && (await page.getByTestId('round-end').count()) === 0; i++) {
    await act(page, 'check', 'call');
    await expect(
      board(page).and(page.locator(':not([data-state="waiting"])')).or(page.getByTestId('round-end')),
    ).not.toHaveCount(0);
  }
  const told = page.getByTestId('round-end');
  await expect(told).toContainText(/won \d+ with (a|two|three|four|.* high)/);
  // The hands lie open, the winner's has a sign, and the board is full.
  await expect(page.locator('.won .ribbon.gain').first()).toContainText('won');
  await expect(page.locator('.middle .piece')).toHaveCount(5);
  for (const seat of [0, 1]) await expect(place(page, seat).locator('.card-rim')).toHaveCount(0);
  await expect(board(page)).toHaveAttribute('data-state', 'waiting');
  // Who acts in the next round has no part in it.
  const acting = page.locator('li[data-seat].acting');
  await expect(acting).toHaveCount(0);
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
  await expect(acting).toHaveCount(1);
  await expect(page.locator('.middle .piece')).toHaveCount(0);
  // It can be seen again.
  await page.getByRole('button', { name: 'the last round' }).click();
  await expect(page.locator('.middle .piece')).toHaveCount(5);
  await page.getByRole('button', { name: 'Go on' }).click();

  // By itself it goes on after a few seconds.
  await act(page, 'fold');
  await lift(page);
  await expect(told).toContainText('because all others folded');
  await expect(told).toHaveCount(0, { timeout: 30_000 });
  await settled(page);

  // And for those who want speed it does not stop at all.
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('checkbox', { name: 'Pause at the end of a round' }).uncheck();
  await act(page, 'fold');
  expect(await settled(page)).toBe('yours');
  await expect(told).toHaveCount(0);
});

test('the list of plies is grouped by rounds, and unseen cards are told together', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('raichi.pauses', 'off'));
  await openTable(page, 'poker:players=6,rounds=5', SIX);
  for (let round = 0; round < 3; round++) for (let seat = 0; seat < 5; seat++) await act(page, 'fold');
  await settled(page);
  const titles = page.locator('summary');
  await expect(titles).toHaveCount(4);
  await expect(titles.nth(3)).toContainText('Round 4');
  // Only the last is open, and its twelve hole cards take one line.
  const open = page.locator('details[open]');
  await expect(open).toHaveCount(1);
  await expect(open.locator('li')).toHaveCount(1);
  await expect(open.locator('li')).toContainText('and 10 unseen');
  await expect(page.getByText('~?', { exact: true })).toHaveCount(0);
  // An earlier round is opened, and touching a ply looks back at it.
  await titles.nth(0).click();
  await page.locator('details').nth(0).getByRole('button', { name: /fold/ }).first().click();
  await expect(page.getByText('Looking back')).toBeVisible();
});

test('the indices of cards are not cut off', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const spec of ['blackjack:players=4', 'poker:players=10']) {
    await openTable(
      page,
      spec,
      Array.from({ length: Number(spec.split('=')[1]) }, () => 'me'),
    );
    for (let i = 0; i < 9; i++) await act(page, 'bet-10', 'no-insurance', 'hit', 'stand', 'call', 'check');
    const cut = await page.locator('.piece:has(.face)').evaluateAll((cards) =>
      cards.flatMap((card) => {
        const face = card.querySelector('.face')?.getBoundingClientRect();
        return [...card.querySelectorAll('text.rank')].flatMap((rank) => {
          const box = rank.getBoundingClientRect();
          const cut = !face || box.left < face.left - 0.5 || box.right > face.right + 0.5;
          return cut ? [`${rank.textContent} ${box.left}–${box.right} on ${face?.left}–${face?.right}`] : [];
        });
      }),
    );
    expect(cut, spec).toEqual([]);
  }
});
