/*
 * Draws the icons of the installed page from public/favicon.svg: `npm run icons` writes public/icons/ again.
 *
 * A maskable icon fills its square: systems cut it to a shape of their own, of which only the middle four fifths across
 * are sure to be seen. Apple's fills its square too, and has rounded corners put on it.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

const PUBLIC = join(import.meta.dirname, '../public');
const ICONS = [
  { file: '192.png', size: 192, filled: false },
  { file: '512.png', size: 512, filled: false },
  { file: 'maskable-512.png', size: 512, filled: true },
  { file: 'apple-touch.png', size: 180, filled: true },
];

const svg = await readFile(join(PUBLIC, 'favicon.svg'), 'utf8');
const colour = /<circle[^>]*fill="([^"]+)"/.exec(svg)?.[1];
if (!colour) throw new Error('favicon.svg has a circle with a fill, the colour of the ground');

const executablePath = process.env.RAICHI_CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
await mkdir(join(PUBLIC, 'icons'), { recursive: true });
for (const { file, size, filled } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const ground = filled ? colour : 'transparent';
  await page.setContent(
    `<style>html { background: ${ground} } body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>${svg}`,
  );
  await writeFile(join(PUBLIC, 'icons', file), await page.screenshot({ omitBackground: !filled }));
  await page.close();
}
await browser.close();
