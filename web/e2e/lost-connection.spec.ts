import { RunningServer } from './server';
import { board, expect, expectNoErrors, openByDialog, plies, settled, test } from './table';

// A server of its own: it will be killed.
const own = test.extend<{ mortal: RunningServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures wanted from this pattern.
  mortal: async ({}, use) => {
    const server = await RunningServer.start();
    await use(server);
    await server.stop();
  },
  baseURL: async ({ mortal }, use) => use(mortal.url),
});

own.use({ serviceWorkers: 'allow' });

own('a game outlives a reload and the death of its server', async ({ page, mortal }) => {
  await openByDialog(page, 'tic-tac-toe', ['me', 'me']);
  await settled(page);
  await page.locator('[data-cell="b2"]').click();
  await expect.poll(() => plies(page)).toBe(1);

  await page.reload();
  await expect(board(page)).toHaveAttribute('data-plies', '1');
  await page.locator('[data-cell="a1"]').click();
  await expect.poll(() => plies(page)).toBe(2);

  await mortal.kill();
  await expect(page.getByText('The connection is lost')).toBeVisible();
  for (const name of ['Hint', 'Take back']) {
    const button = page.getByRole('button', { name });
    await expect(button).toBeDisabled();
    await expect(button).toHaveAccessibleDescription('The connection is lost.');
  }
  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByRole('button', { name: 'Resign' })).toBeDisabled();
  // What is chosen meanwhile is not lost either.
  await page.locator('[data-cell="c3"]').click();
  await mortal.start();
  await expect.poll(() => plies(page), { timeout: 20_000 }).toBe(3);
  await expect(page.getByText('The connection is lost')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Hint' })).toBeEnabled();
  await expect(page.locator('svg.board g.piece')).toHaveCount(3);

  // The lobby knows the table and leads back to it.
  await page.goto('/');
  await page.getByRole('link', { name: 'Tic Tac Toe', exact: true }).click();
  await expect(board(page)).toHaveAttribute('data-plies', '3');
  await expectNoErrors(page);
});
