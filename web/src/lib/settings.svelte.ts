/** What a person has set for themselves, kept in local storage. */

export type Theme = 'auto' | 'light' | 'dark';

const NAME = 'raichi.name';
const THEME = 'raichi.theme';
const COORDINATES = 'raichi.coordinates';
const WARNINGS = 'raichi.warnings';

function load(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
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
  #warnings = $state(load(WARNINGS) !== 'off');

  constructor() {
    this.#show(this.#theme);
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

  /** Whether an action that loses at once is asked about first. */
  get warnings(): boolean {
    return this.#warnings;
  }
  set warnings(on: boolean) {
    this.#warnings = on;
    save(WARNINGS, on ? 'on' : 'off');
  }

  #show(theme: Theme): void {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }
}

export const settings = new Settings();
