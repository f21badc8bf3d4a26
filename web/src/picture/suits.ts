/** The four suits as outlines in a box of one unit around the origin. */

export type Suit = 'c' | 'd' | 'h' | 's';

export const SUIT_PATHS: Record<Suit, string> = {
  h: 'M0 .47 C-.12 .3 -.47 .08 -.47 -.19 C-.47 -.37 -.34 -.47 -.22 -.47 C-.1 -.47 -.03 -.39 0 -.29 C.03 -.39 .1 -.47 .22 -.47 C.34 -.47 .47 -.37 .47 -.19 C.47 .08 .12 .3 0 .47 Z',
  d: 'M0 -.5 C.1 -.3 .22 -.13 .38 0 C.22 .13 .1 .3 0 .5 C-.1 .3 -.22 .13 -.38 0 C-.22 -.13 -.1 -.3 0 -.5 Z',
  s: 'M0 -.5 C.1 -.3 .46 -.12 .46 .14 C.46 .28 .36 .36 .25 .36 C.16 .36 .09 .31 .05 .24 C.06 .35 .1 .43 .17 .48 L-.17 .48 C-.1 .43 -.06 .35 -.05 .24 C-.09 .31 -.16 .36 -.25 .36 C-.36 .36 -.46 .28 -.46 .14 C-.46 -.12 -.1 -.3 0 -.5 Z',
  c: 'M0 -.5 C.13 -.5 .22 -.4 .22 -.28 C.22 -.2 .18 -.13 .12 -.09 C.16 -.1 .2 -.11 .24 -.11 C.37 -.11 .47 -.01 .47 .12 C.47 .25 .37 .35 .24 .35 C.15 .35 .08 .3 .04 .23 C.05 .34 .09 .43 .16 .48 L-.16 .48 C-.09 .43 -.05 .34 -.04 .23 C-.08 .3 -.15 .35 -.24 .35 C-.37 .35 -.47 .25 -.47 .12 C-.47 -.01 -.37 -.11 -.24 -.11 C-.2 -.11 -.16 -.1 -.12 -.09 C-.18 -.13 -.22 -.2 -.22 -.28 C-.22 -.4 -.13 -.5 0 -.5 Z',
};

/** Where the pips of the number cards stand, in a field of one unit around the origin; those below it stand on their heads. */
export const PIPS: Record<string, [x: number, y: number][]> = (() => {
  const [left, right] = [-0.32, 0.32];
  const pair = (y: number): [number, number][] => [
    [left, y],
    [right, y],
  ];
  const two: [number, number][] = [
    [0, -0.42],
    [0, 0.42],
  ];
  const four = [...pair(-0.42), ...pair(0.42)];
  const six = [...four, ...pair(0)];
  const eight = [...four, ...pair(-0.14), ...pair(0.14)];
  return {
    A: [[0, 0]],
    '2': two,
    '3': [...two, [0, 0]],
    '4': four,
    '5': [...four, [0, 0]],
    '6': six,
    '7': [...six, [0, -0.21]],
    '8': [...six, [0, -0.21], [0, 0.21]],
    '9': [...eight, [0, 0]],
    T: [...eight, [0, -0.28], [0, 0.28]],
  };
})();
