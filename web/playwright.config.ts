import { defineConfig } from '@playwright/test';

// A browser from the system; the flags keep it from looking for its makers' services.
const executablePath = process.env.RAICHI_CHROMIUM ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  // In continuous integration a test that fails is run once more, since a slow moment of the machine can fail one of two hundred;
  // the report then calls it flaky. Run by hand, it fails at once.
  retries: process.env.CI ? 1 : 0,
  timeout: 120_000,
  // A busy machine is slow, and a wait that ends by what is waited for costs nothing.
  expect: { timeout: 20_000 },
  forbidOnly: !!process.env.CI,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: 'reduce' },
    // A trace, nearly always unwanted, makes a test take a sixth longer, and half as long again with its pictures. One that
    // failed is asked for it: `npm run e2e -- NAME --trace on`.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Every visit of a new context would fetch and keep all the page's files. What is about them allows it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
