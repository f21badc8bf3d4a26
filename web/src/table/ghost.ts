/** Drawings of pieces that are neither here nor there: carried by a pointer, or on their way. */

/** A copy of an area's drawing with nothing in it, over the place of the drawing, whatever clips that. */
export function sheetOver(svg: SVGSVGElement): SVGSVGElement {
  const sheet = svg.cloneNode(false) as SVGSVGElement;
  for (const name of ['role', 'aria-label']) sheet.removeAttribute(name);
  sheet.setAttribute('aria-hidden', 'true');
  const { left, top, width, height } = svg.getBoundingClientRect();
  Object.assign(sheet.style, {
    position: 'fixed',
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    zIndex: '15',
    pointerEvents: 'none',
  });
  sheet.classList.add('ghost');
  return sheet;
}

/** Where a point of the drawing is on the screen. */
export function onScreen(svg: SVGGraphicsElement, x: number, y: number): DOMPoint {
  return new DOMPoint(x, y).matrixTransform(svg.getScreenCTM() ?? new DOMMatrix());
}
