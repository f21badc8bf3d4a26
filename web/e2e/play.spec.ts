import { board, expect, expectNoErrors, lot, openByDialog, openTable, plies, settled, test } from './table';

test('a whole game of Connect Four against an engine, by clicking', async ({ page }) => {
  await openByDialog(page, 'connect-four', ['me', 'random']);
  const draw = lot(7);
  for (let turn = 0; (await settled(page)) !== 'over'; turn++) {
    expect(turn).toBeLessThan(22);
    // A hole that is highlighted, wherever it is in its column, by a real click of the mouse.
    const holes = page.locator('.place.target.grouped:not(.occupied)[data-cell*="-"]');
    const before = await plies(page);
    await holes.nth(draw(await holes.count())).click();
    await expect.poll(() => plies(page)).toBeGreaterThan(before);
  }
  await expect(page.getByTestId('situation')).toContainText(/win|draw/i);
  await expectNoErrors(page);

  // One looks back, and returns.
  const all = await plies(page);
  await page.getByRole('button', { name: 'One ply back' }).click();
  await expect(page.getByText(`after ply ${all - 1} of ${all}`)).toBeVisible();
  const list = page.getByRole('list', { name: 'Plies' });
  await list.getByRole('button').first().click();
  await expect(page.locator('svg.board g.piece')).toHaveCount(1);
  await page.getByRole('button', { name: 'Back to the present' }).click();
  await expect(page.locator('svg.board g.piece')).toHaveCount(all);

  // Nothing was shuffled, the record can be had, and the rematch has the seats exchanged.
  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByRole('link', { name: 'Record' })).toBeVisible();
  await expect(page.getByText('Seed', { exact: true })).toHaveCount(0);
  const record = await page.request.get(`/api/tables/${await board(page).getAttribute('data-table')}/record`);
  expect(record.ok()).toBe(true);
  await page.getByRole('button', { name: 'Rematch' }).click();
  await expect(board(page)).toHaveAttribute('data-plies', /^[01]$/);
  await expect(page.locator('.seats [data-seat="1"]')).toContainText('(you)');
});

test('Tablut by typing, to the end', async ({ page }) => {
  await openTable(page, 'tablut:max-plies=60', ['me', 'random']);
  const field = page.getByRole('combobox', { name: 'Type an action' });
  const options = page.getByRole('option');

  await settled(page);
  await field.fill('e5-e6');
  await field.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'e5-e6' })).toBeVisible();

  const draw = lot(1732);
  for (let turn = 0; (await settled(page)) !== 'over'; turn++) {
    expect(turn).toBeLessThan(31);
    const before = await plies(page);
    await field.fill('abcdefghi'.charAt(draw(9)));
    if ((await options.count()) === 0) await field.fill('-');
    const action = (await options.nth(draw(await options.count())).textContent())?.trim() ?? '';
    await field.fill(action);
    await field.press('Enter');
    await expect.poll(() => plies(page)).toBeGreaterThan(before);
  }
  await expect(page.getByTestId('situation')).toContainText(/win|draw/i);
  await expectNoErrors(page);
});

test('resigning is asked twice and ends the game', async ({ page }) => {
  await openTable(page, 'tablut', ['me', 'me']);
  await settled(page);
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Play on' }).click();
  await expect(board(page)).toHaveAttribute('data-state', 'yours');
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await expect(board(page)).toHaveAttribute('data-state', 'over');
});

test('a partly made choice narrows what is offered and can be taken back', async ({ page }) => {
  await openTable(page, 'tablut', ['me', 'me']);
  await settled(page);
  const start = await page.locator('.place.target').count();
  await page.locator('[data-cell="d1"]').click();
  await expect(page.locator('[data-cell="d1"]')).toHaveAttribute('aria-pressed', 'true');
  // d1 moves along its column and row: d2 to d4, and c1 to a1.
  await expect(page.locator('.place.target')).toHaveCount(6);
  await page.keyboard.press('Escape');
  await expect(page.locator('.place.target')).toHaveCount(start);
  await page.locator('[data-cell="d1"]').click();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page.locator('.place.target')).toHaveCount(start);
  await page.locator('[data-cell="d1"]').click();
  await page.locator('[data-cell="d1"]').click();
  await expect(page.locator('.place.target')).toHaveCount(start);
  expect(await plies(page)).toBe(0);
});

test('where there are very many actions, touching and typing go on as everywhere', async ({ page }) => {
  await openTable(page, 'nim:sizes=255/255,max=0', ['me', 'me']);
  await settled(page);
  await page.locator('[data-cell="b-250"]').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => plies(page)).toBe(1);
  const field = page.getByRole('combobox', { name: 'Type an action' });
  await field.fill('a255');
  await field.press('Enter');
  await expect.poll(() => plies(page)).toBe(2);
  await expectNoErrors(page);
});

test('the keyboard alone is enough', async ({ page }) => {
  await openTable(page, 'tic-tac-toe', ['me', 'me']);
  await settled(page);
  await page.locator('svg.board [tabindex="0"]').focus();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  // a1, then below it a2, then b1, b2 and c1: a line along the top.
  await press('Enter');
  await expect.poll(() => plies(page)).toBe(1);
  await press('ArrowDown', 'Enter');
  await expect.poll(() => plies(page)).toBe(2);
  await press('ArrowUp', 'ArrowRight', 'Enter');
  await expect.poll(() => plies(page)).toBe(3);
  await press('ArrowDown', 'Enter');
  await expect.poll(() => plies(page)).toBe(4);
  await press('ArrowUp', 'ArrowRight', 'Enter');
  await expect(board(page)).toHaveAttribute('data-state', 'over');
});

test('parameters are checked by the server as they are changed', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Connect Four' }).click();
  const dialog = page.getByRole('dialog');
  const width = dialog.locator('[data-param="width"]');
  await width.getByRole('button', { name: 'More width' }).click();
  await expect(dialog.getByText('connect-four:width=8')).toBeVisible();
  await expect(dialog.locator('.plate svg.board')).toHaveAttribute('viewBox', /^0 0 8/);
  await width.getByRole('textbox').fill('99');
  await expect(width.getByRole('alert')).toContainText('from 4 to 12');
  await expect(dialog.getByRole('button', { name: 'Open the table' })).toBeDisabled();
  await width.getByRole('textbox').fill('5');
  await expect(dialog.getByRole('button', { name: 'Open the table' })).toBeEnabled();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
});

test('an unknown table says so', async ({ page }) => {
  await page.goto('/t/nowhere');
  await expect(page.getByRole('heading', { name: 'This table cannot be opened' })).toBeVisible();
});
