import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { NewRun, RunView, TrainingRequest } from '../src/lib/wire';
import { expectAccessible } from './axe';
import { RunningServer } from './server';
import { expect, expectNoErrors, plies, resize, settled, test, touch } from './table';

const LARGE = { width: 1280, height: 800 };
const TELEPHONE = { width: 390, height: 844 };
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
const state = (page: Page) => page.locator('header[data-run]').getAttribute('data-state');

/** Sets up a tournament of two agents; returns where its run is. */
async function startTournament(page: Page, game: string, agents: [string, string], n: number): Promise<string> {
  await page.goto(`/lab/tournament?game=${game}&agent=${agents[0]}&agent=${agents[1]}`);
  await expect(page.getByRole('combobox', { name: 'Agent 2' })).toHaveValue(agents[1]);
  await page.getByRole('spinbutton', { name: 'Games' }).fill(String(n));
  await page.getByRole('button', { name: 'Start the tournament' }).click();
  await expect(page.locator('header[data-run]')).toBeVisible();
  return page.url();
}

/** Trains a quick learner of Tic Tac Toe to the end; returns the run. */
async function train(page: Page, asked: Partial<TrainingRequest> = {}): Promise<string> {
  // As long as those of presets, and with a name that nothing can break.
  const learner = 'ntuple:tuples=1x9,tables=seat,alpha=1,alpha-end=0.2,epsilon=0.3,random-plies=8,tcl=id';
  const usual = { game: 'tic-tac-toe', learner, games: 200, seed: 1, against: 'random', starts: 'start' };
  const data = { kind: 'training', ...usual, seat: null, measure_games: 10, ...asked };
  const { run } = (await (await page.request.post('/api/lab/runs', { data })).json()) as NewRun;
  const now = async () => ((await (await page.request.get(`/api/lab/runs/${run}`)).json()) as RunView).state;
  await expect.poll(now, { timeout: 60_000 }).toBe('done');
  return run;
}

test('a tournament fills its matrix, and each of its games can be opened', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'The lab' }).click();
  await page.getByRole('navigation', { name: 'The lab' }).getByRole('link', { name: 'Tournament' }).click();
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption('tic-tac-toe');
  await expect(page.getByRole('combobox', { name: 'Agent 1' })).toHaveValue(/level/);
  await page.getByRole('button', { name: 'Start the tournament' }).click();
  await expect.poll(() => state(page), { timeout: 60_000 }).toBe('done');
  await expect(page.locator('.standings tbody tr')).toHaveCount(4);
  await page.locator('.matrix button').first().click();
  await expect(page.locator('.matrix button').first()).toHaveAttribute('aria-pressed', 'true');
  await page
    .getByRole('link', { name: /^Game \d+$/ })
    .first()
    .click();
  await expect(page.locator('main.analysis')).toHaveAttribute('data-plies', /[5-9]/);
  await page.getByRole('link', { name: 'The tournament' }).click();
  await expect(page.locator('.standings')).toBeVisible();
  await expectNoErrors(page);
});

test('a run goes on without the page and after the server was killed', async ({ page }) => {
  test.setTimeout(300_000);
  const server = await RunningServer.start();
  try {
    await page.goto(server.url);
    const url = await (async () => {
      await page.goto(`${server.url}/lab/tournament?game=hex:size=7&agent=level:7&agent=level:8`);
      await expect(page.getByRole('combobox', { name: 'Agent 2' })).toHaveValue('level:8');
      await page.getByRole('spinbutton', { name: 'Games' }).fill('3000');
      await page.getByRole('button', { name: 'Start the tournament' }).click();
      await expect(page.locator('header[data-run]')).toBeVisible();
      return page.url();
    })();
    const done = async () => Number(await page.locator('header[data-run]').getAttribute('data-done'));
    await expect.poll(done, { timeout: 90_000 }).toBeGreaterThan(0);
    await page.goto(server.url);
    // Nobody looks on. What is done is stored once a second, so that it is by the time there is more than a while ago.
    const run = new URL(url).pathname.split('/').at(-1);
    const doneUnseen = async () => {
      const view = (await (await page.request.get(`${server.url}/api/lab/runs/${run}`)).json()) as RunView;
      return view.n_done;
    };
    const first = await doneUnseen();
    await page.waitForTimeout(2_000);
    await expect.poll(doneUnseen, { timeout: 90_000 }).toBeGreaterThan(first);
    await server.kill();
    await server.start();
    await page.goto(url);
    await expect.poll(() => state(page)).toBe('running');
    const before = await done();
    expect(before).toBeGreaterThan(0);
    await expect.poll(done, { timeout: 90_000 }).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => state(page)).toBe('paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => state(page)).toBe('running');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => state(page)).toBe('stopped');
  } finally {
    await server.stop();
  }
});

test('a balance sheet follows a parameter, and is kept with a link', async ({ page, browser, baseURL }) => {
  await page.goto('/lab/balance?game=hex');
  const sheet = page.locator('[data-sheet]');
  await expect(sheet.first()).toHaveAttribute('data-sheet', /^hex/);
  await page.getByText('The rules', { exact: true }).click();
  await page.locator('[data-param="size"] input').first().fill('4');
  await expect(sheet.first()).toHaveAttribute('data-sheet', 'hex:size=4');
  await expect(sheet.first()).toHaveAttribute('data-games', '1000');
  await page.getByRole('checkbox', { name: 'Compare with another variant' }).check();
  await expect(sheet).toHaveCount(1);
  await page.getByText('The rules', { exact: true }).last().click();
  await page.locator('[data-param="size"] input').last().fill('5');
  await expect(sheet).toHaveCount(2);
  await page.getByRole('button', { name: 'Keep it, with a link' }).click();
  await expect.poll(() => state(page), { timeout: 60_000 }).toBe('done');
  await expect(sheet).toHaveCount(2);
  // Another person sees the same, and cannot remove it.
  const other = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await other.goto(page.url());
  await expect(other.locator('[data-sheet]')).toHaveCount(2);
  await expect(other.getByRole('button', { name: 'Remove' })).toHaveCount(0);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('heading', { name: 'Runs' })).toBeVisible();
  await expectNoErrors(page);
});

test('an agent learns to play perfectly in three touches, is kept, inspected, exported, imported and played against', async ({
  page,
}) => {
  test.setTimeout(300_000);
  await page.goto('/');
  await page.getByRole('link', { name: 'The lab' }).click();
  await page.getByRole('navigation', { name: 'The lab' }).getByRole('link', { name: 'Train' }).click();
  await page.getByRole('button', { name: /^Watch an agent learn/ }).click();
  // In a build without optimisation, on a busy machine, this takes many times as long.
  await expect(page.getByTestId('final')).toBeVisible({ timeout: 240_000 });
  await expect(page.getByTestId('final')).toHaveAttribute('data-kept', '1');
  await expect(page.getByRole('heading', { name: 'What it thinks of the start' })).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Ply' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Keep it as an agent' }).fill('first');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.getByRole('link', { name: 'All agents' }).click();
  const agent = page.locator('[data-trained="first"]');
  await expect(agent).toContainText('kept 100.0 %');
  // The way from the run has opened its line.
  await agent.getByRole('button', { name: 'What it looks at' }).click();
  await expect(agent).toContainText(/of which training has changed/);
  await expect(agent.getByRole('img').first()).toBeVisible();
  const downloading = page.waitForEvent('download');
  await agent.getByRole('link', { name: 'Export' }).click();
  const archive = await readFile((await (await downloading).path()) as string);
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer });
  await page.locator('input[type="file"]').setInputFiles(file('second.zip', archive));
  await expect(page.locator('[data-trained="second"]')).toContainText('kept 100.0 %');
  const flipped = Buffer.from(archive);
  flipped.writeUInt8(flipped.readUInt8(flipped.length >> 1) ^ 1, flipped.length >> 1);
  await page.locator('input[type="file"]').setInputFiles(file('third.zip', flipped));
  await expect(page.getByRole('alert')).toContainText(/damaged|checksum/);
  await page.locator('[data-trained="second"]').getByRole('link', { name: 'Play against it' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('[data-seat="1"] select')).toHaveValue('trained:second');
  await dialog.getByRole('button', { name: 'Open the table' }).click();
  await settled(page);
  await touch(page, 'b2');
  await expect.poll(() => plies(page)).toBe(2);
  await expectNoErrors(page);
});

test('two agents are inspected beside each other', async ({ page }) => {
  await page.goto('/lab/inspect?game=tic-tac-toe');
  await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('perfect:time=1s');
  await page.getByRole('combobox', { name: 'Beside it' }).selectOption('random');
  await page.getByRole('button', { name: 'Look at the position' }).click();
  await expect(page.locator('[data-agent="0"] tbody tr').first()).toBeVisible();
  await expect(page.locator('[data-agent="1"]')).toContainText('no opinion');
  const box = async (agent: number) => {
    const found = await page.locator(`[data-agent="${agent}"]`).boundingBox();
    if (!found) throw new Error('no such agent is shown');
    return found;
  };
  const [one, other] = [await box(0), await box(1)];
  expect(one.x + one.width <= other.x || one.y + one.height <= other.y).toBe(true);
  expect(other.x + other.width).toBeLessThanOrEqual(LARGE.width);
  const isCut = (element: Element) => element.scrollWidth > element.clientWidth;
  expect(await page.locator('.side').evaluate(isCut)).toBe(false);
  // A ply further on, a reload shows the same, and the form is as it was left.
  await page.locator('[data-agent="0"] tbody tr button').first().click();
  await expect(page.locator('main.analysis')).toHaveAttribute('data-plies', '1');
  await page.reload();
  await expect(page.locator('main.analysis')).toHaveAttribute('data-plies', '1');
  await expect(page.getByRole('combobox', { name: 'Agent', exact: true })).toHaveValue('perfect:time=1s');
  await expect(page.getByRole('combobox', { name: 'Second agent' })).toHaveValue('random');
  await page.goBack();
  await expect(page.getByRole('combobox', { name: 'Agent', exact: true })).toHaveValue('perfect:time=1s');
  await expect(page.getByRole('combobox', { name: 'Beside it' })).toHaveValue('random');
  await expectNoErrors(page);
});

test('what a trained agent looks at is shown beside its values', async ({ page }) => {
  await page.goto('/analysis?game=tic-tac-toe&agent=trained:learned-tic-tac-toe');
  const looks = page.locator('[data-looks-at="learned-tic-tac-toe"]');
  await looks.getByText('What learned-tic-tac-toe looks at').click();
  await expect(looks.getByRole('img').first()).toBeVisible();
  await expectNoErrors(page);
});

test('agents are listed by game, with details on demand', async ({ page }) => {
  await page.goto('/lab/agents');
  await expect(page.locator('[data-trained="learned-tic-tac-toe"]')).toBeVisible();
  await page.getByRole('combobox', { name: 'Game' }).selectOption('nim');
  const agent = page.locator('[data-trained]');
  await expect(agent).toHaveCount(1);
  await expect(agent.getByRole('link', { name: 'Export' })).toBeHidden();
  await agent.locator('summary').click();
  await expect(agent.getByRole('link', { name: 'Export' })).toBeVisible();
  await page.reload();
  await expect(agent).toHaveCount(1);
  await expectNoErrors(page);
});

test('a training with wrong options is refused, until they are corrected', async ({ page }) => {
  await page.goto('/lab/train?game=tic-tac-toe');
  await page.getByText('Options of the learner', { exact: true }).click();
  const tuples = page.locator('[data-option="tuples"] input');
  await tuples.fill('no such tuple');
  await page.getByRole('button', { name: 'Start the training' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await tuples.fill('1x9');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('spinbutton', { name: 'Games', exact: true }).fill('0');
  await page.getByRole('button', { name: 'Start the training' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a training begins only with the options of its own game', async ({ page }) => {
  await page.goto('/lab/train?game=tic-tac-toe');
  const start = page.getByRole('button', { name: 'Start the training' });
  await expect(start).toBeEnabled();
  let reply = (): void => undefined;
  const replied = new Promise<void>((done) => {
    reply = done;
  });
  await page.route('**/api/lab/learners*', async (route) => {
    await replied;
    await route.continue();
  });
  const asked = page.waitForRequest('**/api/lab/learners?spec=connect-four*');
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption('connect-four');
  await asked;
  await expect(start).toBeDisabled();
  reply();
  await expect(start).toBeEnabled();
  // Who goes elsewhere meanwhile is not led to it.
  let make = (): void => undefined;
  const made = new Promise<void>((done) => {
    make = done;
  });
  await page.route('**/api/lab/runs', async (route) => {
    if (route.request().method() === 'POST') await made;
    await route.continue();
  });
  await start.click();
  await expect(page.getByRole('button', { name: 'Starting …' })).toBeVisible();
  await page.getByRole('navigation', { name: 'The lab' }).getByRole('link', { name: 'Inspect' }).click();
  await expect(page.getByRole('heading', { name: 'Inspect' })).toBeVisible();
  make();
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).toContain('raichi.run.');
  await expect(page).toHaveURL(/\/lab\/inspect/);
  await expectNoErrors(page);
});

test('a run says at once that it will pause, and why it did not', async ({ page }) => {
  await page.goto('/lab/train?game=tic-tac-toe');
  await page.getByRole('spinbutton', { name: 'Games', exact: true }).fill('5000000');
  await page.getByRole('button', { name: 'Start the training' }).click();
  await expect.poll(() => state(page)).toBe('running');
  // The reply takes long, and does not come.
  let fail = (): void => undefined;
  const late = new Promise<void>((done) => {
    fail = done;
  });
  await page.route(/api\/lab\/runs\/[^/]+$/, async (route) => {
    await late;
    await route.abort();
  });
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('pausing …', { exact: true })).toBeVisible();
  fail();
  await expect(page.getByRole('alert')).toContainText('It was not paused.');
  await page.unroute(/api\/lab\/runs\/[^/]+$/);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => state(page)).toBe('paused');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('the lab is accessible and fits a telephone', async ({ page }) => {
  test.setTimeout(480_000);
  const pages = [
    '/lab',
    '/lab/train',
    '/lab/tournament',
    '/lab/balance?game=hex:size=4',
    '/lab/inspect',
    '/lab/agents',
  ];
  const run = await startTournament(page, 'tic-tac-toe', ['random', 'level:5'], 10);
  await expect.poll(() => state(page), { timeout: 60_000 }).toBe('done');
  // With another one of the same game, which can be compared.
  await train(page);
  const training = `/lab/run/${await train(page, { seed: 2 })}`;
  for (const path of [...pages, run, training]) {
    await test.step(path, async () => {
      await page.setViewportSize(LARGE);
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      if (path === training) {
        await page.getByRole('combobox', { name: 'Compare with' }).selectOption({ index: 1 });
        await expect(page.getByText(/^seed=1 \(/)).toBeVisible();
      }
      for (const size of [LARGE, TELEPHONE]) {
        await resize(page, size);
        await expectAccessible(page, `${path} at ${size.width}`);
        expect(await fits(page), `${path} at ${size.width}`).toBe(true);
      }
    });
  }
});

test('a server without a lab does not show it', async ({ page }) => {
  const server = await RunningServer.start(['--lab', 'off']);
  try {
    await page.goto(server.url);
    await expect(page.getByRole('link', { name: 'Finished games' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'The lab' })).toHaveCount(0);
    await page.goto(`${server.url}/lab`);
    await expect(page.getByText('The lab is switched off on this server.')).toBeVisible();
  } finally {
    await server.stop();
  }
});
