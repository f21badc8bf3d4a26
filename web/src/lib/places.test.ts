import { expect, test } from 'vitest';
import { type Box, inOrder, tableLayout } from './places';

const CARDS = { width: 1.7, height: 1.1 };
const HANDS = { width: 4.3, height: 1.65 };
const MIDDLE = { width: 4.7, height: 1.2 };
const ROOMS = {
  'a large screen': { width: 1080, height: 740 },
  'a telephone upright': { width: 374, height: 600 },
  'a telephone lengthwise': { width: 590, height: 335 },
};

function overlap(a: Box, b: Box): boolean {
  return (
    a.x < b.x + b.width - 0.5 && b.x < a.x + a.width - 0.5 && a.y < b.y + b.height - 0.5 && b.y < a.y + a.height - 0.5
  );
}

for (const [name, room] of Object.entries(ROOMS)) {
  test(`on ${name} two to ten seats with cards sit apart, within the room, around the middle`, () => {
    for (let n = 1; n <= 9; n++) {
      const layout = tableLayout(room, MIDDLE, CARDS, Array(n).fill(CARDS));
      const boxes = [...layout.others, layout.own, layout.middle];
      expect(layout.others).toHaveLength(n);
      for (const [i, box] of boxes.entries()) {
        expect(box.x, `${n} others, box ${i}`).toBeGreaterThanOrEqual(-0.5);
        expect(box.y, `${n} others, box ${i}`).toBeGreaterThanOrEqual(-0.5);
        expect(box.x + box.width, `${n} others, box ${i}`).toBeLessThanOrEqual(room.width + 0.5);
        expect(box.y + box.height, `${n} others, box ${i}`).toBeLessThanOrEqual(room.height + 0.5);
        for (const [k, other] of boxes.entries())
          if (k > i)
            expect(overlap(box, other), `${n} others, boxes ${i} and ${k}: ${JSON.stringify([box, other])}`).toBe(
              false,
            );
      }
      // One's own cards are the largest, and the middle can be read.
      expect(layout.ownUnit).toBeGreaterThan(layout.unit);
      expect(layout.middle.width / MIDDLE.width).toBeGreaterThanOrEqual(39);
    }
  });
}

test('rows of hands find their places too', () => {
  for (let n = 0; n <= 6; n++) {
    const layout = tableLayout(ROOMS['a large screen'], { width: 3.7, height: 1.75 }, HANDS, Array(n).fill(HANDS));
    const boxes = [...layout.others, layout.own, layout.middle];
    for (const [i, box] of boxes.entries())
      for (const other of boxes.slice(i + 1)) expect(overlap(box, other), `${n} others`).toBe(false);
  }
});

test('who plays alone has larger cards, and everybody room for a name', () => {
  for (const [name, room] of Object.entries(ROOMS)) {
    const alone = tableLayout(room, { width: 3.7, height: 1.75 }, HANDS, []);
    const two = tableLayout(room, { width: 3.7, height: 1.75 }, HANDS, [HANDS]);
    expect(alone.ownUnit, name).toBeGreaterThanOrEqual(two.ownUnit);
    const { own, ownUnit } = tableLayout(room, MIDDLE, CARDS, [CARDS]);
    expect(own.width - CARDS.width * ownUnit, name).toBeGreaterThan(120);
  }
});

test('the next in the order of play sits to the left, the last to the right', () => {
  const { others, own } = tableLayout(ROOMS['a large screen'], MIDDLE, CARDS, Array(5).fill(CARDS));
  const [first, last] = [others[0] as Box, others[4] as Box];
  expect(first.x).toBeLessThan(own.x);
  expect(last.x).toBeGreaterThan(own.x);
  expect((others[2] as Box).y).toBeLessThan(first.y);
  expect(inOrder(2, 4)).toEqual([2, 3, 0, 1]);
});
