import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync('src/fonts.css', 'utf8');
const entry = (face: string) => face.match(/font-family: "([^"]+)"[\s\S]*unicode-range: ([^;]+);/)?.slice(1) ?? [];
const faces = css.split('@font-face').slice(1).map(entry) as [string, string][];

function covers(range: string, character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  return range.split(',').some((part) => {
    const [first = 0, last = first] = part
      .trim()
      .replace('U+', '')
      .split('-')
      .map((digits) => Number.parseInt(digits, 16));
    return first <= point && point <= last;
  });
}

test('the two files of a face share no character and lose none', () => {
  const named = new Set(faces.map(([family]) => family));
  expect(named).toEqual(new Set(['IM Fell DW Pica', 'IM Fell DW Pica SC', 'Alegreya Sans']));
  for (const family of named) {
    const ranges = [...new Set(faces.filter(([of]) => of === family).map(([, range]) => range))];
    expect(ranges).toHaveLength(2);
    for (const character of 'Aa0Åéøß“”–×−€?!')
      expect(ranges.filter((range) => covers(range, character))).toHaveLength(1);
  }
});

test('sentences need only the first file', () => {
  const sentence = 'Sit down and play: “Raichi!” – 2 seats, it’s your turn … (1–10)';
  for (const [, basic] of faces.filter((_, i) => i % 2 === 0))
    for (const character of sentence) expect([character, covers(basic, character)]).toEqual([character, true]);
});
