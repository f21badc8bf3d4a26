import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';
import { compressed, entries, shellOfServiceWorker } from './vite.plugins.ts';

// Where a server is running while the page is being worked on.
const server = process.env.RAICHI_SERVER ?? 'http://127.0.0.1:8080';

/** What the lobby waits for: these modules, and all that they import. */
const LOBBY = ['/src/main.ts', '/src/lobby/Lobby.svelte'];

function isInLobby(id: string, context: Rolldown.ChunkingContext): boolean {
  const seen = new Set<string>();
  const visit = (module: string): boolean => {
    if (seen.has(module)) return false;
    seen.add(module);
    return LOBBY.some((end) => module.endsWith(end)) || (context.getModuleInfo(module)?.importers ?? []).some(visit);
  };
  return visit(id);
}

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
    rolldownOptions: {
      // How long each plugin took is no warning.
      checks: { bundlerTimings: false },
      input: { page: 'index.html', 'service-worker': 'src/service-worker.ts' },
      output: {
        // A service worker keeps its name, so that browsers find the next one.
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
        // What parts of the page share is two files, for browsers load only six at a time over HTTP/1.1: what the lobby
        // needs, and all that it would wait for in vain.
        codeSplitting: {
          groups: [
            { name: (id, context) => (isInLobby(id, context) ? 'common' : null), minShareCount: 2 },
            { name: 'board', minShareCount: 2, includeDependenciesRecursively: false },
          ],
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
