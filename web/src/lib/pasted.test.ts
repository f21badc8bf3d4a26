import { afterEach, expect, test, vi } from 'vitest';
import { gameOf, readPasted, unfinished } from './pasted';

const GAMES = ['go', 'nine'];
const read = (text: string, chosen = '') => readPasted(text, GAMES, chosen);

afterEach(() => vi.unstubAllGlobals());

test('a sheet that names no game is one of the game chosen', () => {
  expect(read('1. a b  2. a c', 'nine:n=3')).toEqual({
    lines: 'nine:n=3 1. a b 2. a c',
    sheets: [{ line: 1, game: 'nine:n=3', plies: ['a', 'b', 'a', 'c'] }],
  });
  // Without one there is nothing to send.
  expect(read('1. a b')).toEqual({ lines: '', sheets: [{ line: 1, game: undefined, plies: ['a', 'b'] }] });
  expect(read('go 1. a b', 'nine').sheets[0]?.game).toBe('go');
});

test('a line that is sent tells its game', () => {
  expect(['go:n=3 1. a b', '{"game":"nine:n=3","plies":[]}', '{"plies":[]}', '', '{'].map(gameOf)).toEqual([
    'go',
    'nine',
    undefined,
    undefined,
    '{',
  ]);
});

test('a sheet goes over several lines, and the next one begins with a name, a 1 or after an empty line', () => {
  const { lines, sheets } = read('go:n=3\n1. a b\n2. a\nc\n1. d\n\ne f\nnine g', 'go');
  expect(sheets).toEqual([
    { line: 1, game: 'go:n=3', plies: ['a', 'b', 'a', 'c'] },
    { line: 5, game: 'go', plies: ['d'] },
    { line: 7, game: 'go', plies: ['e', 'f'] },
    { line: 8, game: 'nine', plies: ['g'] },
  ]);
  expect(lines.split('\n')).toEqual(['go:n=3 1. a b 2. a c', '', '', '', 'go 1. d', '', 'go e f', 'nine g']);
});

test('a number may touch its ply, and a ply may begin with a number', () => {
  expect(read('1.a b 2.2/1c 10.5', 'go').sheets[0]?.plies).toEqual(['a', 'b', '2.2/1c', '10.5']);
  expect(read('1.a b', 'go').lines).toBe('go 1. a b');
});

test('records stay as they are, on their lines or laid out', () => {
  const two = '{"game":"go"}\n\n{"game":"nine"}\nnonsense';
  expect(read(two)).toEqual({ lines: two, sheets: [] });
  expect(read('{\n  "game": "go",\n  "plies": []\n}\n').lines).toBe('{ "game": "go", "plies": [] }');
});

const sheet = { line: 1, game: 'go', plies: ['a', 'b'] };

test('a game that goes on can be analysed and played from there', async () => {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', (path: string, { body }: { body: string }) => {
    asked.push([path, JSON.parse(body).line]);
    return Promise.resolve(new Response('{"type":"position","position":"x y","result":null}\n{"type":"end"}\n'));
  });
  expect(await unfinished(sheet)).toEqual({
    n_plies: 2,
    analyse: './analysis?game=go#lines=0+a+b&at=1.2',
    play: './?new=go&position=x+y',
  });
  expect(asked).toEqual([['api/analysis', ['a', 'b']]]);
});

test('one that is over, or that the rules refuse, is not', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"type":"position","position":"x","result":{}}\n')));
  expect(await unfinished(sheet)).toBeUndefined();
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response('{"code":"play/refused","message":"no"}', { status: 400 })),
  );
  expect(await unfinished(sheet)).toBeUndefined();
});
