/** What the server and the page say to each other: `docs/protocol.md` as types. */

export type Seat = number;

/** A colour by its meaning. */
export type Tone =
  | { seat: number }
  | { scale: number }
  | 'light'
  | 'dark'
  | 'accent'
  | 'plain'
  | 'neutral'
  | 'black'
  | 'white'
  | 'red'
  | 'yellow'
  | 'blue'
  | 'green'
  | 'orange'
  | 'purple';

export type Shape =
  | { type: 'square' }
  | { type: 'rect'; width: number; height: number }
  | { type: 'hexagon' }
  | { type: 'circle'; radius: number }
  | { type: 'card' }
  | { type: 'facet'; corners: [number, number, number][] }
  | Polygon;

/** A facet of a turned body as it is seen; made in the page, never sent. */
export interface Polygon {
  type: 'polygon';
  /** The corners, from its centre. */
  points: Point[];
  /** Half its sides' lengths before it is turned. */
  half: Point;
  /** What lays a text on it: the matrix of an SVG transform, without its shift. */
  lie: [number, number, number, number];
  /** How much of the light it misses, 0 to 1. */
  dark: number;
}

export interface Cell {
  id: string;
  x: number;
  y: number;
  shape: Shape;
  tone: Tone;
  touch?: string;
  label?: string;
  text?: string;
}

export type PieceKind =
  | 'disc'
  | 'slab'
  | 'king'
  | 'cross'
  | 'ring'
  | 'tile'
  | 'card'
  | 'card-back'
  | 'token'
  | 'die'
  | 'stick';

export interface Piece {
  cell: string;
  kind: PieceKind;
  tone: Tone;
  text?: string;
  dx?: number;
  dy?: number;
  size?: number;
}

export type Point = [number, number];

export interface Line {
  points: Point[];
  tone: Tone;
  width: number;
  id?: string;
  arrow?: boolean;
}

export interface Caption {
  x: number;
  y: number;
  text: string;
  size: number;
  coordinate?: boolean;
}

export interface Area {
  id: string;
  title: string;
  kind: 'board' | 'tray' | 'solid';
  seat?: Seat;
  width: number;
  height: number;
  cells: Cell[];
  lines?: Line[];
  pieces: Piece[];
  texts?: Caption[];
}

export interface Counter {
  seat?: Seat;
  label: string;
  value: string;
}

export interface PictureButton {
  id: string;
  label: string;
}

export interface Picture {
  areas: Area[];
  counters?: Counter[];
  buttons?: PictureButton[];
  notes?: string[];
}

export interface Touch {
  action: string;
  path: string[];
}

/** What a seat may choose, or what of it begins with the touches so far. */
export interface Choices {
  n_actions: number;
  /** All of it, where it is little; else `next`. */
  touches?: Touch[];
  /** The ids that may be touched next. */
  next?: string[];
  /** The ids that may be touched in any order where they follow one another. */
  any_order?: string[];
  /** Whether half-made choices have captions. */
  captions: boolean;
  /** The text of one of the actions. */
  example: string;
}

export type ParamKind =
  | { type: 'int'; min: number; max: number; step: number }
  | { type: 'bool' }
  | { type: 'choice'; options: string[] }
  | { type: 'list'; min_len: number; max_len: number; min: number; max: number };

export interface ParamSpec {
  name: string;
  kind: ParamKind;
  default: string | null;
  help: string;
}

export interface GameEntry {
  id: string;
  name: string;
  blurb: string;
  params: ParamSpec[];
  seats: number;
  /** The fewest and the most seats that it can have. */
  seat_range: [number, number];
  seat_names: string[];
  picture: Picture;
}

/** A part of a game's rules: Markdown, or a position to be drawn. */
export type Passage =
  | { type: 'text'; text: string }
  | { type: 'position'; spec: string; seats: string[]; picture: Picture; last: string[] };

export interface Description {
  spec: string;
  name: string;
  seats: string[];
  picture: Picture;
}

export interface AgentEntry {
  spec: string;
  name: string;
  help: string;
}

export type SeatRequest = { kind: 'me'; name?: string } | { kind: 'friend' } | { kind: 'engine'; agent: string };

export interface SeatKey {
  seat: Seat;
  kind: 'me' | 'friend';
  key: string;
}

export interface NewTable {
  table: string;
  keys: SeatKey[];
  seed_hash: string;
}

export interface Ply {
  by: Seat | 'chance';
  text: string;
}

export interface SeatView {
  name: string;
  occupant: string | null;
  kind: 'human' | 'engine';
  connected: boolean;
}

export interface Result {
  payoffs: number[];
  end: string;
  sentence: string;
}

export interface View {
  type: 'view';
  table: string;
  game: string;
  name: string;
  seats: SeatView[];
  you: Seat[];
  n_plies: number;
  plies_from: number;
  plies: Ply[];
  to_act: Seat[] | 'chance' | 'over';
  thinking: Seat[];
  picture: Picture;
  last: string[];
  choices: Record<string, Choices>;
  result: Result | null;
  seed_hash: string;
  seed: string | null;
  next_table: string | null;
}

export interface Look {
  type: 'look';
  id: string;
  n_plies: number;
  picture: Picture;
  last: string[];
}

/** What goes on from the touches that were asked about. */
export interface Narrowed extends Choices {
  type: 'narrowed';
  id: string;
  caption: string | null;
}

export interface ServerError {
  code: string;
  message: string;
}

export type ServerMessage =
  | View
  | Look
  | Narrowed
  | { type: 'ack'; id: string; n_plies?: number }
  | ({ type: 'error'; id?: string } & ServerError);

export type Command =
  | { type: 'play'; seat: Seat; action: string; n_plies: number }
  | { type: 'resign'; seat: Seat }
  | { type: 'rematch' }
  | { type: 'look'; n_plies: number }
  | { type: 'narrow'; seat: Seat; n_plies: number; touched: string[] };
