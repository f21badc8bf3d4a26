// @vitest-environment happy-dom

import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { cubes, views } from '../fixtures';
import type { Area } from '../lib/drawn';
import { Narrowing } from '../lib/narrowing';
import { CORNERWISE, seen } from '../lib/solid';
import type { PieceKind, Tone, View } from '../lib/wire';
import PictureArea from './PictureArea.svelte';

const cube = cubes.three;

function fixture(name: string): View {
  return views[name as keyof typeof views];
}

/** What begins a legal action of the seat that looks. */
function beginnings(view: View): Set<string> {
  const choices = Object.values(view.choices)[0];
  return choices ? Narrowing.of(choices).targets([]) : new Set();
}

let mounted: Record<string, unknown> | undefined;

afterEach(() => {
  if (mounted) unmount(mounted);
  mounted = undefined;
  document.body.replaceChildren();
});

function draw(area: Area, props: Record<string, unknown> = {}): SVGSVGElement {
  mounted = mount(PictureArea, { target: document.body, props: { area, ...props } });
  flushSync();
  return document.querySelector('svg') as SVGSVGElement;
}

function drawFixture(name: string, props: Record<string, unknown> = {}, areaIndex = 0): SVGSVGElement {
  const view = fixture(name);
  const { picture, seats, last } = view;
  return draw(picture.areas[areaIndex] as Area, {
    seats: seats.map((seat) => seat.name),
    tones: seats.map((seat) => seat.tone),
    last,
    targets: beginnings(view),
    interactive: true,
    ...props,
  });
}

function place(svg: SVGSVGElement, cell: string): Element {
  const found = svg.querySelector(`[data-cell="${cell}"]`);
  if (!found) throw new Error(`no place for ${cell}`);
  return found;
}

describe('a board', () => {
  test('is as wide and as high as the area, and named after it', () => {
    const svg = drawFixture('tablut');
    const [area] = fixture('tablut').picture.areas;
    expect(svg.getAttribute('viewBox')).toBe(`0 0 ${area?.width} ${area?.height}`);
    expect(svg.getAttribute('aria-label')).toBe(area?.title);
    expect(svg.getAttribute('role')).toBe('group');
  });

  test('has a place for each cell, a figure for each piece and every coordinate', () => {
    const svg = drawFixture('tablut');
    const area = fixture('tablut').picture.areas[0] as Area;
    expect(svg.querySelectorAll('[data-cell]')).toHaveLength(area.cells.length);
    expect(svg.querySelectorAll('g.piece')).toHaveLength(area.pieces.length);
    expect(svg.querySelectorAll('text.coordinate')).toHaveLength(18);
    expect(svg.querySelectorAll('.crown').length).toBeGreaterThan(0);
  });

  test('leaves its coordinates out when they are switched off', () => {
    expect(drawFixture('tablut', { coordinates: false }).querySelectorAll('text.coordinate')).toHaveLength(0);
  });

  test('marks what begins a legal action, and only that', () => {
    const svg = drawFixture('tablut');
    const expected = [...beginnings(fixture('tablut'))].sort();
    const marked = [...svg.querySelectorAll('.place.target')].map((g) => g.getAttribute('data-touch')).sort();
    expect(marked).toEqual(expected);
    expect(place(svg, expected[0] as string).getAttribute('aria-disabled')).toBe('false');
  });

  test('a number of what an action is worth hides no piece beside the middle of its cell', () => {
    const area = fixture('tablut').picture.areas[0] as Area;
    const cell = area.cells[0] as Area['cells'][number];
    const piece = { cell: cell.id, kind: 'slab', tone: 'neutral' } as Area['pieces'][number];
    const marks = new Map([[cell.touch ?? cell.id, { text: '+.5', rank: 1, exact: false }]]);
    const height = (...heights: number[]) => {
      const pieces = heights.map((dy) => ({ ...piece, dy }));
      const y = draw({ ...area, pieces }, { marks })
        .querySelector('.values text')
        ?.getAttribute('y');
      if (mounted) unmount(mounted);
      mounted = undefined;
      return Number(y) - cell.y;
    };
    expect(height(0)).toBeCloseTo(0.3);
    expect(height(0.33)).toBeCloseTo(-0.3);
    expect(height(0.33, -0.32)).toBeCloseTo(0);
    expect(height(0.33, 0, -0.32)).toBeCloseTo(0.3);
  });

  test('marks the last ply', () => {
    const svg = drawFixture('tablut');
    expect(svg.querySelectorAll('.last-rim')).toHaveLength(fixture('tablut').last.length);
  });

  test('says which cell is chosen', () => {
    const svg = drawFixture('tablut', { chosen: ['a6'] });
    expect(place(svg, 'a6').getAttribute('aria-pressed')).toBe('true');
    expect(place(svg, 'a6').classList.contains('chosen')).toBe(true);
  });

  test('tells what is touched: the cell, or what the cell stands for', () => {
    const ontouch = vi.fn();
    const svg = drawFixture('connect-four', { ontouch });
    place(svg, '3-4').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    expect(ontouch).toHaveBeenLastCalledWith('column:3');
  });

  test('can be walked with the keys and touched with Enter', () => {
    const ontouch = vi.fn();
    const svg = drawFixture('tablut', { ontouch });
    const press = (cell: string, key: string) =>
      place(svg, cell).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    press('a6', 'ArrowUp');
    flushSync();
    expect(document.activeElement?.getAttribute('data-cell')).toBe('a7');
    expect(place(svg, 'a7').getAttribute('tabindex')).toBe('0');
    press('a7', 'ArrowRight');
    flushSync();
    expect(document.activeElement?.getAttribute('data-cell')).toBe('b7');
    press('a6', 'Enter');
    expect(ontouch).toHaveBeenCalledExactlyOnceWith('a6');
  });

  test('lets the Tab key in at one place only', () => {
    const svg = drawFixture('tablut');
    expect(svg.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  });

  test('is only an image where nothing can be touched', () => {
    const svg = drawFixture('tablut', { interactive: false });
    expect(svg.getAttribute('role')).toBe('img');
    expect(svg.querySelectorAll('[data-cell], [tabindex]')).toHaveLength(0);
  });

  test('is drawn in few strokes where nothing can be touched, and marks the last ply all the same', () => {
    const cells = [...'abcdef'].map((id, x) => ({
      id,
      x,
      y: 0,
      shape: { type: 'square' as const },
      tone: id < 'c' ? ('dark' as const) : ('light' as const),
    }));
    const area: Area = { id: 'board', title: 'Board', kind: 'board', width: 6, height: 1, cells, pieces: [] };
    const drawn = (props: Record<string, unknown>) => {
      const svg = draw(area, props);
      const shapes = [...svg.querySelectorAll('.cell')].map((cell) => cell.firstElementChild?.tagName);
      const last = svg.querySelectorAll('.last').length;
      if (mounted) unmount(mounted);
      return [...shapes, last];
    };
    expect(drawn({})).toEqual(['path', 'path', 0]);
    expect(drawn({ last: ['d'] })).toEqual(['path', 'rect', 'rect', 'path', 1]);
    expect(drawn({ interactive: true })).toEqual([...Array(6).fill('rect'), 0]);
    mounted = undefined;
  });
});

describe('cards', () => {
  test('show rank and suit, or only their backs', () => {
    const { picture } = fixture('poker');
    const texts = picture.areas.flatMap((area) => area.pieces).filter(({ kind }) => kind === 'card');
    const svg = drawFixture('poker', {}, 1);
    expect(texts.length).toBeGreaterThan(0);
    expect(svg.querySelectorAll('.rank, .letter').length).toBeGreaterThan(0);
  });

  test('are read aloud', () => {
    const area: Area = {
      id: 'hand',
      title: 'Hand',
      kind: 'tray',
      width: 1,
      height: 1,
      cells: [{ id: 'c', x: 0.5, y: 0.5, shape: { type: 'card' }, tone: 'plain', label: 'first card' }],
      pieces: [{ cell: 'c', kind: 'card', tone: 'red', text: 'Qh' }],
    };
    expect(place(draw(area, { interactive: true }), 'c').getAttribute('aria-label')).toBe(
      'first card, queen of hearts',
    );
  });
});

describe('every kind of piece', () => {
  const kinds: [PieceKind, string | undefined][] = [
    ['disc', undefined],
    ['slab', undefined],
    ['king', undefined],
    ['cross', undefined],
    ['ring', undefined],
    ['tile', '2048'],
    ['card', 'Th'],
    ['card', 'yellow-salt'],
    ['card-back', undefined],
    ['token', '12'],
    ['die', '6'],
    ['stick', undefined],
  ];
  test.each(kinds)('is drawn in its tone: %s %s', (kind, text) => {
    const tones: Tone[] = [{ seat: 0 }, { scale: 4 }, 'red'];
    const area: Area = {
      id: 'board',
      title: 'Board',
      kind: 'board',
      width: 3,
      height: 1,
      cells: tones.map((_, i) => ({ id: `c${i}`, x: i + 0.5, y: 0.5, shape: { type: 'square' }, tone: 'light' })),
      pieces: tones.map((tone, i) => ({ cell: `c${i}`, kind, tone, ...(text ? { text } : {}) })),
    };
    const svg = draw(area);
    const look = [...svg.querySelectorAll('g.piece')].map((g) => ({
      at: g.getAttribute('style'),
      shapes: [...g.querySelectorAll('circle, rect, path, text')].map((shape) => shape.tagName).join(' '),
      text: [...g.querySelectorAll('text')].map((node) => node.textContent?.trim()).join('|'),
      tone: g.querySelector('[style*="--fill"]')?.getAttribute('style'),
    }));
    expect(look).toMatchSnapshot();
  });
});

describe('shapes of cells', () => {
  test('are squares, rectangles, hexagons, circles and places for cards', () => {
    const shapes: Area['cells'][number]['shape'][] = [
      { type: 'square' },
      { type: 'rect', width: 2, height: 0.5 },
      { type: 'hexagon' },
      { type: 'circle', radius: 0.3 },
      { type: 'card' },
    ];
    const svg = draw({
      id: 'board',
      title: 'Board',
      kind: 'board',
      width: 5,
      height: 1,
      cells: shapes.map((shape, i) => ({ id: `c${i}`, x: i + 0.5, y: 0.5, shape, tone: 'light' })),
      pieces: [],
    });
    const drawn = [...svg.querySelectorAll('.cell > *')].map((shape) =>
      Object.fromEntries(
        ['width', 'height', 'r', 'points']
          .filter((name) => shape.hasAttribute(name))
          .map((name) => [name, shape.getAttribute(name)]),
      ),
    );
    expect(drawn).toMatchSnapshot();
  });
});

describe('a body in space', () => {
  test('has a place for each facet that is to be seen, by its name', () => {
    const ontouch = vi.fn();
    const svg = draw(seen(cube, CORNERWISE), { interactive: true, targets: new Set(['f4', 'b4']), ontouch });
    expect(svg.querySelectorAll('[data-cell]')).toHaveLength(27);
    expect(svg.querySelectorAll('.place.target')).toHaveLength(1);
    expect(place(svg, 'f4').getAttribute('aria-label')).toBe('f4, F');
    expect(svg.querySelectorAll('text[transform^="matrix("]')).toHaveLength(27);
    place(svg, 'f4').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    expect(ontouch).toHaveBeenCalledExactlyOnceWith('f4');
  });

  test('is walked with the keys, and beyond its rim brings on what is there', () => {
    const onrim = vi.fn();
    const svg = draw(seen(cube, { yaw: 0, pitch: 0 }), { interactive: true, onrim });
    const press = (cell: string, key: string) =>
      place(svg, cell).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    press('f4', 'ArrowRight');
    flushSync();
    expect(document.activeElement?.getAttribute('data-cell')).toBe('f5');
    expect(onrim).not.toHaveBeenCalled();
    press('f5', 'ArrowRight');
    expect(onrim).toHaveBeenCalledExactlyOnceWith('right');
  });
});

describe('lines', () => {
  test('can be touched where they have an id', () => {
    const ontouch = vi.fn();
    const svg = draw(
      {
        id: 'board',
        title: 'Board',
        kind: 'board',
        width: 2,
        height: 1,
        cells: [],
        pieces: [],
        lines: [
          {
            points: [
              [0, 0],
              [1, 1],
            ],
            tone: 'plain',
            width: 0.1,
            id: '1-2',
          },
          {
            points: [
              [0, 0],
              [2, 1],
            ],
            tone: { seat: 1 },
            width: 0.1,
            arrow: true,
          },
        ],
      },
      { interactive: true, targets: new Set(['1-2']), ontouch },
    );
    expect(svg.querySelectorAll('.line')).toHaveLength(2);
    const touchable = svg.querySelector('[data-touch="1-2"]');
    expect(touchable?.getAttribute('tabindex')).toBe('0');
    touchable?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    expect(ontouch).toHaveBeenCalledExactlyOnceWith('1-2');
  });
});
