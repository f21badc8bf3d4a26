import type { Page } from '@playwright/test';
import { board, expect, expectNoErrors, openTable, plies, settled, test } from './table';

/** Where the middle of a cell is on the screen. */
async function middle(page: Page, cell: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(`[data-cell="${cell}"]`).boundingBox();
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
}

/** Presses on a cell and goes to another place, without letting go. */
async function carry(page: Page, from: string, to: { x: number; y: number }): Promise<void> {
  const at = await middle(page, from);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move((at.x + to.x) / 2, (at.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
}

const ghost = (page: Page) => page.locator('svg.ghost');
const targets = (page: Page) => page.locator('.place.target');

test('a piece is dragged by the mouse, its ghost with it', async ({ page }) => {
  await openTable(page, 'tablut', ['me', 'me']);
  await settled(page);
  await carry(page, 'd1', await middle(page, 'd3'));
  await expect(ghost(page)).toHaveCount(1);
  await expect(ghost(page).locator('.piece')).toHaveCount(1);
  // What may be dropped on is shown, and what is under the pointer stands out.
  await expect(targets(page)).toHaveCount(6);
  await expect(page.locator('[data-cell="d3"]')).toHaveAttribute('data-over', '');
  const box = await ghost(page).locator('.figure').boundingBox();
  const to = await middle(page, 'd3');
  expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - to.x)).toBeLessThan(6);
  await page.mouse.up();
  await expect.poll(() => plies(page)).toBe(1);
  await expect(page.locator('.piece[data-on="d3"]')).toHaveCount(1);
  await expect(ghost(page)).toHaveCount(0);
  await expectNoErrors(page);
});

test('dropped elsewhere, everything is as it was; a click still chooses', async ({ page }) => {
  await openTable(page, 'tablut', ['me', 'me']);
  await settled(page);
  const start = await targets(page).count();
  // On a cell that it cannot reach, beside the board, and back where it came from.
  for (const to of [await middle(page, 'i9'), { x: 5, y: 400 }, await middle(page, 'd1')]) {
    await carry(page, 'd1', await middle(page, 'd3'));
    await expect(ghost(page)).toHaveCount(1);
    await page.mouse.move(to.x, to.y, { steps: 2 });
    await page.mouse.up();
    await expect(ghost(page)).toHaveCount(0);
    await expect(board(page)).toHaveAttribute('data-chosen', '0');
    await expect(targets(page)).toHaveCount(start);
  }
  // Escape lets go too.
  await carry(page, 'd1', await middle(page, 'd3'));
  await page.keyboard.press('Escape');
  await expect(ghost(page)).toHaveCount(0);
  await page.mouse.up();
  await expect(board(page)).toHaveAttribute('data-chosen', '0');
  await page.locator('[data-cell="d1"]').click();
  await page.locator('[data-cell="d2"]').click();
  await expect.poll(() => plies(page)).toBe(1);
});

test('what is the whole of an action by itself is not dragged', async ({ page }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'me']);
  await settled(page);
  await carry(page, 'a1', await middle(page, 'c3'));
  await expect(ghost(page)).toHaveCount(0);
  await page.mouse.up();
  expect(await plies(page)).toBe(0);
});

test('a stone is dragged from one area to another', async ({ page }) => {
  await openTable(page, 'kaalu', ['me', 'me']);
  await settled(page);
  await carry(page, 'stock:0', await middle(page, 'pile:0'));
  await expect(ghost(page)).toHaveCount(1);
  await page.mouse.up();
  await expect.poll(() => plies(page)).toBe(1);
});

test('a line is touched where it is, and of lines that cross the nearest', async ({ page }) => {
  await openTable(page, 'sim', ['me', 'me']);
  await settled(page);
  const between = async (a: string, b: string, part: number) => {
    const [one, other] = [await middle(page, a), await middle(page, b)];
    return { x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part };
  };
  const list = page.getByRole('list', { name: 'Plies' });
  let at = await between('1', '3', 0.3);
  await page.mouse.move(at.x, at.y);
  await expect(page.locator('.joining .show')).toHaveCount(1);
  await page.mouse.click(at.x, at.y);
  await expect(list).toContainText('1-3');
  // Near the middle, where lines cross, a little aside is enough.
  at = await between('2', '5', 0.42);
  await page.mouse.click(at.x, at.y);
  await expect(list).toContainText('2-5');
  // A node, then a line from it.
  await page.locator('[data-cell="4"]').click();
  at = await between('4', '6', 0.4);
  await page.mouse.click(at.x, at.y);
  await expect(list).toContainText('4-6');
  // From node to node as well, by dragging.
  await carry(page, '1', await middle(page, '6'));
  await expect(ghost(page).locator('line')).toHaveCount(1);
  await page.mouse.up();
  await expect(list).toContainText('1-6');
  await expectNoErrors(page);
});

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a piece is dragged by a finger, and the page does not scroll', async ({ page }) => {
    await openTable(page, 'tablut', ['me', 'me']);
    await settled(page);
    const finger = await page.context().newCDPSession(page);
    const [from, to] = [await middle(page, 'd1'), await middle(page, 'd3')];
    const touchAt = (part: number) => [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }];
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: touchAt(0) });
    for (const part of [0.3, 0.6, 1]) {
      await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: touchAt(part) });
    }
    await expect(ghost(page)).toHaveCount(1);
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect.poll(() => plies(page)).toBe(1);
    await expect(page.locator('.piece[data-on="d3"]')).toHaveCount(1);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    // A tap chooses as before.
    await settled(page);
    await page.locator('[data-cell="e4"]').tap();
    await expect(board(page)).toHaveAttribute('data-chosen', '1');
  });

  test('a line is touched by a finger', async ({ page }) => {
    await openTable(page, 'sim', ['me', 'me']);
    await settled(page);
    const [one, other] = [await middle(page, '1'), await middle(page, '2')];
    await page.touchscreen.tap((one.x + other.x) / 2 + 3, (one.y + other.y) / 2 + 3);
    await expect.poll(() => plies(page)).toBe(1);
  });
});
