import { mkdirSync } from 'node:fs';
import { lot, openTable, playAtRandom, settled, test } from './table';

// `RAICHI_SCREENSHOTS=1` takes the README's pictures again.
test.skip(!process.env.RAICHI_SCREENSHOTS, 'pictures are taken on demand');

const FOLDER = '../docs/screenshots';
const TABLES: { spec: string; seats: string[]; touches: number; seed: number }[] = [
  { spec: 'tablut', seats: ['me', 'random'], touches: 16, seed: 5 },
  { spec: 'hex', seats: ['me', 'me'], touches: 25, seed: 2 },
  {
    spec: 'poker:players=6',
    seats: ['me', 'level:3', 'level:3', 'level:3', 'level:3', 'level:3'],
    touches: 0,
    seed: 21,
  },
  { spec: 'jabirs-transmutations', seats: ['me', 'random', 'random'], touches: 24, seed: 4 },
  { spec: 'blackjack:players=3', seats: ['me', 'random', 'random'], touches: 5, seed: 6 },
  { spec: 'focus', seats: ['me', 'me'], touches: 60, seed: 7 },
  { spec: 'kaalu', seats: ['me', 'me'], touches: 30, seed: 8 },
  { spec: 'yavalath', seats: ['me', 'me'], touches: 18, seed: 9 },
  { spec: 'al-jabar', seats: ['me', 'random'], touches: 30, seed: 10 },
  { spec: 'rubiks-cube', seats: ['me'], touches: 8, seed: 11 },
];
const SIZES = [
  { name: '', width: 1280, height: 800 },
  { name: '-phone', width: 390, height: 844 },
];

test.beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true });
});

test('the lobby', async ({ page }) => {
  await page.goto('/');
  await page.locator('[data-game]').first().waitFor();
  for (const { name, width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${FOLDER}/lobby${name}.png` });
  }
});

for (const { spec, seats, touches, seed } of TABLES) {
  const id = spec.split(':')[0];
  test(`a table of ${id}`, async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('raichi.name', 'Ann'));
    await openTable(page, spec, seats);
    await playAtRandom(page, touches, lot(seed));
    await settled(page);
    for (const { name, width, height } of SIZES) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${FOLDER}/${id}${name}.png` });
    }
  });
}
