/** Boards seen from another side: all of a board is turned, while what lies on it stays upright. */

import type * as drawn from './drawn';
import type { Area } from './wire';

/** By half a turn: seen from the other side. */
export function turnedAbout(area: Area): Area {
  const { width, height } = area;
  const there = <T extends { x: number; y: number }>(thing: T): T => ({
    ...thing,
    x: width - thing.x,
    y: height - thing.y,
  });
  return {
    ...area,
    cells: area.cells.map(there),
    ...(area.lines && {
      lines: area.lines.map((line) => ({
        ...line,
        points: line.points.map(([x, y]): [number, number] => [width - x, height - y]),
      })),
    }),
    ...(area.texts && { texts: area.texts.map(there) }),
  };
}

/** By a quarter of a turn: a wide board stands upright on a narrow screen. */
export function setUpright(area: drawn.Area): drawn.Area {
  const there = <T extends { x: number; y: number }>(thing: T): T => ({
    ...thing,
    x: area.height - thing.y,
    y: thing.x,
  });
  return {
    ...area,
    width: area.height,
    height: area.width,
    cells: area.cells.map((cell) => ({ ...there(cell), shape: turned(cell.shape) })),
    ...(area.lines && {
      lines: area.lines.map((line) => ({
        ...line,
        points: line.points.map(([x, y]): [number, number] => [area.height - y, x]),
      })),
    }),
    ...(area.texts && { texts: area.texts.map(there) }),
  };
}

function turned(shape: drawn.Shape): drawn.Shape {
  if (shape.type === 'rect') return { ...shape, width: shape.height, height: shape.width };
  return shape.type === 'hexagon' ? { type: 'hexagon', flat: true } : shape;
}
