/** What a person has set for themselves, kept in local storage. */

export type Theme = 'auto' | 'light' | 'dark';

const NAME = 'raichi.name';
const THEME = 'raichi.theme';
const COORDINATES = 'raichi.coordinates';
const SOUNDS = 'raichi.sounds';

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
  #sounds = $state(load(SOUNDS) !== 'off');

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

  get sounds(): boolean {
    return this.#sounds;
  }
  set sounds(on: boolean) {
    this.#sounds = on;
    save(SOUNDS, on ? 'on' : 'off');
  }

  #show(theme: Theme): void {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }
}

export const settings = new Settings();
