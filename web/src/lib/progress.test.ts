// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import { Progress } from './progress';

describe('progress in lessons', () => {
  beforeEach(() => localStorage.clear());

  test('goes on at the first step that is not done', () => {
    const progress = new Progress(localStorage);
    expect(progress.next('a', [2, 3])).toEqual({ lesson: 1, step: 1 });
    progress.note('a', 1, 2);
    expect(progress.next('a', [2, 3])).toEqual({ lesson: 1, step: 1 });
    progress.note('a', 1, 1);
    expect(new Progress(localStorage).next('a', [2, 3])).toEqual({ lesson: 2, step: 1 });
    expect(progress.next('b', [1])).toEqual({ lesson: 1, step: 1 });
    for (const step of [1, 2, 3]) progress.note('a', 2, step);
    expect(progress.next('a', [2, 3])).toEqual({ lesson: 1, step: 1 });
  });

  test('what is kept may be damaged', () => {
    localStorage.setItem('raichi.lesson.a.1', '{"x":');
    localStorage.setItem('raichi.lesson.a.2', '["1",2,null]');
    const progress = new Progress(localStorage);
    expect([...progress.done('a', 1)]).toEqual([]);
    expect([...progress.done('a', 2)]).toEqual([2]);
  });
});

describe('the record in problems', () => {
  beforeEach(() => localStorage.clear());

  test('counts the first try only', () => {
    const progress = new Progress(localStorage);
    progress.tried('a', 3, false);
    progress.tried('a', 3, true);
    expect(progress.tried('a', 4, true)).toEqual({ tried: [3, 4], solved: [4] });
    expect(new Progress(localStorage).record('a')).toEqual({ tried: [3, 4], solved: [4] });
    localStorage.setItem('raichi.problems.b', '[');
    expect(progress.record('b')).toEqual({ tried: [], solved: [] });
  });
});
