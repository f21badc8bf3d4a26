/** Where everything lies on a table around which seats sit, in dots: the person's own place at the near side. */

import type { Area } from './drawn';
import type { Room } from './layout';

export interface Box extends Room {
  /** The top left corner. */
  x: number;
  y: number;
}

/** What lies at a seat, in units; several trays stand below each other. */
export interface Hand {
  width: number;
  height: number;
}

export interface TableLayout {
  /** The others' places, in the order of play from the person's own on: clockwise, the first to the left. */
  others: Box[];
  own: Box;
  middle: Box;
  /** Dots a unit of the others' hands and of one's own. */
  unit: number;
  ownUnit: number;
  /** How wide the words in the middle may be. */
  wordsWidth: number;
  /** Whether places stand close above each other, beside nothing of the middle. */
  crowded: boolean;
}

const GAP = 8;
/** Dots a unit of hands: what can just be read, and what is large enough. */
const LEAST = 24;
const MOST = 84;
const MOST_OWN = 130;
/** The least dots a unit at which the middle may stand between the seats at the sides. */
const LEAST_BETWEEN = 40;
const MOST_MIDDLE = 118;
/**
 * Words at a place, in their own size: the width of a name, and the height of a name with its counters and badges.
 * One's own have more room where there is some.
 */
const WORDS: Room = { width: 6, height: 3 };
const OWN_WORDS = 9;
const SMALLEST_WORDS = 14;
const LARGEST_WORDS = 18;
/** Rims of a place. */
const RIM: Room = { width: 14, height: 10 };
/** Words in the middle of the table, below what lies there: the pot, a note. */
const MIDDLE_WORDS = 54;
/** How large the others' hands may be drawn beside one's own. */
const OTHERS = 0.76;
/** The part of the height that one's own place may take, with its words beside or below its hand, or with nobody opposite. */
const OWN_SHARE = { beside: 0.3, below: 0.38, alone: 0.47 };

/** The seats from one's own on, in the order of play. */
export function inOrder(own: number, nSeats: number): number[] {
  return Array.from({ length: nSeats }, (_, i) => (own + i) % nSeats);
}

/** Whether a place has its words beside its hand rather than below it. */
export function isBeside({ width, height }: Hand): boolean {
  return width <= 2 * height;
}

/** What a seat's trays take together. */
export function handOf(trays: Pick<Area, 'width' | 'height'>[]): Hand {
  return {
    width: Math.max(0, ...trays.map(({ width }) => width)),
    height: trays.reduce((sum, { height }) => sum + height, 0),
  };
}

/** How large words are written at the others' places, beside hands of so many dots a unit. */
export function wordsSize(unit: number): number {
  return Math.min(LARGEST_WORDS, Math.max(SMALLEST_WORDS, unit * 0.24));
}

/** How large a place is at so many dots a unit. */
function placeSize(hand: Hand, unit: number, widest = WORDS.width): Room {
  const [width, height] = [hand.width * unit, hand.height * unit];
  const words = { width: widest * wordsSize(unit), height: WORDS.height * wordsSize(unit) };
  return isBeside(hand)
    ? { width: width + words.width + RIM.width, height: Math.max(height, words.height) + RIM.height }
    : { width: Math.max(width, words.width + 40) + RIM.width, height: height + words.height + RIM.height };
}

/** The largest of places. */
function largest(sizes: Room[]): Room {
  return {
    width: Math.max(0, ...sizes.map(({ width }) => width)),
    height: Math.max(0, ...sizes.map(({ height }) => height)),
  };
}

/** How many of so many others sit at each side; the rest sit opposite, at most `most` in a row. */
function pairs(nOthers: number, most: number): number {
  const few = nOthers <= 2 ? 0 : nOthers <= 6 ? 1 : 2;
  return Math.max(few, Math.ceil((nOthers - most) / 2));
}

/** The layout whose hands are as large as the room allows; where it allows none, what is least. */
export function tableLayout(room: Room, middle: Hand, own: Hand, others: Hand[]): TableLayout {
  for (let unit = MOST; unit > LEAST; unit -= 2) {
    const layout = attempt(room, middle, own, others, unit);
    if (layout) return layout;
  }
  return attempt(room, middle, own, others, LEAST, true) as TableLayout;
}

function attempt(
  room: Room,
  middle: Hand,
  own: Hand,
  others: Hand[],
  unit: number,
  forced = false,
): TableLayout | undefined {
  const size = largest(others.map((hand) => placeSize(hand, unit)));
  const nAcross = Math.max(1, Math.floor((room.width + GAP) / (size.width + GAP)));
  const nPairs = pairs(others.length, nAcross);
  const nOpposite = others.length - 2 * nPairs;
  const opposite = nOpposite > 0 ? size.height + GAP : 0;

  const ownUnit = ownUnitIn(room, own, unit, others.length === 0);
  const between = room.width - 2 * (size.width + GAP);
  const isBetween = nPairs === 0 || between >= middle.width * LEAST_BETWEEN;
  const least = placeSize(own, ownUnit);
  const wide = placeSize(own, ownUnit, OWN_WORDS).width;
  const free = nPairs > 0 && isBetween ? between : room.width;
  const ownSize = { ...least, width: Math.max(least.width, Math.min(wide, free)) };

  // Beside the middle the pairs take no height of their own; else the last pair sits below it, the others above.
  const nBelow = isBetween ? 0 : Math.min(1, nPairs);
  const nAbove = isBetween ? 0 : nPairs - nBelow;
  const row = size.height + GAP;
  const top = opposite + nAbove * row;
  const bottom = room.height - ownSize.height - GAP - nBelow * row;
  const middleWidth = isBetween && nPairs > 0 ? between : room.width * 0.9;
  const middleUnit = Math.min(
    MOST_MIDDLE,
    middleWidth / middle.width,
    (bottom - top - MIDDLE_WORDS - GAP) / middle.height,
  );
  const sides = room.height - opposite - (isBetween ? 0 : ownSize.height + GAP);
  const fits =
    unit <= ownUnit * OTHERS &&
    (others.length === 0 || room.width >= (nPairs > 0 ? 2 * size.width + GAP : size.width)) &&
    middleUnit >= Math.min(LEAST_BETWEEN, middleWidth / middle.width) &&
    (!isBetween || nPairs * row - GAP <= sides) &&
    (nPairs === 0 || !isBetween || ownSize.width + 2 * (size.width + GAP) <= room.width);
  if (!fits && !forced) return undefined;

  const middleSize = {
    width: middle.width * Math.max(middleUnit, 20),
    height: middle.height * Math.max(middleUnit, 20) + MIDDLE_WORDS,
  };
  const middleBox = {
    ...middleSize,
    x: (room.width - middleSize.width) / 2,
    y: top + Math.max(0, (bottom - top - middleSize.height) / 2),
  };
  const seatRows = isBetween
    ? spread(nPairs, opposite, room.height - ownSize.height * 0.35, size.height)
    : [...rowsFrom(opposite, nAbove, row), ...rowsFrom(bottom + GAP, nBelow, row)];
  // The row opposite bends towards the person at its ends, as far as nothing is in its way.
  const bend = Math.max(0, Math.min(60, Math.min(middleBox.y, seatRows[0] ?? middleBox.y) - size.height - GAP));
  return {
    unit,
    ownUnit,
    wordsWidth: middleWidth,
    crowded: !isBetween,
    middle: middleBox,
    own: { ...ownSize, x: (room.width - ownSize.width) / 2, y: room.height - ownSize.height },
    others: seated(room, size, seatRows, nOpposite, bend),
  };
}

function ownUnitIn(room: Room, own: Hand, unit: number, alone: boolean): number {
  const words = wordsSize(MOST);
  const beside = isBeside(own);
  const share = OWN_SHARE[beside ? 'beside' : alone ? 'alone' : 'below'];
  const high = (room.height * share - RIM.height - (beside ? 0 : WORDS.height * words)) / own.height;
  const wide = (room.width - RIM.width - (beside ? WORDS.width * words : 0)) / own.width;
  return Math.max(Math.min(unit, wide), Math.min(MOST_OWN, high, wide));
}

/** The tops of so many rows, one after the other. */
function rowsFrom(top: number, n: number, row: number): number[] {
  return Array.from({ length: n }, (_, i) => top + i * row);
}

/** The tops of so many rows, spread between these heights. */
function spread(n: number, top: number, bottom: number, height: number): number[] {
  const step = (bottom - top) / Math.max(1, n);
  return Array.from({ length: n }, (_, i) => top + i * step + (step - height) / 2);
}

/** The others' places: up the left side, across, down the right side. */
function seated(room: Room, size: Room, rows: number[], nOpposite: number, bend: number): Box[] {
  const left = [...rows].reverse().map((y) => ({ ...size, x: 0, y }));
  const right = rows.map((y) => ({ ...size, x: room.width - size.width, y }));
  const step = room.width / Math.max(1, nOpposite);
  // Not as far apart as they could sit: they face the person.
  const apart = Math.max(size.width + GAP, Math.min(step, size.width * 1.9));
  const across = Array.from({ length: nOpposite }, (_, i) => {
    const aside = i - (nOpposite - 1) / 2;
    const far = nOpposite > 1 ? aside / ((nOpposite - 1) / 2) : 0;
    return { ...size, x: room.width / 2 + aside * Math.min(apart, step) - size.width / 2, y: bend * far * far };
  });
  return [...left, ...across, ...right];
}
