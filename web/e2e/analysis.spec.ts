import type { Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { board, expect, expectNoErrors, openTable, plies, resize, settled, test, touch } from './table';

/** The whole analysis; its attributes say how things stand. */
const analysed = (page: Page) => page.locator('main.analysis');
const candidate = (page: Page, action: string, agent = 0) =>
  page.locator(`[data-agent="${agent}"] tr[data-action="${action}"]`);

async function playAll(page: Page, touches: string[]): Promise<void> {
  for (const id of touches) {
    await settled(page);
    const before = await plies(page);
    await touch(page, id);
    await expect.poll(() => plies(page)).toBe(before + 1);
  }
}

/** Plays a game of one person for both seats, and opens its analysis. */
async function analyseGame(page: Page, spec: string, touches: string[]): Promise<void> {
  await openTable(page, spec, ['me', 'me']);
  await playAll(page, touches);
  await expect(board(page)).toHaveAttribute('data-state', 'over');
  await page.getByRole('group', { name: 'After the game' }).getByRole('link', { name: 'Analyse' }).click();
  await expect(analysed(page)).toHaveAttribute('data-plies', String(touches.length));
}

// X wins because O answers the corner with an edge.
const LOST_BY_AN_EDGE = ['a1', 'b1', 'b2', 'c3', 'a3', 'a2', 'c1'];

test('the ply that lost a game is marked and found, and every action has a value on the board', async ({ page }) => {
  await analyseGame(page, 'tic-tac-toe', LOST_BY_AN_EDGE);
  await expect(page.getByTestId('curve')).toHaveAttribute('data-progress', '1');
  await expect(page.locator('[data-worst]')).toHaveCount(1);
  await page.locator('[data-worst="2"]').click();

  // Before the ply: its own value, and the better ones.
  await expect(analysed(page)).toHaveAttribute('data-plies', '1');
  await expect(candidate(page, 'b1')).toHaveClass(/played/);
  await expect(candidate(page, 'b1')).toContainText('−1');
  // Tic Tac Toe is known throughout: `perfect` analyses it, and says how long the game lasts.
  await expect(candidate(page, 'b2')).toContainText('draws in 8');
  await expect(page.locator('svg.board [data-value]')).toHaveCount(8);
  await expect(page.locator('svg.board [data-value="−1"]').first()).toBeVisible();
  await expect(page.getByTestId('balance')).toHaveAttribute('aria-label', /X 0, O 0/);
  await expect(page.locator('.ply.worst')).toHaveText(/2.*b1.*1/s);
});

test('a variation is tried, survives a reload by its link, and is shared with another browser', async ({
  page,
  browser,
}) => {
  await analyseGame(
    page,
    'connect-four',
    ['4', '1', '4', '1', '4', '2', '4'].map((column) => `column:${column}`),
  );
  await page.locator('[data-ply="5"]').click();
  await expect(analysed(page)).toHaveAttribute('data-plies', '5');
  await touch(page, 'column:4');
  await expect(analysed(page)).toHaveAttribute('data-plies', '6');
  await touch(page, 'column:7');
  await expect(analysed(page)).toHaveAttribute('data-plies', '7');
  await expect(page.getByTestId('variation')).toHaveText(/6\D*4\s*7\D*7/);

  await page.reload();
  await expect(analysed(page)).toHaveAttribute('data-plies', '7');
  await expect(page.getByTestId('variation')).toHaveText(/6\D*4\s*7\D*7/);
  await expect(page.locator('[data-ply="7"][aria-current]')).toHaveText(/7/);

  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(page.url());
  await expect(analysed(elsewhere)).toHaveAttribute('data-plies', '7');
  await expect(elsewhere.getByTestId('variation')).toBeVisible();

  // It is kept with the record: another browser finds it by the game alone.
  const table = new URL(page.url()).searchParams.get('table');
  const recorded = async () => (await page.request.get(`/api/tables/${table}/record`)).json();
  await expect.poll(async () => (await recorded()).variations).toEqual([{ after: 5, plies: ['4', '7'] }]);
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(new URL(`/analysis?table=${table}`, page.url()).href);
  await expect(stranger.getByTestId('variation')).toHaveText(/6\D*4\s*7\D*7/);

  // From the table the tree is found again.
  await page.getByRole('link', { name: 'The table' }).click();
  await page.getByRole('group', { name: 'After the game' }).getByRole('link', { name: 'Analyse' }).click();
  await expect(page.getByTestId('variation')).toBeVisible();
  await page.getByRole('button', { name: 'Remove the variation 4' }).click();
  await expect(page.getByTestId('variation')).toHaveCount(0);
  await expect.poll(async () => (await recorded()).variations).toBeUndefined();
});

test('the line of play is played step by step', async ({ page }) => {
  await page.goto('/analysis?game=connect-four&position=7%2F7%2F7%2F6R%2F6R%2FYYY3R%200');
  await expect(analysed(page)).toHaveAttribute('data-plies', '0');
  const line = page.getByLabel('The line of play expected');
  await expect(line.getByRole('button').first()).toHaveText('4');
  await line.getByRole('button').first().click();
  await expect(analysed(page)).toHaveAttribute('data-plies', '1');
  await expect(page.getByTestId('result')).toContainText('Yellow wins');
});

test('the whole line of play is watched, and says when the game is over', async ({ page }) => {
  const position = 'URLRFFRBFUDBRUDLFDLBDLUB 0 twists=4';
  await page.goto(`/analysis?game=rubiks-cube:scramble=0&position=${encodeURIComponent(position)}`);
  const agent = page.getByLabel('Agent', { exact: true });
  const perfect = await agent
    .locator('option', { hasText: /^Perfect/ })
    .first()
    .getAttribute('value');
  await agent.selectOption(perfect);
  // The table is made first.
  await expect(page.getByText('known from a table')).toBeVisible({ timeout: 90_000 });
  await expect(page.locator('tr[data-action]').first()).toContainText('over in 4');
  await page.getByRole('button', { name: 'Watch the line' }).click();
  await expect(analysed(page)).toHaveAttribute('data-plies', '4', { timeout: 30_000 });
  await expect(page.getByTestId('result')).toContainText('Solved in 8');
});

test('a game against people is not analysed while it goes on, and one alone is', async ({ page }) => {
  const table = await openTable(page, 'connect-four', ['me', 'friend']);
  await playAll(page, ['column:4']);
  await expect(page.getByRole('link', { name: 'Analyse' })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByRole('link', { name: 'Analyse' })).toHaveCount(0);
  await page.goto(`/analysis?table=${table}`);
  await expect(page.getByRole('alert')).toHaveText(/is not over yet/);
  await expect(analysed(page)).toHaveCount(0);

  await openTable(page, 'connect-four', ['me', 'random']);
  await settled(page);
  await touch(page, 'column:4');
  await expect.poll(() => plies(page)).toBe(2);
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('link', { name: 'Analyse' }).click();
  await expect(analysed(page)).toHaveAttribute('data-plies', '2');
  await expect(page.locator('svg.board [data-value]').first()).toBeVisible();
  await expectNoErrors(page);
});

test('where all cards are known every seat’s actions can be chosen', async ({ page }) => {
  await page.goto('/setup?game=blackjack');
  await page.locator('[data-touch="bet-10"]').click();
  await expect(analysed(page)).toHaveAttribute('data-plies', '1');
  await page.goto('/setup?game=kuhn-poker');
  for (const plies of ['1', '2']) {
    await page.getByRole('button', { name: 'Draw one' }).click();
    await expect(analysed(page)).toHaveAttribute('data-plies', plies);
  }
  await page.getByRole('switch', { name: 'Analyse' }).click();
  await expect(page.locator('[data-touch="pass"] .mark')).toBeVisible();
  await page.locator('[data-touch="bet"]').click();
  await expect(analysed(page)).toHaveAttribute('data-plies', '3');
  await expectNoErrors(page);
});

test('a position pasted as text is analysed by two agents', async ({ page }) => {
  await page.goto('/setup');
  await page.getByRole('combobox', { name: 'Game' }).fill('connect-four');
  const field = page.getByLabel('The position as text');
  await field.fill('7/7/7/6R/6X/YYY3R 0');
  await page.getByRole('button', { name: 'Show this position' }).click();
  await expect(page.getByRole('alert')).toContainText('character 11');
  await expect(page.getByRole('alert').locator('mark')).toHaveText('X');
  await field.fill('7/7/7/6R/6R/YYY3R 0');
  await page.getByRole('button', { name: 'Show this position' }).click();
  await expect(analysed(page)).toHaveAttribute('data-plies', '0');

  // Nobody is asked until it is wanted.
  await expect(page.locator('[data-agent]')).toHaveCount(0);
  await page.getByRole('switch', { name: 'Analyse' }).click();
  await page.getByRole('button', { name: 'Ask a second agent' }).click();
  await page.getByLabel('Second agent').selectOption('mcts:time=1s');
  // `perfect`, which Connect Four has, knows the length; the search only that it is proven.
  await expect(candidate(page, '4', 0)).toContainText('wins in 1');
  await expect(candidate(page, '4', 1)).toContainText('exact');

  // And played.
  await page.getByRole('link', { name: 'Play from here' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('svg g.piece')).toHaveCount(6);
  await dialog.getByRole('button', { name: 'Open the table' }).click();
  await expect(board(page).locator('svg.board g.piece')).not.toHaveCount(0);
});

test('a position is reached by playing every seat, chance by hand', async ({ page }) => {
  await page.goto('/setup?game=2048');
  const outcomes = page.getByTestId('outcomes').getByRole('button');
  await outcomes.first().click();
  await expect(analysed(page)).toHaveAttribute('data-plies', '1');
  await outcomes.nth(3).click();
  await expect(analysed(page)).toHaveAttribute('data-plies', '2');
  await page.locator('.actions .target').first().click();
  await expect(analysed(page)).toHaveAttribute('data-plies', '3');
  await page.keyboard.press('ArrowLeft');
  await expect(analysed(page)).toHaveAttribute('data-plies', '2');
  await expectNoErrors(page);
});

test('an analysis is accessible, wide and narrow', async ({ page }) => {
  await analyseGame(page, 'tic-tac-toe', LOST_BY_AN_EDGE);
  await expect(page.getByTestId('curve')).toHaveAttribute('data-progress', '1');
  await page.locator('[data-worst="2"]').click();
  await touch(page, 'c1');
  await expect(page.getByTestId('variation')).toBeVisible();
  await expect(page.locator('svg.board [data-value]').first()).toBeVisible();
  await expectAccessible(page);
  await resize(page, { width: 390, height: 844 });
  await expectAccessible(page, 'on a telephone');
  await page.goto('/setup');
  await expect(page.getByRole('combobox', { name: 'Game' })).toBeVisible();
  await expectAccessible(page, 'the setup');
});

test('an agent that says why shows its answer beside the ply that it answers, and is offered where it plays', async ({
  page,
}) => {
  await page.goto('/analysis?game=focus%3Arule%3Dnone');
  const agent = page.getByLabel('Agent', { exact: true });
  const offer = agent.locator('option[value="mirror"]');
  // It plays the second seat, and the first is to act.
  await expect(agent.locator('option[value="level:1"]')).toHaveCount(1);
  await expect(offer).toHaveCount(0);
  for (const id of ['b5', 'b4']) await touch(page, id);
  await expect(analysed(page)).toHaveAttribute('data-plies', '1');
  await expect(offer).toHaveCount(1);
  // One seat's agent is not asked about all plies of a game.
  const worth = page.getByRole('button', { name: 'What was each ply worth?' });
  await expect(worth).toHaveCount(1);
  await agent.selectOption('mirror');
  await expect(worth).toHaveCount(0);
  await expect(page.getByText('Half a turn of the board takes b5-b4 to g4-g5')).toBeVisible();
  await expect(page.locator('svg.board .last-rim')).toHaveCount(2);
  await expect(page.locator('svg.board .hint-rim')).toHaveCount(2);
  // What it does not look at is no error.
  await expect(page.getByText('does not play')).toHaveCount(0);
  await expectNoErrors(page);
  await page.goto('/?new=focus%3Arule%3Dnone');
  await expect(page.locator('#occupant-1 option[value="mirror"]')).toHaveCount(1);
  await expect(page.locator('#occupant-0 option[value="mirror"]')).toHaveCount(0);
});

test('one agent that does not play the position leaves the other its say', async ({ page }) => {
  // It plays the second seat, and the first is to act.
  await page.goto('/analysis?game=focus%3Arule%3Dnone&agent=mirror&agent=mcts%3Atime%3D1s');
  await expect(page.locator('[data-toast="error"]')).toContainText('mirror');
  await expect(page.locator('[data-agent="1"] tr[data-action]').first()).toBeVisible();
  await expect(page.locator('[data-agent="0"] tr[data-action]')).toHaveCount(0);
  await expect(analysed(page)).toHaveAttribute('data-plies', '0');
});

test('what comes late for an analysis that was left does not touch the next page', async ({ page }) => {
  let reply = (): void => undefined;
  const replied = new Promise<void>((done) => {
    reply = done;
  });
  await page.route('**/api/agents?spec=*', async (route) => {
    await replied;
    await route.continue();
  });
  await page.goto('/analysis?game=tic-tac-toe');
  await expect(analysed(page)).toHaveAttribute('data-plies', '0');
  await page.getByRole('link', { name: 'Play from here' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  const url = page.url();
  let nReplies = 0;
  page.on('response', (response) => {
    if (response.url().includes('/api/agents?spec=')) nReplies += 1;
  });
  reply();
  // The analysis has asked, and the dialog.
  await expect.poll(() => nReplies).toBe(2);
  await expect(dialog.getByRole('button', { name: 'Open the table' })).toBeEnabled();
  await expect(page).toHaveURL(url);
  await expectNoErrors(page);
});

test('dominoes by which a player wins are drawn', async ({ page }) => {
  await page.goto('/analysis?game=black%3Arows%3D4%2Ccolumns%3D4&position=xb2%2F1x2%2F4%2F4+1');
  const agent = page.getByLabel('Agent', { exact: true });
  const perfect = await agent.locator('option[value^="perfect"]').getAttribute('value');
  await agent.selectOption(perfect);
  await expect(page.getByText('Orange wins: it leads the path from b3')).toBeVisible();
  // Five whole ones, and a rim around each half of the split one.
  await expect(page.locator('svg.board .joined path')).toHaveCount(7);
  await expect(page.locator('svg.board .joined polyline')).toHaveCount(1);
  await expectNoErrors(page);
});

test('what came to light of what a seat did not know is said to be drawn', async ({ page }) => {
  const at = new URLSearchParams({ game: 'kuhn-poker', position: '1 stakes=1/1 cards=?/Q seen-by=1' });
  await page.goto(`/analysis?${at}`);
  await expect(page.getByText('Only what Player 2 knows is shown and used.')).toBeVisible();
  await page.getByRole('button', { name: /^Pass/ }).click();
  await expect(page.getByTestId('of-one-draw')).toContainText('Something that Player 2 did not know has come to light');
  await expect(page.getByText('is shown and used')).toHaveCount(0);
  await expectNoErrors(page);
});

test('an address that is changed by hand, by Back or by Forward is followed', async ({ page }) => {
  const hash = (at: string) => `#${new URLSearchParams({ lines: '0 a1 b2 c3 a3', at })}`;
  await page.goto(`/analysis?game=tic-tac-toe${hash('1.2')}`);
  await expect(analysed(page)).toHaveAttribute('data-plies', '2');
  await page.evaluate((to) => {
    location.hash = to;
  }, hash('1.4'));
  await expect(analysed(page)).toHaveAttribute('data-plies', '4');
  await page.goBack();
  await expect(analysed(page)).toHaveAttribute('data-plies', '2');
  await page.goForward();
  await expect(analysed(page)).toHaveAttribute('data-plies', '4');

  // Other lines come to those that are here.
  await page.evaluate(() => {
    location.hash = `#${new URLSearchParams({ lines: '0 a1 a2', at: '1.2' })}`;
  });
  await expect(analysed(page)).toHaveAttribute('data-plies', '2');
  await expect(page.getByTestId('variation')).toHaveText(/2\D*a2/);
  await expect(page).toHaveURL(/at=2.2$/);
  // The page's own steps make no entries of the history.
  const entries = await page.evaluate(() => history.length);
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(/at=0.1$|at=1.1$/);
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await expectNoErrors(page);
});

test('a link whose lines are damaged shows the game, and says what is wrong', async ({ page }) => {
  const link = (lines: string) => `/analysis?game=tic-tac-toe#${new URLSearchParams({ lines, at: '1.5' })}`;
  await page.goto(link('0 a1 b2 zz a3 c1'));
  await expect(analysed(page)).toHaveAttribute('data-plies', '0');
  await expect(page.getByText('A line of the link was left out: ply 3 (`zz`)')).toBeVisible();
  await expect(page).toHaveURL(/lines=0\+a1\+b2&/);
  await page.goto('/');
  await page.goto(link('nonsense'));
  await expect(page.getByText('A line of the link cannot be read.')).toBeVisible();
  await expect(analysed(page)).toHaveAttribute('data-plies', '0');
});

test('a table that there is not is said to be none, with a way back', async ({ page }) => {
  await page.goto('/analysis?table=nosuchtable');
  await expect(page.getByRole('alert')).toHaveText(/There is no such table here/);
  await expect(page.getByText('once it is over')).toHaveCount(0);
  await page.getByRole('link', { name: 'To the finished games' }).click();
  await expect(page.getByRole('heading', { name: 'Library' })).toBeVisible();
});

test('the rest of a deal is drawn at random', async ({ page }) => {
  await page.goto('/analysis?game=al-jabar');
  await page.getByRole('button', { name: 'Draw one' }).click();
  await expect(analysed(page)).toHaveAttribute('data-plies', '1');
  await page.getByRole('button', { name: 'Draw the rest' }).click();
  await expect(page.getByText('Player 1 to act.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Draw the rest' })).toHaveCount(0);
  // After a roll that stands alone there is no rest.
  await page.goto(`/analysis?game=2048#${new URLSearchParams({ lines: '0 ~2@a1 ~2@b1 right', at: '1.3' })}`);
  await expect(analysed(page)).toHaveAttribute('data-plies', '3');
  await expect(page.getByRole('button', { name: 'Draw one' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Draw the rest' })).toHaveCount(0);
  await expectNoErrors(page);
});
