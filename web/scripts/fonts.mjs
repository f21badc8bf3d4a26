/*
 * Cuts the fonts into what every page needs and the rest: `npm run fonts` writes src/fonts/ again.
 *
 * Each face is two files. `basic` has the characters of English text as the page writes it; a browser loads `more`
 * only when a character of it occurs, such as an accent in somebody's name. Together they are the whole `latin` file
 * that Fontsource ships, so no character is lost. The features are those that the page uses: kerning, ligatures,
 * and figures that are as high as capitals and stand in columns.
 */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);
const FOLDER = join(import.meta.dirname, '../src/fonts');
const FEATURES = ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'lnum', 'tnum'];
/** Letters, figures and the punctuation of sentences, with the dashes and quotation marks of well-set English. */
const PROSE =
  'U+0020-0022,U+0026-0029,U+002C-002E,U+0030-003B,U+003F,U+0041-005A,U+0061-007A,U+00A0,U+00B7,U+2013-2014,U+2018-2019,U+201C-201D,U+2026';
/** And the rest of ASCII, × ½ −, for formulas and notation. */
const TEXT = `${PROSE},U+0023-0025,U+002A-002B,U+002F,U+003C-003E,U+0040,U+005B-0060,U+007B-007E,U+00BD,U+00D7,U+2212`;

const FACES = [
  { family: 'IM Fell DW Pica', source: 'im-fell-dw-pica', weight: 400, style: 'normal', basic: PROSE },
  { family: 'IM Fell DW Pica', source: 'im-fell-dw-pica', weight: 400, style: 'italic', basic: PROSE },
  { family: 'IM Fell DW Pica SC', source: 'im-fell-dw-pica-sc', weight: 400, style: 'normal', basic: PROSE },
  { family: 'Alegreya Sans', source: 'alegreya-sans', weight: 400, style: 'normal', basic: TEXT },
  { family: 'Alegreya Sans', source: 'alegreya-sans', weight: 400, style: 'italic', basic: TEXT },
  { family: 'Alegreya Sans', source: 'alegreya-sans', weight: 500, style: 'normal', basic: TEXT },
  { family: 'Alegreya Sans', source: 'alegreya-sans', weight: 700, style: 'normal', basic: TEXT },
];

/** The code points of a `unicode-range`. */
function pointsOf(range) {
  return range.split(',').flatMap((part) => {
    const [first, last = first] = part
      .replace('U+', '')
      .split('-')
      .map((digits) => Number.parseInt(digits, 16));
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** The `unicode-range` of ascending code points. */
function rangeOf(points) {
  const runs = [];
  for (const point of points) {
    const run = runs.at(-1);
    if (run && point === run.last + 1) run.last = point;
    else runs.push({ first: point, last: point });
  }
  const hex = (point) => point.toString(16).toUpperCase().padStart(4, '0');
  return runs.map(({ first, last }) => `U+${hex(first)}${last > first ? `-${hex(last)}` : ''}`).join(',');
}

let css =
  '/* Written by scripts/fonts.mjs (`npm run fonts`). The text is shown in another font until these are there. */\n';
await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });

for (const { family, source, weight, style, basic } of FACES) {
  const inBasic = new Set(pointsOf(basic));
  const home = dirname(require.resolve(`@fontsource/${source}/package.json`));
  const whole = await readFile(join(home, `files/${source}-latin-${weight}-${style}.woff2`));
  const latin = pointsOf(JSON.parse(await readFile(join(home, 'unicode.json'), 'utf8')).latin);
  const parts = {
    basic: latin.filter((point) => inBasic.has(point)),
    more: latin.filter((point) => !inBasic.has(point)),
  };
  for (const [name, points] of Object.entries(parts)) {
    const file = `${source}-${weight}-${style}-${name}.woff2`;
    const options = { targetFormat: 'woff2', keepFeatures: FEATURES };
    const cut = await subsetFont(whole, String.fromCodePoint(...points), options);
    await writeFile(join(FOLDER, file), cut);
    process.stdout.write(`${file}: ${cut.length} of ${whole.length} bytes\n`);
    css += `
@font-face {
  font-family: "${family}";
  font-style: ${style};
  font-weight: ${weight};
  font-display: swap;
  src: url("./fonts/${file}") format("woff2");
  unicode-range: ${rangeOf(points).replaceAll(',', ', ')};
}
`;
  }
}
await writeFile(join(FOLDER, '../fonts.css'), css);
