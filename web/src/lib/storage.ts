/** Where this browser keeps things. Where it lets nobody keep anything, they last as long as the page. */

class Memory implements Storage {
  #kept = new Map<string, string>();

  get length(): number {
    return this.#kept.size;
  }

  key(index: number): string | null {
    return [...this.#kept.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.#kept.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#kept.set(key, value);
  }

  removeItem(key: string): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }
}

/** The browser's own storage; looking at it is an error where it is forbidden to the page. */
export function storageOf(browser: { readonly localStorage: Storage }): Storage {
  try {
    return browser.localStorage;
  } catch {
    return new Memory();
  }
}

export const storage = storageOf(globalThis);
