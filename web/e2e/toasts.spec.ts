import { expect, openTable, settled, test } from './table';

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`a message covers no action at ${viewport.width} × ${viewport.height}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await openTable(page, 'poker:players=2', ['me', 'me']);
    await settled(page);
    await page.evaluate(() => {
      // A clipboard that works.
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => {} } });
    });
    // Without scrolling there: the top bar stays in sight.
    await page.getByRole('button', { name: 'Copy this position as text' }).dispatchEvent('click');
    const toast = page.locator('[data-toast]');
    await expect(toast).toBeVisible();
    const covered = await page.evaluate(() => {
      const over = document.querySelector('[data-toast]')?.getBoundingClientRect() as DOMRect;
      const actions = [
        ...document.querySelectorAll('button, a, input, [role="button"]:not(.place), .place.target'),
      ].filter((action) => !action.closest('[data-toast]'));
      return actions
        .filter((action) => {
          const box = action.getBoundingClientRect();
          return box.left < over.right && box.right > over.left && box.top < over.bottom && box.bottom > over.top;
        })
        .map((action) => action.textContent?.trim() || action.getAttribute('aria-label'));
    });
    expect(covered).toEqual([]);
    await toast.getByRole('button', { name: 'Dismiss' }).click();
    await expect(toast).toHaveCount(0);
  });
}
