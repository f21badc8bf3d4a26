import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// Where a server is running while the page is being worked on.
const server = process.env.RAICHI_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [svelte()],
  // Vitest loads the server's half of Svelte unless told that it stands in for a browser.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  build: { outDir: 'dist', target: 'es2022', chunkSizeWarningLimit: 400 },
  server: {
    proxy: {
      '/api': server,
      '/ws': { target: server, ws: true },
    },
  },
  test: { environment: 'node', include: ['src/**/*.test.ts'] },
});
