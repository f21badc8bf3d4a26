/**
 * A layer of a body that is turned about an axis, found by comparing the body before and after: the smallest layer of
 * which a quarter or half turn explains every facet that has changed.
 */

import type { Area, Cell } from './drawn';
import { DISTANCE, reach, rotate, seen, type Turn } from './solid';
import type { Tone } from './wire';

type Spot = [x: number, y: number, z: number];

export interface Twist {
  /** 0 for x, 1 for y, 2 for z. */
  axis: 0 | 1 | 2;
  /** The layer is what lies from one to the other along the axis. */
  from: number;
  to: number;
  /** In degrees, counterclockwise for somebody at whom the axis points. */
  degrees: number;
}

const AXES = [0, 1, 2] as const;
const ANGLES = [90, -90, 180];
const NEAR = 0.01;
/** The inside, a shade darker than any facet. */
const INSIDE: Tone = 'black';

/** A point turned about an axis. */
export function about(axis: 0 | 1 | 2, degrees: number, at: Spot): Spot {
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3] as [0 | 1 | 2, 0 | 1 | 2];
  const turned: Spot = [...at];
  turned[i] = at[i] * cos - at[j] * sin;
  turned[j] = at[i] * sin + at[j] * cos;
  return turned;
}

function cornersOf({ shape }: Cell): Spot[] {
  return shape.type === 'facet' ? shape.corners : [];
}

function middle(cell: Cell): Spot {
  const corners = cornersOf(cell);
  return AXES.map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length) as Spot;
}

function areNear(one: Spot, other: Spot): boolean {
  return AXES.every((axis) => Math.abs(one[axis] - other[axis]) < NEAR);
}

function look({ tone, text }: Cell): string {
  return JSON.stringify([tone, text]);
}

/** Whether two bodies look the same. */
export function areAlike(before: Area, after: Area): boolean {
  const old = new Map(before.cells.map((cell) => [cell.id, look(cell)]));
  return old.size === after.cells.length && after.cells.every((cell) => old.get(cell.id) === look(cell));
}

/** Where facets' rims lie along an axis. */
function cuts(cells: Cell[], axis: 0 | 1 | 2): number[] {
  const all = cells.flatMap(cornersOf).map((corner) => corner[axis]);
  const sorted = all.sort((a, b) => a - b);
  return sorted.filter((at, i) => i === 0 || at - (sorted[i - 1] as number) > NEAR);
}

function isWithin(at: Spot, { axis, from, to }: Pick<Twist, 'axis' | 'from' | 'to'>): boolean {
  return at[axis] > from - NEAR && at[axis] < to + NEAR;
}

/** How one became the other, where a single twist explains it. */
export function twistBetween(before: Area, after: Area): Twist | undefined {
  if (before.cells.length !== after.cells.length) return undefined;
  const old = new Map(before.cells.map((cell) => [cell.id, look(cell)]));
  const changed = after.cells.filter((cell) => old.get(cell.id) !== look(cell));
  if (changed.length === 0) return undefined;
  const places = after.cells.map((cell) => ({ cell, at: middle(cell) }));
  const shownAt = (spot: Spot) => {
    const place = places.find(({ at }) => areNear(at, spot));
    return place && look(place.cell);
  };
  const moved = changed.map(middle);

  const layers = AXES.flatMap((axis) => {
    const at = cuts(after.cells, axis);
    return at.flatMap((from, i) => at.slice(i + 1).map((to) => ({ axis, from, to })));
  });
  // Not the whole body: that would be another way of looking at it.
  const whole = (layer: (typeof layers)[number]) => places.every(({ at }) => isWithin(at, layer));
  const explains = (layer: (typeof layers)[number], degrees: number) =>
    moved.every((at) => isWithin(at, layer)) &&
    places
      .filter(({ at }) => isWithin(at, layer))
      .every(({ cell, at }) => shownAt(about(layer.axis, degrees, at)) === old.get(cell.id));
  const found = layers
    .sort((a, b) => a.to - a.from - (b.to - b.from))
    .filter((layer) => !whole(layer))
    .flatMap((layer) => ANGLES.filter((degrees) => explains(layer, degrees)).map((degrees) => ({ ...layer, degrees })));
  return found[0];
}

/** The inside of a body at a cut, seen from one side. */
function cap(cells: Cell[], axis: 0 | 1 | 2, at: number, side: 1 | -1): Cell {
  const size = Math.max(...cells.flatMap(cornersOf).flat().map(Math.abs));
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3] as [0 | 1 | 2, 0 | 1 | 2];
  const round: [number, number][] = [
    [-size, size],
    [size, size],
    [size, -size],
    [-size, -size],
  ];
  const corners = (side > 0 ? round : round.reverse()).map(([along, up]) => {
    const corner: Spot = [0, 0, 0];
    [corner[axis], corner[i], corner[j]] = [at, along, up];
    return corner;
  }) as [Spot, Spot, Spot, Spot];
  return { id: `inside:${at}:${side}`, x: 0, y: 0, shape: { type: 'facet', corners }, tone: INSIDE, inert: true };
}

/** A part of a body, from `low` to `high` along the axis of the twist; it is convex. */
export interface Part {
  area: Area;
  low: number;
  high: number;
}

/** The body in parts while its layer is `part` of the way, 0 to 1. */
export function partsOf(area: Area, twist: Twist, part: number): Part[] {
  const { axis, from, to, degrees } = twist;
  const places = area.cells.map((cell) => ({ cell, at: middle(cell)[axis] }));
  const [least, most] = [Math.min(...places.map(({ at }) => at)), Math.max(...places.map(({ at }) => at))];
  const slab = (low: number, high: number) => [
    ...places.filter(({ at }) => at > low - NEAR && at < high + NEAR).map(({ cell }) => cell),
    ...(low > least + NEAR ? [cap(area.cells, axis, low, -1)] : []),
    ...(high < most - NEAR ? [cap(area.cells, axis, high, 1)] : []),
  ];
  const left = -degrees * (1 - part);
  const turnedBack = (cell: Cell): Cell => {
    if (cell.shape.type !== 'facet') return cell;
    const corners = cell.shape.corners.map((corner) => about(axis, left, corner)) as [Spot, Spot, Spot, Spot];
    return { ...cell, shape: { ...cell.shape, corners } };
  };
  const parts = [
    { low: least, high: from, cells: slab(least, from) },
    { low: from, high: to, cells: slab(from, to).map(turnedBack) },
    { low: to, high: most, cells: slab(to, most) },
  ];
  return parts
    .filter(({ low, high }) => high - low > NEAR)
    .map(({ low, high, cells }) => ({ low, high, area: { ...area, cells } }));
}

/** A body whose layer is being twisted, `part` of the way: what is farther from the person's eye is drawn first. */
export function seenTwisted(area: Area, twist: Twist, part: number, turn: Turn): Area {
  const middle = reach(area);
  const axis = ([0, 1, 2] as const).map((i) => (i === twist.axis ? 1 : 0)) as Spot;
  const eye = DISTANCE * rotate(axis, turn)[2];
  const away = ({ low, high }: Part) => Math.max(low - eye, eye - high, 0);
  const parts = partsOf(area, twist, part).sort((a, b) => away(b) - away(a));
  return { ...seen(area, turn, middle), cells: parts.flatMap((one) => seen(one.area, turn, middle).cells) };
}
