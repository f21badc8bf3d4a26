import { expect, test } from 'vitest';
import { rounds } from './rounds';
import type { PlyView } from './wire';

function plies(texts: string): PlyView[] {
  return texts.split(' ').map((text) => {
    const [first, title] = text.split('@');
    const by = first?.startsWith('~') ? 'chance' : 0;
    return { by, text: first ?? '', ...(title ? { begins: title } : {}) };
  });
}

const brief = (texts: string) =>
  rounds(plies(texts)).map(({ title, from, to, entries }) => [
    title,
    from,
    to,
    entries.map((entry) => `${entry.from}-${entry.to} ${entry.text}`),
  ]);

test('rounds begin where the game says so, and cards nobody sees are told together', () => {
  expect(brief('~?@Round ~As ~? ~Kd call fold ~?@Round ~? check')).toEqual([
    ['Round 1', 1, 6, ['1-4 ~As ~Kd and 2 unseen', '5-5 call', '6-6 fold']],
    ['Round 2', 7, 9, ['7-8 2 unseen', '9-9 check']],
  ]);
});

test('rounds that the game counts keep their numbers', () => {
  expect(brief('~?@Round·4 call ~?@Round·5').map(([title]) => title)).toEqual(['Round·4', 'Round·5']);
});

test('a game without rounds is one list, and few outcomes stand by themselves', () => {
  expect(brief('~a1=2 ~b1=2 up ~c1=4')).toEqual([[undefined, 1, 4, ['1-1 ~a1=2', '2-2 ~b1=2', '3-3 up', '4-4 ~c1=4']]]);
  expect(brief('~7c ~8d ~9h bet')).toEqual([[undefined, 1, 4, ['1-3 ~7c ~8d ~9h', '4-4 bet']]]);
  expect(brief('~? bet')).toEqual([[undefined, 1, 2, ['1-1 ~?', '2-2 bet']]]);
  expect(rounds([])).toEqual([]);
});

test('of a long deal not every outcome is told', () => {
  const [round] = rounds(plies(Array.from({ length: 40 }, (_, i) => `~${i}`).join(' ')));
  expect(round?.entries).toHaveLength(1);
  expect(round?.entries[0]?.text).toMatch(/^~0 .* ~11 and 28 more$/);
});
