import { describe, expect, test } from 'vitest';
import { storageOf } from './storage';
import { Tables } from './tables';

describe('what is kept', () => {
  test('is kept by the browser', () => {
    const localStorage = {} as Storage;
    expect(storageOf({ localStorage })).toBe(localStorage);
  });
  test('lasts as long as the page where the browser lets nobody keep anything', () => {
    const browser = {
      get localStorage(): Storage {
        throw new DOMException('denied', 'SecurityError');
      },
    };
    const tables = new Tables(storageOf(browser));
    tables.keep('a', { mine: [{ seat: 0, key: 'k' }] }, 1);
    tables.keep('b', {}, 2);
    expect(tables.get('a')?.mine).toEqual([{ seat: 0, key: 'k' }]);
    expect(tables.all().map(({ id }) => id)).toEqual(['b', 'a']);
    tables.forget('b');
    expect(tables.all()).toHaveLength(1);
  });
});
