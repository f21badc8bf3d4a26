import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { compressed, entries, shellOfServiceWorker } from './vite.plugins.ts';

// Where a server is running while the page is being worked on.
const server = process.env.RAICHI_SERVER ?? 'http://127.0.0.1:8080';

/** What tables, analyses and the dialog of a new table share and the lobby does not need. */
const BOARD =
  /\/src\/(table\/|AgentOptions\.|rules\/|lib\/(board|clock|hold|narrowing|people|places|solid|turn-about|twist|motions|copy|connection|heading|variations)\b)/;

export default defineConfig({
  plugins: [
    svelte(),
    // What each address needs first, beside what every page needs.
    entries({
      'index.html': 'src/lobby/Lobby.svelte',
      'table.html': 'src/table/TablePage.svelte',
      'analysis.html': 'src/analysis/AnalysisPage.svelte',
      'rules.html': 'src/rules/RulesPage.svelte',
    }),
    shellOfServiceWorker('service-worker.js'),
    compressed(),
  ],
  // Addresses are relative, and the server says by `<base>` to what.
  base: './',
  // Vitest loads the server's half of Svelte unless told that it stands in for a browser.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  build: {
    outDir: 'dist',
    target: 'es2022',
    // In all it is smaller than one more request is slow.
    cssCodeSplit: false,
    rolldownOptions: {
      input: { page: 'index.html', 'service-worker': 'src/service-worker.ts' },
      output: {
        // A service worker keeps its name, so that browsers find the next one.
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
        // What two parts of the page share is one file: browsers load only six at a time over HTTP/1.1.
        codeSplitting: {
          // The lobby does not wait for what it does not need.
          groups: [{ name: 'common', test: (id) => !BOARD.test(id), minShareCount: 2 }],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': server,
      '/ws': { target: server, ws: true },
    },
  },
  test: { environment: 'node', include: ['src/**/*.test.ts'] },
});
