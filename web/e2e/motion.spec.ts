import type { Page } from '@playwright/test';
import { expect, openTable, plies, settled, test, touch } from './table';

/** Counts what is animated, and the longest that anything takes, from now on. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { started: 0, longest: 0, most: 0 };
    (window as unknown as { seen: typeof seen }).seen = seen;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
      const timing = typeof options === 'object' ? options : { duration: options ?? 0 };
      seen.started += 1;
      seen.longest = Math.max(seen.longest, Number(timing.duration ?? 0) + Number(timing.delay ?? 0));
      const animation = animate.call(this, frames, options);
      seen.most = Math.max(seen.most, document.getAnimations().length);
      return animation;
    };
  });
}

async function seen(page: Page): Promise<{ started: number; longest: number; most: number }> {
  return page.evaluate(() => ({
    ...(window as unknown as { seen: { started: number; longest: number; most: number } }).seen,
  }));
}

async function play(page: Page, ...touches: string[]): Promise<void> {
  await settled(page);
  const before = await plies(page);
  for (const id of touches) await touch(page, id);
  await expect.poll(() => plies(page)).toBeGreaterThan(before);
}

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('moves, captures, falls and flips are seen, shortly', async ({ page }) => {
    await watch(page);
    await openTable(page, 'tablut', ['me', 'me']);
    await play(page, 'd1', 'd3');
    expect((await seen(page)).started).toBe(1);

    await openTable(page, 'connect-four', ['me', 'me']);
    await settled(page);
    const [column] = await page.$$eval('.target[data-touch]', (all) =>
      all.map((one) => one.getAttribute('data-touch')),
    );
    await play(page, column as string);
    expect((await seen(page)).started).toBe(1);

    await openTable(page, 'othello', ['me', 'me']);
    await settled(page);
    const [square] = await page.$$eval('.target[data-touch]', (all) =>
      all.map((one) => one.getAttribute('data-touch')),
    );
    await play(page, square as string);
    // One appears, one turns over: its old side, then its new one.
    expect((await seen(page)).started).toBe(3);
    expect((await seen(page)).longest).toBeLessThanOrEqual(250);
    await expect(page.locator('.motions *')).toHaveCount(0);
  });

  test('several plies in a row do not wait for one another', async ({ page }) => {
    await watch(page);
    await openTable(page, 'tic-tac-toe', ['me', 'me']);
    for (const cell of ['a1', 'b2', 'c3', 'a3']) await play(page, cell);
    // Back and forth as fast as the keys go.
    for (let i = 0; i < 12; i++) await page.keyboard.press(i % 2 === 0 ? 'ArrowLeft' : 'ArrowRight');
    await expect(page.locator('svg.board .piece')).toHaveCount(4);
    const { most, longest } = await seen(page);
    expect(most).toBeLessThanOrEqual(4);
    expect(longest).toBeLessThanOrEqual(250);
    await expect(page.locator('.motions *, svg.ghost')).toHaveCount(0);
  });

  test('cards are dealt', async ({ page }) => {
    await watch(page);
    await openTable(page, 'blackjack', ['me']);
    await settled(page);
    const before = (await seen(page)).started;
    await touch(page, 'bet-10');
    // Two for the player and one or two for the dealer.
    await expect.poll(async () => (await seen(page)).started).toBeGreaterThanOrEqual(before + 3);
    await expect(page.locator('svg.ghost')).toHaveCount(0);
  });

  test('a layer of a body is twisted', async ({ page }) => {
    // The time is the test's own: how many frames a busy machine draws in a quarter of a second says nothing.
    await page.clock.install();
    await openTable(page, 'rubiks-cube', ['me']);
    await settled(page);
    await page.clock.pauseAt(Date.now() + 60_000);
    // How many different drawings of the body there are.
    await page.evaluate(() => {
      const drawings = new Set<string>();
      (window as unknown as { drawings: typeof drawings }).drawings = drawings;
      const note = () =>
        drawings.add([...document.querySelectorAll('svg.solid .cell polygon')].map((one) => one.outerHTML).join());
      const whole = { subtree: true, attributes: true, childList: true };
      new MutationObserver(note).observe(document.querySelector('svg.solid') as Element, whole);
    });
    const field = page.getByRole('combobox', { name: 'Type an action' });
    await field.fill('R');
    await field.press('Enter');
    const drawings = () => page.evaluate(() => (window as unknown as { drawings: Set<string> }).drawings.size);
    const aFrameLater = async () => {
      await page.clock.runFor(16);
      return drawings();
    };
    await expect.poll(aFrameLater, { intervals: [20] }).toBeGreaterThan(8);
    await page.clock.resume();
    // Only what can be touched is left.
    await expect(page.locator('svg.solid .place')).toHaveCount(12);
  });
});

test('where the system asks for less motion, nothing moves', async ({ page }) => {
  await watch(page);
  await openTable(page, 'tablut', ['me', 'me']);
  await play(page, 'd1', 'd3');
  expect((await seen(page)).started).toBe(0);
});

test.describe('sounds', () => {
  /** Counts sounds, and contexts that could make them. */
  async function listen(page: Page): Promise<() => Promise<{ contexts: number; sounds: number }>> {
    await page.addInitScript(() => {
      const heard = { contexts: 0, sounds: 0 };
      (window as unknown as { heard: typeof heard }).heard = heard;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (when) {
        heard.sounds += 1;
        start.call(this, when);
      };
      window.AudioContext = class extends AudioContext {
        constructor() {
          super();
          heard.contexts += 1;
        }
      };
    });
    return () =>
      page.evaluate(() => ({ ...(window as unknown as { heard: { contexts: number; sounds: number } }).heard }));
  }

  test('a ply is heard, but not before the person has touched the page, nor once they are off', async ({ page }) => {
    const heard = await listen(page);
    await openTable(page, 'tic-tac-toe', ['me', 'me']);
    const address = page.url();
    await page.goto(address);
    await settled(page);
    // By a program, not by a person.
    await touch(page, 'a1');
    await expect.poll(() => plies(page)).toBe(1);
    expect(await heard()).toEqual({ contexts: 0, sounds: 0 });

    await page.locator('[data-cell="b2"]').click();
    await expect.poll(() => plies(page)).toBe(2);
    const { contexts, sounds } = await heard();
    expect(contexts).toBe(1);
    expect(sounds).toBeGreaterThan(0);

    const off = page.getByRole('switch', { name: 'Sounds' });
    await expect(off).toBeChecked();
    await off.click();
    await page.locator('[data-cell="c3"]').click();
    await expect.poll(() => plies(page)).toBe(3);
    expect((await heard()).sounds).toBe(sounds);
    await page.reload();
    await expect(page.getByRole('switch', { name: 'Sounds' })).not.toBeChecked();
    await page.locator('[data-cell="a2"]').click();
    await expect.poll(() => plies(page)).toBe(4);
    expect((await heard()).sounds).toBe(0);
  });
});

test('what is called out is large over the board for a moment, and said', async ({ page, baseURL }) => {
  // The king goes to where one way to the edge is free.
  const position = '9/9/4M4/9/4K4/9/8M/4S4/1M7 1';
  const seats = [{ kind: 'me' }, { kind: 'me' }];
  const made = await page.request.post('/api/tables', { data: { game: 'tablut', position, seats } });
  const { table, keys } = (await made.json()) as { table: string; keys: { key: string }[] };
  await page.addInitScript(
    ([id, mine]) => {
      const known = { id, mine, friends: [], seen: 1 };
      localStorage.setItem(`raichi.table.${id}`, localStorage.getItem(`raichi.table.${id}`) ?? JSON.stringify(known));
    },
    [table, keys.map(({ key }) => ({ key }))] as const,
  );
  await page.goto(`${baseURL}/t/${table}`);
  const call = page.getByTestId('call');
  await settled(page);
  // All that is called, for it does not last.
  await page.evaluate(() => {
    const calls: { text: string; height: number; touch: string }[] = [];
    (window as unknown as { calls: typeof calls }).calls = calls;
    new MutationObserver(() => {
      const element = document.querySelector('[data-testid="call"]');
      const height = element?.querySelector('span')?.getBoundingClientRect().height ?? 0;
      if (!element || calls.at(-1)?.text === element.textContent) return;
      calls.push({ text: element.textContent ?? '', height, touch: getComputedStyle(element).pointerEvents });
    }).observe(document.body, { subtree: true, childList: true });
  });
  const calls = () =>
    page.evaluate(() => (window as unknown as { calls: { text: string; height: number; touch: string }[] }).calls);
  await play(page, 'e5', 'e3');
  await expect.poll(async () => (await calls()).map(({ text }) => text)).toEqual(['Raichi!']);
  const [first] = await calls();
  expect(first?.height).toBeGreaterThan(50);
  // It takes no touch away.
  expect(first?.touch).toBe('none');
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: 'Raichi!' })).toHaveCount(1);
  await expect(call).toHaveCount(0);
  // It is not called again when the page is opened in this position, nor when one looks back at it.
  await page.reload();
  await settled(page);
  await expect(call).toHaveCount(0);
  await play(page, 'e7', 'd7');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByText('Looking back')).toBeVisible();
  await expect(call).toHaveCount(0);
});
