/** Short messages that come and go. */

export interface Toast {
  id: number;
  text: string;
  kind: 'error' | 'news';
}

const ERROR_MS = 7_000;
const NEWS_MS = 3_500;

class Toasts {
  list = $state<Toast[]>([]);
  #last = 0;

  error(text: string): void {
    this.#add(text, 'error', ERROR_MS);
  }

  news(text: string): void {
    this.#add(text, 'news', NEWS_MS);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  #add(text: string, kind: Toast['kind'], ms: number): void {
    this.#last += 1;
    const id = this.#last;
    // The same sentence twice says nothing new.
    this.list = [...this.list.filter((toast) => toast.text !== text), { id, text, kind }].slice(-4);
    setTimeout(() => this.dismiss(id), ms);
  }
}

export const toasts = new Toasts();
