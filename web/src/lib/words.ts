/** What a screen reader says of things that have no text of their own. */

import type { Picture, Piece, Tone } from './wire';

const RANKS: Record<string, string> = {
  A: 'ace',
  K: 'king',
  Q: 'queen',
  J: 'jack',
  T: 'ten',
  '9': 'nine',
  '8': 'eight',
  '7': 'seven',
  '6': 'six',
  '5': 'five',
  '4': 'four',
  '3': 'three',
  '2': 'two',
};

const SUITS: Record<string, string> = { c: 'clubs', d: 'diamonds', h: 'hearts', s: 'spades' };

/** The rank and suit of a card's text, where it is one of a French deck. */
export function frenchCard(text: string | undefined): { rank: string; suit: 'c' | 'd' | 'h' | 's' } | undefined {
  const match = /^(10|[2-9TJQKA])([cdhs])$/.exec(text ?? '');
  if (!match?.[1] || !match[2]) return undefined;
  return { rank: match[1] === '10' ? 'T' : match[1], suit: match[2] as 'c' | 'd' | 'h' | 's' };
}

export function toneWord(tone: Tone, seats: string[]): string {
  if (typeof tone === 'string') return ['plain', 'light', 'dark', 'accent'].includes(tone) ? '' : tone;
  return 'seat' in tone ? (seats[tone.seat] ?? `seat ${tone.seat + 1}`) : '';
}

/** A piece in words: `White king`, `ace of spades`. */
export function pieceWords(piece: Piece, seats: string[]): string {
  const card = piece.kind === 'card' ? frenchCard(piece.text) : undefined;
  if (card) return `${RANKS[card.rank]} of ${SUITS[card.suit]}`;
  if (piece.kind === 'card-back') return 'a card face down';
  const kind = piece.kind === 'slab' ? 'piece' : piece.kind;
  return [toneWord(piece.tone, seats), kind, piece.text].filter((word) => word).join(' ');
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** `one seat`, `two seats`, `two to ten seats`. */
export function seatsWord([fewest, most]: [number, number]): string {
  const word = (n: number) => NUMBERS[n] ?? String(n);
  if (fewest < most) return `${word(fewest)} to ${word(most)} seats`;
  return most === 1 ? 'one seat' : `${word(most)} seats`;
}

/** Whether a cell's label already says that the piece lies there. */
export function isMentioned(piece: Piece, label: string, seats: string[]): boolean {
  const said = label.toLowerCase();
  if (piece.kind === 'card' && frenchCard(piece.text)) return said.includes(pieceWords(piece, seats));
  const owner = toneWord(piece.tone, seats).toLowerCase().replace(/s$/, '');
  const words = [owner, piece.kind.replace('-', ' '), piece.text?.toLowerCase()];
  return words.some((word) => !!word && said.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word)));
}

/** The names of what was touched: a button by its label, other things by their id. */
export function touchWords(picture: Picture | undefined, touched: string[]): string[] {
  return touched.map((id) => picture?.buttons?.find((button) => button.id === id)?.label ?? id);
}
