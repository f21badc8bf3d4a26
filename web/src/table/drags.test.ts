// @vitest-environment happy-dom

import { expect, test, vi } from 'vitest';
import { drags } from './drags';

function pointer(type: string, x: number, y: number): PointerEvent {
  return new PointerEvent(type, { pointerId: 1, isPrimary: true, button: 0, clientX: x, clientY: y, bubbles: true });
}

function setUp() {
  const element = document.createElement('div');
  const inner = element.appendChild(document.createElement('b'));
  const [ondrag, onclick] = [vi.fn(), vi.fn()];
  inner.addEventListener('click', onclick);
  const end = drags(ondrag)(element);
  return { element, inner, ondrag, onclick, end };
}

test('a drag is told step by step, and ends in no click', () => {
  const { inner, ondrag, onclick } = setUp();
  inner.dispatchEvent(pointer('pointerdown', 10, 10));
  inner.dispatchEvent(pointer('pointermove', 14, 10));
  expect(ondrag).not.toHaveBeenCalled();
  inner.dispatchEvent(pointer('pointermove', 30, 15));
  inner.dispatchEvent(pointer('pointermove', 31, 18));
  expect(ondrag.mock.calls).toEqual([
    [20, 5],
    [1, 3],
  ]);
  inner.dispatchEvent(pointer('pointerup', 31, 18));
  inner.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  expect(onclick).not.toHaveBeenCalled();
});

test('a tap remains a click', () => {
  const { inner, ondrag, onclick } = setUp();
  inner.dispatchEvent(pointer('pointerdown', 10, 10));
  inner.dispatchEvent(pointer('pointermove', 13, 12));
  inner.dispatchEvent(pointer('pointerup', 13, 12));
  inner.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  expect(ondrag).not.toHaveBeenCalled();
  expect(onclick).toHaveBeenCalledOnce();
});
