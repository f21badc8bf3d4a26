import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { View } from '../src/lib/wire';
import { board, expect, test } from './table';

// No game is needed to turn a body about: every facet of this one is an action.
const VIEW = (JSON.parse(readFileSync('src/fixtures/body.json', 'utf8')) as { view: View }).view;

/** Opens the table; returns the actions that are played there, as they come. */
async function openBody(page: Page): Promise<string[]> {
  const played: string[] = [];
  await page.routeWebSocket(/\/ws\/body$/, (socket) => {
    socket.onMessage((text) => {
      const message = JSON.parse(String(text)) as { type: string; id: string; action: string };
      if (message.type === 'play') {
        played.push(message.action);
        socket.send(JSON.stringify({ type: 'ack', id: message.id, n_plies: 0 }));
      }
      socket.send(JSON.stringify(VIEW));
    });
  });
  await page.goto('/t/body');
  await expect(board(page)).toBeVisible();
  return played;
}

function facet(page: Page, id: string) {
  return page.locator(`[data-cell="${id}"]`);
}

test('a body is turned by mouse, buttons and keys, and its facets are touched', async ({ page }) => {
  const played = await openBody(page);
  await expect(page.locator('[data-cell]')).toHaveCount(27);
  await facet(page, 'r4').click();
  expect(played).toEqual(['r4']);

  // A drag turns it and touches nothing.
  const { x = 0, y = 0, width = 0 } = (await facet(page, 'f4').boundingBox()) ?? {};
  await page.mouse.move(x + width / 2, y + 10);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 400, y + 10, { steps: 5 });
  await page.mouse.up();
  await expect(facet(page, 'l4')).toBeVisible();
  await expect(facet(page, 'r4')).toHaveCount(0);
  expect(played).toEqual(['r4']);

  await page.getByRole('button', { name: 'Turn back to the front' }).click();
  await page.getByRole('button', { name: 'Turn up' }).click();
  await expect(facet(page, 'd4')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(facet(page, 'u4')).toBeVisible();

  // Walking over the rim brings on the side behind it.
  await facet(page, 'r4').focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  await expect(page.locator('[data-cell]:focus')).toHaveAttribute('data-cell', /^b/);
  await page.keyboard.press('Enter');
  expect(played.at(-1)).toMatch(/^b/);
});

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a finger turns a body without scrolling the page, and a tap chooses', async ({ page }) => {
    const played = await openBody(page);
    await facet(page, 'u4').tap();
    expect(played).toEqual(['u4']);

    const finger = await page.context().newCDPSession(page);
    const { x = 0, y = 0 } = (await facet(page, 'f4').boundingBox()) ?? {};
    const at = (dy: number) => [{ x: x + 10, y: y + 10 + dy }];
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
    for (let dy = -10; dy >= -200; dy -= 10) {
      await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(dy) });
    }
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect(facet(page, 'd4')).toBeVisible();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    expect(played).toEqual(['u4']);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
