import type { Browser, Page } from '@playwright/test';
import {
  board,
  expect,
  expectNoErrors,
  friendLinks,
  guest,
  highlighted,
  lot,
  openTable,
  playOne,
  plies,
  settled,
  test,
  touch,
} from './table';

/** All that a page was sent. */
function record(page: Page): string[] {
  const frames: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))));
  return frames;
}

async function join(
  browser: Browser,
  baseURL: string | undefined,
  link: string,
): Promise<{ page: Page; frames: string[] }> {
  const page = await guest(browser, baseURL, 'Bob');
  const frames = record(page);
  await page.goto(link);
  await expect(board(page)).toBeVisible();
  return { page, frames };
}

/** The cards, face up, in a tray. */
async function cards(page: Page, tray: string): Promise<string[]> {
  const labels = await page
    .locator(`[data-area="${tray}"] [data-cell]`)
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label') ?? ''));
  return labels.flatMap((label) => /(\w+) of (clubs|diamonds|hearts|spades)/.exec(label)?.[0] ?? []);
}

const RANKS: Record<string, string> = {
  ace: 'A',
  king: 'K',
  queen: 'Q',
  jack: 'J',
  ten: 'T',
  nine: '9',
  eight: '8',
  seven: '7',
  six: '6',
  five: '5',
  four: '4',
  three: '3',
  two: '2',
};

/** `ace of spades` as the server writes it, `As`. */
function short(words: string): string {
  const [rank = '', , suit = ''] = words.split(' ');
  return `${RANKS[rank]}${suit.charAt(0)}`;
}

test('poker: two people see their own cards only, on the screen and in the messages', async ({
  page,
  browser,
  baseURL,
}) => {
  const annFrames = record(page);
  await openTable(page, 'poker', ['me', 'friend']);
  const [link] = await friendLinks(page);
  expect(link).toBeTruthy();
  const { page: bob, frames: bobFrames } = await join(browser, baseURL, link as string);
  // The key has left the address bar.
  expect(new URL(bob.url()).hash).toBe('');

  const everybody = [
    { page, frames: annFrames, own: 'tray:0', other: 'tray:1' },
    { page: bob, frames: bobFrames, own: 'tray:1', other: 'tray:0' },
  ];
  const seen: string[][] = [];
  for (const { page: one, own, other } of everybody) {
    await expect.poll(() => cards(one, own)).toHaveLength(2);
    expect(await cards(one, other)).toHaveLength(0);
    await expect(one.locator(`[data-area="${other}"] .card-rim`)).toHaveCount(2);
    seen.push((await cards(one, own)).map(short));
  }
  const [annCards, bobCards] = seen as [string[], string[]];
  expect(new Set([...annCards, ...bobCards]).size).toBe(4);

  // To the flop, by calling and checking; nothing is shown down yet.
  const acting = async () => ((await board(page).getAttribute('data-state')) === 'yours' ? page : bob);
  for (let i = 0; i < 4; i++) {
    const one = await acting();
    await settled(one);
    const ids = await highlighted(one);
    const before = await plies(one);
    await touch(one, ids.includes('check') ? 'check' : 'call');
    await expect.poll(() => plies(one)).toBeGreaterThan(before);
  }
  const written = (frames: string[], card: string) =>
    frames.some((frame) => frame.includes(`"${card}"`) || frame.includes(`~${card}`));
  for (const card of annCards) {
    expect(written(annFrames, card)).toBe(true);
    expect(written(bobFrames, card)).toBe(false);
  }
  for (const card of bobCards) {
    expect(written(bobFrames, card)).toBe(true);
    expect(written(annFrames, card)).toBe(false);
  }

  // Who watches sees none of them.
  const table = await board(page).getAttribute('data-table');
  const { page: watcher, frames: watcherFrames } = await join(browser, baseURL, `/t/${table}`);
  await expect(watcher.getByText('watching')).toBeVisible();
  for (const card of [...annCards, ...bobCards]) expect(written(watcherFrames, card)).toBe(false);
  for (const one of [page, bob, watcher]) await expectNoErrors(one);
});

test('three alchemists draft at the same time', async ({ page, browser, baseURL }) => {
  await openTable(page, 'jabirs-transmutations', ['me', 'friend', 'friend']);
  const links = await friendLinks(page);
  expect(links).toHaveLength(2);
  const friends = await Promise.all(links.map((link) => join(browser, baseURL, link)));
  const everybody = [page, ...friends.map((friend) => friend.page)];
  const draw = lot(3);

  // The event is chosen by one, then all three pick at the same time, six times over.
  await settled(page);
  await playOne(page, draw);
  for (let pick = 0; pick < 6; pick++) {
    for (const one of everybody) await expect(board(one)).toHaveAttribute('data-state', 'yours');
    await Promise.all(everybody.map((one) => playOne(one, draw)));
  }
  for (const one of everybody) await expectNoErrors(one);
  await expect.poll(async () => new Set(await Promise.all(everybody.map(plies))).size).toBe(1);
});
