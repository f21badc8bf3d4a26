import { expect, expectNoErrors, openTable, plies, settled, test, touch } from './table';

test('a touch that is not allowed is answered with the rule', async ({ page }) => {
  await openTable(page, 'tablut', ['me', 'me']);
  await settled(page);
  const why = page.getByTestId('why-not');
  const cell = (id: string) => page.locator(`[data-cell="${id}"]`);
  await cell('e5').dispatchEvent('click');
  await expect(why).toHaveText('Not allowed: the piece on e5 is not yours.');
  await touch(page, 'a4');
  await expect(why).toBeHidden();
  await cell('b8').dispatchEvent('click');
  await expect(why).toContainText('share neither');
  // What has been chosen stays chosen.
  await touch(page, 'b4');
  await expect.poll(() => plies(page)).toBe(1);
  await expect(why).toBeHidden();
  await expectNoErrors(page);
});

test('a full column and a disc that turns nothing are explained', async ({ page }) => {
  await openTable(page, 'othello', ['me', 'me']);
  await settled(page);
  await page.locator('[data-cell="a1"]').dispatchEvent('click');
  await expect(page.getByTestId('why-not')).toHaveText('Not allowed: a disc on a1 encloses no enemy disc.');
  await openTable(page, 'connect-four', ['me', 'me']);
  for (let n = 1; n <= 6; n++) {
    await settled(page);
    await touch(page, 'column:4');
    await expect.poll(() => plies(page)).toBe(n);
  }
  await settled(page);
  await page.locator('[data-touch="column:4"]').first().dispatchEvent('click');
  await expect(page.getByTestId('why-not')).toHaveText('Not allowed: that column is full.');
});
