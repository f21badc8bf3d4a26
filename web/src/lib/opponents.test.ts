import { expect, test } from 'vitest';
import { ableAt, opponent } from './opponents';
import type { AgentEntry, AgentGroup } from './wire';

const agent = (spec: string, group: AgentGroup): AgentEntry => ({
  spec,
  name: spec,
  help: '',
  group,
  seat: null,
  exact: false,
});
const levels = ['level:1', 'level:2', 'level:3', 'level:4'].map((spec) => agent(spec, 'levels'));
const best = ['best:time=200ms', 'best:time=1s', 'best:time=5s'].map((spec) => agent(spec, 'best'));
const perfect = agent('perfect:time=1s', 'methods');

test('the first that plays the game is proposed, by its spec or by its kind', () => {
  const all = [...levels, ...best, perfect];
  expect(opponent(all, ['perfect', 'best'])).toBe('perfect:time=1s');
  expect(opponent([...levels, ...best], ['perfect', 'best'])).toBe('best:time=1s');
  expect(opponent(all, ['best:time=5s'])).toBe('best:time=5s');
});

test('who plays one seat only is able there and nowhere else', () => {
  const second = { ...agent('second', 'methods'), seat: 1 };
  expect(ableAt([...levels, second], 0)).toEqual(levels);
  expect(ableAt([...levels, second], 1)).toEqual([...levels, second]);
});

test('without a wish, or with one that nobody fulfils, it is a level of medium strength', () => {
  expect(opponent([...levels, ...best], [])).toBe('level:2');
  expect(opponent(levels, ['perfect', 'best'])).toBe('level:2');
  expect(opponent([perfect], [])).toBe('perfect:time=1s');
  expect(opponent([], ['perfect'])).toBeUndefined();
});
