import { describe, expect, it } from 'vitest';
import { Variations } from './variations';

const OWN = ['a', 'b', 'c', 'd'];
const tried = (...lines: string[]) => lines.reduce((all, line) => all.add(line.split(' ')), Variations.of(OWN));

describe('the tree of what was tried', () => {
  it('keeps what was played, and each line once', () => {
    expect(tried('a b').lines).toEqual([]);
    expect(tried('a x', 'a x y', 'a x').lines).toEqual([['a', 'x', 'y']]);
    expect(tried('a x', 'a y').lines).toEqual([
      ['a', 'x'],
      ['a', 'y'],
    ]);
    expect(tried('a b c d e').lines).toEqual([['a', 'b', 'c', 'd', 'e']]);
  });

  it('can be read back from its text', () => {
    for (const all of [tried(), tried('a x y', 'a x z w', 'q'), tried('a b c d e f'), tried('~a1=2 1:draft\\', 'é')]) {
      const again = Variations.read(OWN, all.toText());
      expect(again.lines).toEqual(all.lines);
      expect(again.readPlace(all.placeText(['a', 'b']))).toEqual(['a', 'b']);
    }
    const all = tried('a x y', 'a x z w');
    expect(all.toText()).toBe('1 x y\n2 z w');
    expect(all.readPlace(all.placeText(['a', 'x', 'z']))).toEqual(['a', 'x', 'z']);
    expect(Variations.read(OWN, '9 x\n-1 y\nz\n2 q').lines).toEqual([['a', 'b', 'q']]);
    expect(all.readPlace('7.1')).toBeUndefined();
    expect(['', '1 x y\n2 z w', '\n2 q'].map((text) => Variations.isReadable(OWN, text))).toEqual([true, true, true]);
    expect(['9 x', 'z', '1 x\n-1 y'].map((text) => Variations.isReadable(OWN, text))).toEqual([false, false, false]);
  });

  it('says what goes on, and forgets what is taken out', () => {
    const all = tried('a x y', 'a x z', 'a w');
    expect(all.next(['a'])).toEqual(['b', 'x', 'w']);
    expect(all.onFrom(['a'])).toEqual(OWN);
    expect(all.onFrom(['a', 'x'])).toEqual(['a', 'x', 'y']);
    expect(all.without(['a', 'x', 'z']).lines).toEqual([
      ['a', 'x', 'y'],
      ['a', 'w'],
    ]);
    expect(all.without(['a', 'x']).lines).toEqual([['a', 'w']]);
    expect(all.without(['a', 'b']).lines).toEqual(all.lines);
  });

  it('can be read back from what a server keeps', () => {
    const all = tried('a x y', 'a x z w', 'a b c d e', 'q');
    expect(all.toKept()).toEqual([
      { after: 1, plies: ['x', 'y'] },
      { after: 1, plies: ['x', 'z', 'w'] },
      { after: 4, plies: ['e'] },
      { after: 0, plies: ['q'] },
    ]);
    const again = Variations.ofKept(OWN, all.toKept());
    expect(again.lines).toEqual(all.lines);
    expect(again.isSame(tried('q', 'a b c d e', 'a x z w', 'a x y'))).toBe(true);
    expect(again.isSame(tried('q', 'a b c d e', 'a x z w'))).toBe(false);
    expect(again.isSame(tried('q', 'a b c d e', 'a x z w', 'a x'))).toBe(false);
    // What makes no sense is as good as nothing.
    expect(Variations.ofKept(OWN, [{ after: 9, plies: [] }]).lines).toEqual([]);
  });

  it('is joined with another one: what either side added or removed is so', () => {
    const joined = (before: Variations, mine: Variations, theirs: Variations) => mine.merge(before, theirs).lines;
    const lines = (...all: string[]) => all.map((line) => line.split(' '));
    // Nothing was in common yet.
    expect(joined(tried(), tried('a x y'), tried('a x z', 'q'))).toEqual(lines('a x y', 'a x z', 'q'));
    const before = tried('a x y', 'a b w');
    // Both added something.
    expect(joined(before, tried('a x y u', 'a b w'), tried('a x y', 'a b w', 'q'))).toEqual(
      lines('a x y u', 'a b w', 'q'),
    );
    // Here a line was removed, there its last ply.
    expect(joined(before, tried('a b w'), tried('a x', 'a b w'))).toEqual(lines('a b w'));
    // There all of it was removed, here nothing was changed.
    expect(joined(before, before, tried())).toEqual([]);
    // Here it was removed, and there it goes on: what is new stays, and so does the way to it.
    expect(joined(before, tried('a b w'), tried('a x y u', 'a b w'))).toEqual(lines('a b w', 'a x y u'));
    expect(joined(before, before, before)).toEqual(before.lines);
  });

  it('is told as branches of what was played', () => {
    const { plies, others } = tried('a x y', 'a x z', 'a b w').tree();
    expect(plies).toEqual(OWN);
    expect([...others.keys()]).toEqual([1, 2]);
    const [x] = others.get(1) ?? [];
    expect(x?.plies).toEqual(['x', 'y']);
    expect(x?.others.get(2)?.map(({ plies }) => plies)).toEqual([['z']]);
    expect(others.get(2)?.[0]?.before).toEqual(['a', 'b']);
  });

  it('has a main line without anything played', () => {
    const all = Variations.of([]).add(['p', 'q']).add(['p', 'r']);
    expect(all.main).toEqual(['p', 'q']);
    expect(all.tree().others.get(1)?.[0]?.plies).toEqual(['r']);
  });
});
