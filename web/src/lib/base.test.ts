import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { below, root } from './base';

afterEach(() => vi.unstubAllGlobals());

test('at the top of a host, paths stay as they are', () => {
  vi.stubGlobal('document', { baseURI: 'https://games.example/' });
  expect(root()).toBe('https://games.example');
  expect(['/', '/t/k3', '/raichi/t/k3'].map(below)).toEqual(['/', '/t/k3', '/raichi/t/k3']);
});

test('under a base path, paths begin below it', () => {
  vi.stubGlobal('document', { baseURI: 'https://games.example/raichi/' });
  expect(root()).toBe('https://games.example/raichi');
  expect(['/raichi/', '/raichi', '/raichi/t/k3'].map(below)).toEqual(['/', '/', '/t/k3']);
  expect(below('/raichis/t/k3')).toBe('/raichis/t/k3');
});

test('no link or request leads past the base path', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.(svelte|ts)$/.test(name));
  const leads = /(href|src|action)=["'{`]*\/(?!\/)|(fetch|request(<[^(]*>)?)\(["'`]\/|location\.(origin|host)\b/;
  const found = files
    .filter((name) => !name.endsWith('.test.ts'))
    .flatMap((name) =>
      readFileSync(join('src', name), 'utf8')
        .split('\n')
        .filter((line) => leads.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});
