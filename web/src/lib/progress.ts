/**
 * How far a person came in lessons and problems, kept in this browser: for each lesson the numbers of the steps that are
 * done, and of problems also how many were solved at the first try.
 */

const PREFIX = 'raichi.lesson.';

function read(storage: Storage, key: string): number[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(PREFIX + key) ?? '[]');
    return Array.isArray(kept) ? kept.filter((step): step is number => Number.isInteger(step)) : [];
  } catch {
    return [];
  }
}

const RECORD = 'raichi.problems.';

export interface ProblemRecord {
  tried: number[];
  solved: number[];
}

export class Progress {
  constructor(private readonly storage: Storage) {}

  /** The steps of a lesson, both from 1, that are done. */
  done(game: string, lesson: number): Set<number> {
    return new Set(read(this.storage, `${game}.${lesson}`));
  }

  note(game: string, lesson: number, step: number): Set<number> {
    const done = this.done(game, lesson).add(step);
    try {
      this.storage.setItem(`${PREFIX}${game}.${lesson}`, JSON.stringify([...done].sort((a, b) => a - b)));
    } catch {
      // Private windows may refuse storage; it is then forgotten with the page.
    }
    return done;
  }

  /** Takes note of a problem that was tried for the first time; returns the record. */
  tried(game: string, problem: number, solved: boolean): ProblemRecord {
    const before = this.record(game);
    if (before.tried.includes(problem)) return before;
    const record = {
      tried: [...before.tried, problem],
      solved: solved ? [...before.solved, problem] : before.solved,
    };
    try {
      this.storage.setItem(`${RECORD}${game}`, JSON.stringify(record));
    } catch {
      // As above.
    }
    return record;
  }

  /** The problems that were tried, and those solved at the first try. */
  record(game: string): ProblemRecord {
    try {
      const kept = JSON.parse(this.storage.getItem(`${RECORD}${game}`) ?? '{}') as Partial<ProblemRecord>;
      const numbers = (list: unknown) => (Array.isArray(list) ? list.filter(Number.isInteger) : []);
      return { tried: numbers(kept.tried), solved: numbers(kept.solved) };
    } catch {
      return { tried: [], solved: [] };
    }
  }

  /** Where to go on: the first step that is not done, of the first lesson that has one. */
  next(game: string, nSteps: number[]): { lesson: number; step: number } {
    for (const [i, n] of nSteps.entries()) {
      const done = this.done(game, i + 1);
      for (let step = 1; step <= n; step++) if (!done.has(step)) return { lesson: i + 1, step };
    }
    return { lesson: 1, step: 1 };
  }
}
