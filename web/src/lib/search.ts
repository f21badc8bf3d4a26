/** Finding a game by any of its names. */

import type { GameEntry } from './wire';

/** Without accents and signs, so that `four in a row` finds `Four-in-a-Row`. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

type Named = Pick<GameEntry, 'id' | 'name' | 'blurb'> & { aliases?: string[] };

/** Whether every word of `wanted` occurs in what the game is called or described as. */
export function isNamed({ id, name, blurb, aliases = [] }: Named, wanted: string): boolean {
  const said = plain([name, id, ...aliases, blurb].join(' '));
  return plain(wanted)
    .split(' ')
    .every((word) => said.includes(word));
}
