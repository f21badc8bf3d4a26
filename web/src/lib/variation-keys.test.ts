// @vitest-environment happy-dom

import { beforeEach, expect, test } from 'vitest';
import { keepVariationsKeys, variationsKey } from './variation-keys';

beforeEach(() => localStorage.clear());

test('keys are kept by their games, and what has none is left out', () => {
  keepVariationsKeys([{ table: 'a', variations_key: 'k' }, { table: 'b' }, {}]);
  expect([variationsKey('a'), variationsKey('b'), localStorage.length]).toEqual(['k', undefined, 1]);
});

test('what was here already takes no key away', () => {
  keepVariationsKeys([{ table: 'a', variations_key: 'k' }]);
  keepVariationsKeys([{ table: 'a' }]);
  expect(variationsKey('a')).toBe('k');
});

test('the oldest are forgotten, and nothing else that is kept', () => {
  localStorage.setItem('raichi.table.t', '{}');
  keepVariationsKeys([{ table: 'old', variations_key: 'k' }], 1);
  const many = Array.from({ length: 1_000 }, (_, i) => ({ table: `t${i}`, variations_key: `k${i}` }));
  keepVariationsKeys(many, 2);
  expect([variationsKey('old'), variationsKey('t0'), variationsKey('t999')]).toEqual([undefined, 'k0', 'k999']);
  expect(localStorage.getItem('raichi.table.t')).toBe('{}');
});
