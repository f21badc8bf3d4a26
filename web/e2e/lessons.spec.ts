import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { GameEntry, LessonView } from '../src/lib/wire';
import { expectAccessible } from './axe';
import { expect, expectNoErrors, test, touch } from './table';

const lesson = (page: Page) => page.locator('main.lesson');

test('a lesson is learned: a wrong try, a right one, on to the next step, and there again after a reload', async ({
  page,
}) => {
  await page.goto('/lesson/tic-tac-toe');
  await expect(lesson(page)).toHaveAttribute('data-step', '1');
  await touch(page, 'c2');
  await expect(page.getByText('That makes no three.')).toBeVisible();
  // The wrong try is taken back.
  await expect(page.locator('.target[data-touch="c3"]').last()).toBeVisible();
  await touch(page, 'c3');
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'right');
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(lesson(page)).toHaveAttribute('data-step', '2');
  await page.goto('/lesson/tic-tac-toe');
  await expect(lesson(page)).toHaveAttribute('data-step', '2');
  await expect(page.getByRole('button', { name: '1. Three in a row win, done' })).toBeVisible();
  await page.getByRole('button', { name: 'Show me' }).click();
  await expect(page.getByText('This would do it:')).toContainText('a3');
  await expectNoErrors(page);
});

test('what was meant is shown where the step begins, also right after a wrong try', async ({ page }) => {
  await page.goto('/lesson/tic-tac-toe?lesson=1&step=1');
  await expect(lesson(page)).toHaveAttribute('data-step', '1');
  const pieces = page.locator('svg.board g.piece');
  const n = await pieces.count();
  await touch(page, 'c2');
  await expect(page.getByText('That makes no three.')).toBeVisible();
  await page.getByRole('button', { name: 'Show me' }).click();
  await expect(page.getByText('This would do it:')).toContainText('c3');
  await expect(pieces).toHaveCount(n);
  await touch(page, 'c3');
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'right');
  await expectNoErrors(page);
});

test('a newcomer to a game of many pieces adds two colours, and answers a question of cards', async ({ page }) => {
  await page.goto('/lesson/al-jabar?lesson=1&step=1');
  await expect(lesson(page)).toHaveAttribute('data-step', '1');
  for (const id of ['hand:0:R', 'hand:0:B']) await touch(page, id);
  await page.getByRole('button', { name: 'For', exact: true }).click();
  await touch(page, 'center:P');
  await page.getByRole('button', { name: 'Exchange', exact: true }).click();
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'right');
  await page.goto('/lesson/poker?lesson=1&step=1');
  await page.getByRole('button', { name: 'Player 2', exact: true }).click();
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'wrong');
  await page.getByRole('button', { name: 'Player 1', exact: true }).click();
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'right');
});

test('a draw on five points is played in any order, with the answers of the lesson', async ({ page }) => {
  await page.goto('/lesson/sim?lesson=2&step=5');
  await expect(lesson(page)).toHaveAttribute('data-step', '5');
  // What is touched before the reply to a line has come is meant for the position after it.
  await page.route('**/api/lessons/sim/**', async (route) => {
    await setTimeout(300);
    await route.continue();
  });
  for (const line of ['3-4', '1-5', '1-2', '4-5', '2-3']) {
    await expect(lesson(page)).not.toHaveAttribute('data-verdict', 'right');
    for (const id of line.split('-')) await touch(page, id);
  }
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'right');
  await expect(page.getByText('a draw', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Go on' }).click();
  // Two neighbours of the round: that is a triangle, and is taken back.
  await touch(page, '1');
  await touch(page, '6');
  await expect(lesson(page)).not.toHaveAttribute('data-verdict', 'right');
  await touch(page, '2');
  await touch(page, '6');
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'wrong');
  await expectNoErrors(page);
});

test('every game has a lesson and tells about itself, on a telephone too', async ({ page, baseURL }) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 390, height: 844 });
  const games = (await (await fetch(`${baseURL}/api/games`)).json()) as GameEntry[];
  for (const { id, name } of games) {
    await test.step(id, async () => {
      const course = (await (await fetch(`${baseURL}/api/lessons/${id}`)).json()) as LessonView[];
      expect(course[0]?.steps.length).toBeGreaterThanOrEqual(4);
      await page.goto(`/lesson/${id}`);
      await expect(lesson(page)).toHaveAttribute('data-step', '1');
      await expect(page.locator('.task')).toBeVisible();
      await page.goto(`/about/${id}`);
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
      await expect(page.getByText('What was decided, and why')).toBeVisible();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
      await expectNoErrors(page);
    });
  }
});

test('a history in the rules is stepped through, played from and analysed from', async ({ page }) => {
  await page.goto('/rules/tic-tac-toe');
  const figure = page.locator('figure').first();
  await expect(figure.getByRole('status')).toContainText('5/5');
  await figure.getByRole('button', { name: 'One ply back' }).click();
  await expect(figure.getByRole('status')).toContainText('4/5');
  await expect(figure.getByRole('link', { name: 'Play from here' })).toHaveAttribute('href', /position=/);
  await expect(figure.getByRole('link', { name: 'Analyse from here' })).toHaveAttribute('href', /#lines=.*at=/);
  await figure.getByRole('button', { name: 'To the beginning' }).click();
  await expect(figure.getByRole('status')).toContainText('start');
});

test('an answer of the rules is sealed until it is asked for', async ({ page }) => {
  await page.goto('/rules/french-military');
  const answer = page.getByText('Frederik Schuh');
  await expect(answer.first()).toBeHidden();
  await page.getByText('Who wins if both play well').click();
  await expect(answer.first()).toBeVisible();
});

test('a problem whose answer was shown does not count as solved', async ({ page }) => {
  await page.goto('/problems/tic-tac-toe?lesson=1&step=1');
  await expect(lesson(page)).toHaveAttribute('data-step', '1');
  await page.getByRole('button', { name: 'Show me' }).click();
  const answer = await page.locator('.reply code').textContent();
  await touch(page, answer ?? '');
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'right');
  await expect(page.getByText('Solved at the first try: 0 of 1')).toBeVisible();
});

test('a problem of Blackjack is judged by what its player can know', async ({ page }) => {
  await page.goto('/problems/blackjack?lesson=1&step=1');
  await expect(lesson(page)).toHaveAttribute('data-step', '1');
  await touch(page, 'stand');
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'right');
});

test('a question is played out on the side to act, against perfect play where there is some', async ({ page }) => {
  await page.goto('/problems/french-military?lesson=1&step=2');
  await expect(lesson(page)).toHaveAttribute('data-step', '2');
  const [table] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Play it out' }).click(),
  ]);
  const dialog = table.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Open the table' })).toBeEnabled();
  // White is to act.
  await expect(dialog.locator('[data-seat="0"] select')).toHaveValue(/^perfect/);
  await expect(dialog.locator('[data-seat="1"] select')).toHaveValue('me');
  await page.goto('/problems/french-military?lesson=1&step=1');
  await page.getByRole('button', { name: 'White', exact: true }).click();
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'right');
  await expect(page.getByRole('link', { name: 'Play it out' })).toHaveAttribute('href', /against=perfect&against=best/);
});

test('the lobby leads to the problem of the day, and a shelf opens with what stands first on it', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'The problem of the day' }).click();
  await expect(page).toHaveURL(/\/problems\/[^/]+\?lesson=\d+&step=\d+$/);
  await expect(page.getByText('The problem of the day', { exact: true })).toBeVisible();
  for (const id of ['black', 'french-military']) {
    await page.goto(`/problems/${id}`);
    await expect(page).toHaveURL(/lesson=1&step=1$/);
    await expect(page.getByRole('combobox', { name: 'Lesson' })).toHaveValue('1');
  }
  await page.getByRole('button', { name: 'To the problem of the day' }).click();
  await expect(page.getByText('The problem of the day', { exact: true })).toBeVisible();
  await expectNoErrors(page);
});

test('the games that have problems are listed, with what was solved of each', async ({ page, baseURL }) => {
  const games = (await (await fetch(`${baseURL}/api/games`)).json()) as GameEntry[];
  const { length } = games.filter(({ problems }) => problems > 0);
  expect(length).toBeGreaterThan(0);
  for (const address of ['/problems/', '/problems']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: 'Problems' })).toBeVisible();
    await expect(page.getByRole('listitem')).toHaveCount(length);
  }
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  }
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Tic Tac Toe', exact: true }).click();
  await expect(page).toHaveURL(/\/problems\/tic-tac-toe\?lesson=1&step=1$/);
  await page.getByRole('button', { name: 'Show me' }).click();
  await touch(page, (await page.locator('.reply code').textContent()) ?? '');
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'right');
  await page.getByRole('link', { name: 'All games' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Tic Tac Toe' })).toContainText(
    /\d+ problems\s*Solved at the first try: 0 of 1/,
  );
  await page.getByRole('link', { name: 'The problem of the day' }).click();
  await expect(page).toHaveURL(/\/problems\/[^/]+\?lesson=\d+&step=\d+$/);
  await expectNoErrors(page);
});

test('on a telephone a lesson scrolls as a whole, to the board and the hand and what is to be done', async ({
  page,
  baseURL,
}) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 390, height: 844 });
  const games = (await (await fetch(`${baseURL}/api/games`)).json()) as GameEntry[];
  for (const { id } of games) {
    await test.step(id, async () => {
      await page.goto(`/lesson/${id}?lesson=1&step=1`);
      await expect(page.locator('.task')).toBeVisible();
      const seen = await page.evaluate(async () => {
        const parts = [...document.querySelectorAll('main.lesson, main.lesson > *, main.lesson .stage')];
        const inner = parts.filter((part) => part.scrollHeight > part.clientHeight + 1 && part.clientHeight > 0);
        const top = (name: string) => document.querySelector(name)?.getBoundingClientRect().top ?? 0;
        const stage = document.querySelector('main.lesson > .stage')?.getBoundingClientRect().bottom ?? 0;
        const covered = stage - top('.reply');
        scrollTo(0, document.documentElement.scrollHeight);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const box = (name: string) => document.querySelector(name)?.getBoundingClientRect();
        const things = [...document.querySelectorAll('main.lesson .stage .tray, main.lesson .stage .place')];
        const lowest = Math.max(0, ...things.map((thing) => thing.getBoundingClientRect().bottom));
        return { inner: inner.map(({ className }) => className), covered, lowest, reply: box('.reply') };
      });
      expect(seen.inner).toEqual([]);
      // Nothing lies under what is to be done, at the start and at the end of the page.
      expect(seen.covered).toBeLessThanOrEqual(1);
      expect(seen.lowest).toBeLessThanOrEqual((seen.reply?.top ?? 0) + 1);
      expect(seen.reply?.bottom).toBeLessThanOrEqual(845);
    });
  }
});

test('after how many plies it is lost is asked with numbers to choose from, and wrong tries say who wins', async ({
  page,
  baseURL,
}) => {
  const shelf = (await (await fetch(`${baseURL}/api/problems/tic-tac-toe`)).json()) as LessonView[];
  const number = 1 + (shelf[1]?.steps ?? []).findIndex(({ answers }) => answers.length > 0);
  expect(number).toBeGreaterThan(0);
  await page.goto(`/problems/tic-tac-toe?lesson=2&step=${number}`);
  await expect(page.locator('.task')).toContainText('you are lost');
  const answer = (n: string) => page.locator('.reply').getByRole('button', { name: n, exact: true });
  await page.getByRole('button', { name: 'Show me' }).click();
  const right = (await page.locator('.reply code').textContent()) ?? '';
  const wrong = shelf[1]?.steps[number - 1]?.answers.find((one) => one !== right) ?? '';
  await answer(wrong).click();
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'wrong');
  await answer(right).click();
  await expect(lesson(page)).toHaveAttribute('data-verdict', 'right');
  await expect(page.locator('.said')).toContainText(/wins/);
  await page.goto('/problems/tic-tac-toe?lesson=1&step=1');
  await touch(page, 'c1');
  await expect(page.locator('.said')).toContainText('c1 is answered by b2. O wins');
  await expectNoErrors(page);
});
