import { toasts } from './toasts.svelte';

/** Copies a text; where the browser does not allow that, shows it to be copied by hand. */
export async function copyText(text: string, news: string, title: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.news(news);
  } catch {
    prompt(title, text);
  }
}
