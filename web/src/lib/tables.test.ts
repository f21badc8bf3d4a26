// @vitest-environment happy-dom

import { beforeEach, describe, expect, test } from 'vitest';
import { friendLink, roomOf, Tables, tableOf } from './tables';

let tables: Tables;

beforeEach(() => {
  localStorage.clear();
  tables = new Tables(localStorage);
});

describe('kept tables', () => {
  test('come back latest first', () => {
    tables.keep('a', { name: 'Hex' }, 1);
    tables.keep('b', { name: 'Nim' }, 3);
    tables.keep('c', {}, 2);
    expect(tables.all().map(({ id }) => id)).toEqual(['b', 'c', 'a']);
  });
  test('keep their keys when something else changes', () => {
    tables.keep('a', { mine: [{ seat: 0, key: 'k' }], friends: [{ seat: 1, key: 'f' }] }, 1);
    tables.keep('a', { result: 'Black wins' }, 2);
    expect(tables.get('a')).toEqual({
      id: 'a',
      mine: [{ seat: 0, key: 'k' }],
      friends: [{ seat: 1, key: 'f' }],
      result: 'Black wins',
      seen: 2,
    });
  });
  test('take a key once only', () => {
    tables.addKey('a', 'k');
    tables.addKey('a', 'k');
    tables.addKey('a', 'l');
    expect(tables.get('a')?.mine).toEqual([{ key: 'k' }, { key: 'l' }]);
  });
  test('can be forgotten, and the oldest are', () => {
    for (let i = 0; i < 65; i++) tables.keep(`t${i}`, {}, i);
    expect(tables.all()).toHaveLength(60);
    expect(tables.get('t0')).toBeUndefined();
    tables.forget('t64');
    expect(tables.get('t64')).toBeUndefined();
  });
  test('are not forgotten while a game goes on to which only this browser has the keys', () => {
    tables.keep('mine', { mine: [{ seat: 0, key: 'k' }] }, 0);
    tables.keep('over', { mine: [{ seat: 0, key: 'k' }], result: 'Black wins' }, 0);
    for (let i = 1; i < 65; i++) tables.keep(`t${i}`, {}, i);
    expect(tables.get('mine')?.mine).toEqual([{ seat: 0, key: 'k' }]);
    expect(tables.get('over')).toBeUndefined();
  });
  test('outlive something unreadable', () => {
    localStorage.setItem('raichi.table.bad', '{');
    tables.keep('a', {}, 1);
    expect(tables.all().map(({ id }) => id)).toEqual(['a']);
  });
});

test('addresses name a table and perhaps a key', () => {
  expect(tableOf('/t/k3v9x', '')).toEqual({ table: 'k3v9x' });
  expect(tableOf('/t/k3v9x/', '#s3cret')).toEqual({ table: 'k3v9x', key: 's3cret' });
  expect(tableOf('/', '#s3cret')).toBeUndefined();
  expect(tableOf('/t/', '')).toBeUndefined();
});

test('an address that cannot be decoded names what stands there', () => {
  expect(tableOf('/t/100%', '#%zz')).toEqual({ table: '100%', key: '%zz' });
  expect(roomOf('/rules/%e0%a4%a')).toEqual({ room: 'rules', game: '%e0%a4%a' });
});

test('a friend link leads back to its table and key', () => {
  const link = new URL(friendLink('http://here', 'k3', 'a+b'));
  expect(tableOf(link.pathname, link.hash)).toEqual({ table: 'k3', key: 'a+b' });
});

test('the address of a game’s rules names the game', () => {
  expect(roomOf('/rules/al-jabar')).toEqual({ room: 'rules', game: 'al-jabar' });
  expect(roomOf('/lesson/hex/')).toEqual({ room: 'lesson', game: 'hex' });
  expect(roomOf('/drill/al-jabar')).toEqual({ room: 'drill', game: 'al-jabar' });
  expect(roomOf('/rules')).toBeUndefined();
  expect(roomOf('/t/hex')).toBeUndefined();
});
