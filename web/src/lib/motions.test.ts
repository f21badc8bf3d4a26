import { expect, test } from 'vitest';
import { motions } from './motions';
import type { Area, Cell, Picture, Piece } from './wire';

function board(pieces: Piece[], change: Partial<Cell> = {}): Area {
  const cells = [0, 1, 2, 3].flatMap((y) =>
    [0, 1, 2, 3].map(
      (x): Cell => ({ id: `${x}${y}`, x: x + 0.5, y: y + 0.5, shape: { type: 'square' }, tone: 'light', ...change }),
    ),
  );
  return { id: 'board', title: 'Board', kind: 'board', width: 4, height: 4, cells, pieces };
}

function tray(id: string, pieces: Piece[]): Area {
  const cells = [0, 1, 2].map(
    (x): Cell => ({ id: `${id}:${x}`, x: x + 0.5, y: 0.5, shape: { type: 'card' }, tone: 'plain' }),
  );
  return { id, title: id, kind: 'tray', width: 3, height: 1, cells, pieces };
}

const disc = (cell: string, tone: Piece['tone']): Piece => ({ cell, kind: 'disc', tone });
const tile = (cell: string, text: string): Piece => ({ cell, kind: 'tile', tone: 'plain', text });
const card = (cell: string, text: string): Piece => ({ cell, kind: 'card', tone: 'plain', text });
const back = (cell: string): Piece => ({ cell, kind: 'card-back', tone: 'plain' });

function kinds(before: Area[], after: Area[]): string[] {
  const picture = (areas: Area[]): Picture => ({ areas });
  return motions(picture(before), picture(after)).map((motion) => {
    const from = 'from' in motion ? ` from ${motion.from.area} ${motion.from.x},${motion.from.y}` : '';
    const height = 'height' in motion ? ` from ${motion.height} above` : '';
    const into = 'into' in motion ? ` into ${motion.into}` : '';
    return `${motion.kind} ${motion.area}:${motion.piece}${from}${height}${into}`;
  });
}

test('what stays does not move, and what moves is known by its look and nearness', () => {
  const before = [board([disc('00', 'black'), disc('33', 'white')])];
  expect(kinds(before, before)).toEqual([]);
  expect(kinds(before, [board([disc('33', 'white'), disc('02', 'black')])])).toEqual([
    'move board:1 from board 0.5,0.5',
  ]);
});

test('a capture leaves, whether it is taken by replacement or not', () => {
  const before = [board([disc('00', 'black'), disc('10', 'white'), disc('33', 'white')])];
  expect(kinds(before, [board([disc('10', 'black'), disc('33', 'white')])])).toEqual([
    'move board:0 from board 0.5,0.5',
    'leave board:1',
  ]);
  expect(kinds(before, [board([disc('00', 'black'), disc('33', 'white')])])).toEqual(['leave board:1']);
});

test('discs turn over, a new one appears', () => {
  const before = [board([disc('00', 'black'), disc('10', 'white')])];
  const after = [board([disc('00', 'black'), disc('10', 'black'), disc('20', 'black')])];
  expect(kinds(before, after)).toEqual(['turn board:1', 'appear board:2']);
});

test('in a column that is touched as one, pieces fall from above', () => {
  const column = { touch: 'c' };
  const cells = (pieces: Piece[]) => {
    const area = board(pieces);
    return { ...area, cells: area.cells.map((cell) => (cell.x === 0.5 ? { ...cell, ...column } : cell)) };
  };
  expect(kinds([cells([])], [cells([disc('03', 'red')])])).toEqual(['fall board:0 from 4 above']);
  expect(kinds([cells([])], [cells([disc('13', 'red')])])).toEqual(['appear board:0']);
});

test('tiles slide, and those that join go where they are joined', () => {
  const before = [board([tile('00', '2'), tile('30', '2'), tile('21', '8')])];
  const after = [board([tile('00', '4'), tile('01', '8')])];
  expect(kinds(before, after)).toEqual(['move board:1 from board 2.5,1.5', 'change board:0', 'leave board:1 into 0']);
});

test('cards are dealt, go from hand to table, and are turned over', () => {
  expect(kinds([tray('a', [])], [tray('a', [card('a:0', 'As'), back('a:1')])])).toEqual(['deal a:0', 'deal a:1']);
  expect(
    kinds([tray('a', [card('a:0', 'As')]), tray('b', [])], [tray('a', []), tray('b', [card('b:2', 'As')])]),
  ).toEqual(['move b:0 from a 0.5,0.5']);
  expect(kinds([tray('a', [back('a:0')]), tray('b', [])], [tray('a', []), tray('b', [card('b:1', 'Kd')])])).toEqual([
    'move b:0 from a 0.5,0.5',
  ]);
  expect(kinds([tray('a', [back('a:0')])], [tray('a', [card('a:0', 'Kd')])])).toEqual(['turn a:0']);
});

test('another position altogether is not animated', () => {
  const many = (tone: Piece['tone']) =>
    Array.from({ length: 130 }, (_, i): Piece => ({ ...disc('00', tone), dx: i / 10 }));
  expect(kinds([board([])], [board(many('black'))])).toEqual([]);
});
