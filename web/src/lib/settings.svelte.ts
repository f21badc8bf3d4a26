/** What a person has set for themselves, kept in local storage. */

export type Theme = 'auto' | 'light' | 'dark';

/** Sets of colours; style sheets know them by `data-colours`. */
export const COLOUR_SETS = ['birch', 'distinct', 'slate'] as const;
export type ColourSet = (typeof COLOUR_SETS)[number];

/** How pieces are told apart besides by their colours. */
export const PIECE_SETS = ['engraved', 'bold', 'plain'] as const;
export type PieceSet = (typeof PIECE_SETS)[number];

const NAME = 'raichi.name';
const THEME = 'raichi.theme';
const COORDINATES = 'raichi.coordinates';
const SOUNDS = 'raichi.sounds';
const COLOURS = 'raichi.colours';
const PIECES = 'raichi.pieces';
const TURNED = 'raichi.turned';
const PAUSES = 'raichi.pauses';
const WARNINGS = 'raichi.warnings';
const PREMOVES = 'raichi.premoves';
const SCORE_SHEET = 'raichi.score-sheet';
const CHARTS = 'raichi.charts';
const LETTERING = 'raichi.lettering.';

function load(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** What was kept, where it is one of these; else the first. */
function oneOf<T extends string>(all: readonly T[], key: string): T {
  const kept = load(key);
  return all.find((one) => one === kept) ?? (all[0] as T);
}

function save(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Private windows may refuse storage; the setting is then lost with the page.
  }
}

class Settings {
  #name = $state(load(NAME) ?? '');
  #theme = $state<Theme>((load(THEME) as Theme | null) ?? 'auto');
  #coordinates = $state(load(COORDINATES) !== 'off');
  #sounds = $state(load(SOUNDS) !== 'off');
  #colours = $state(oneOf(COLOUR_SETS, COLOURS));
  #pieces = $state(oneOf(PIECE_SETS, PIECES));
  #turned = $state(load(TURNED)?.split(' ').filter(Boolean) ?? []);
  #pauses = $state(load(PAUSES) !== 'off');
  #warnings = $state(load(WARNINGS) !== 'off');
  #premoves = $state(load(PREMOVES) !== 'off');
  #scoreSheet = $state(load(SCORE_SHEET) === 'on');
  #charts = $state(load(CHARTS)?.split(' ').filter(Boolean) ?? []);
  #letterings = $state<Record<string, string | null>>({});

  constructor() {
    this.#show(this.#theme);
    document.documentElement.dataset.colours = this.#colours;
  }

  get name(): string {
    return this.#name;
  }
  set name(name: string) {
    this.#name = name;
    save(NAME, name);
  }

  get theme(): Theme {
    return this.#theme;
  }
  set theme(theme: Theme) {
    this.#theme = theme;
    save(THEME, theme);
    this.#show(theme);
  }

  get coordinates(): boolean {
    return this.#coordinates;
  }
  set coordinates(on: boolean) {
    this.#coordinates = on;
    save(COORDINATES, on ? 'on' : 'off');
  }

  get sounds(): boolean {
    return this.#sounds;
  }
  set sounds(on: boolean) {
    this.#sounds = on;
    save(SOUNDS, on ? 'on' : 'off');
  }

  /** Whether the end of a round is held for a while. */
  get pauses(): boolean {
    return this.#pauses;
  }
  set pauses(on: boolean) {
    this.#pauses = on;
    save(PAUSES, on ? 'on' : 'off');
  }

  get colours(): ColourSet {
    return this.#colours;
  }
  set colours(set: ColourSet) {
    this.#colours = set;
    save(COLOURS, set);
    document.documentElement.dataset.colours = set;
  }

  get pieces(): PieceSet {
    return this.#pieces;
  }
  set pieces(set: PieceSet) {
    this.#pieces = set;
    save(PIECES, set);
  }

  /** Whether the boards of a game are seen from their other side. */
  isTurned(game: string): boolean {
    return this.#turned.includes(game);
  }
  turn(game: string): void {
    this.#turned = this.isTurned(game) ? this.#turned.filter((other) => other !== game) : [...this.#turned, game];
    save(TURNED, this.#turned.join(' '));
  }

  /** Whether an action that loses at once is asked about first. */
  get warnings(): boolean {
    return this.#warnings;
  }
  set warnings(on: boolean) {
    this.#warnings = on;
    save(WARNINGS, on ? 'on' : 'off');
  }

  /** Whether an action may be chosen before it is one's turn. */
  get premoves(): boolean {
    return this.#premoves;
  }
  set premoves(on: boolean) {
    this.#premoves = on;
    save(PREMOVES, on ? 'on' : 'off');
  }

  /** Whether plies are listed as a score sheet, where a game has one. */
  get scoreSheet(): boolean {
    return this.#scoreSheet;
  }
  set scoreSheet(on: boolean) {
    this.#scoreSheet = on;
    save(SCORE_SHEET, on ? 'on' : 'off');
  }

  /** Whether a chart, such as `GAME/CHART`, is open. */
  isOpen(chart: string): boolean {
    return this.#charts.includes(chart);
  }
  open(chart: string, open: boolean): void {
    if (open === this.isOpen(chart)) return;
    this.#charts = open ? [...this.#charts, chart] : this.#charts.filter((other) => other !== chart);
    save(CHARTS, this.#charts.join(' '));
  }
  /** Whether any chart of a game is open. */
  hasOpen(game: string): boolean {
    return this.#charts.some((chart) => chart.startsWith(`${game}/`));
  }

  /** The title of what is written on the pieces of a game; nothing where it was never chosen. */
  lettering(game: string): string | undefined {
    const chosen = this.#letterings[game];
    return (chosen === undefined ? load(LETTERING + game) : chosen) ?? undefined;
  }
  letter(game: string, title: string): void {
    this.#letterings[game] = title;
    save(LETTERING + game, title);
  }

  #show(theme: Theme): void {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }
}

export const settings = new Settings();
