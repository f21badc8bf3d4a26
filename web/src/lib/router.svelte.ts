/** Which page is shown: the lobby, or a table. */

import { below, root } from './base';

class Router {
  /** The path below the page's base. */
  pathname = $state(below(location.pathname));
  search = $state(location.search);
  hash = $state(location.hash);

  constructor() {
    addEventListener('popstate', () => this.#read());
    addEventListener('hashchange', () => this.#read());
  }

  /** Goes to another page, such as `/t/TABLE`, as a link would. */
  go(path: string): void {
    this.#show(path, (address) => history.pushState({ within: true }, '', address));
  }

  /** Goes to another page in place of this one, which the Back button then passes over. */
  replace(path: string): void {
    this.#show(path, (address) => history.replaceState(history.state, '', address));
  }

  /** Goes back to where `go` came from, or to `path` where the visitor came from elsewhere. */
  leave(path: string): void {
    if ((history.state as { within?: boolean } | null)?.within) history.back();
    else this.replace(path);
  }

  /** Removes the fragment from the address bar and from the history. */
  dropHash(): void {
    history.replaceState(null, '', location.pathname + location.search);
    this.#read();
  }

  #show(path: string, enter: (address: URL) => void): void {
    const address = new URL(root() + path);
    const samePage = address.pathname === location.pathname;
    enter(address);
    this.#read();
    if (!samePage) scrollTo(0, 0);
  }

  #read(): void {
    this.pathname = below(location.pathname);
    this.search = location.search;
    this.hash = location.hash;
  }
}

export const router = new Router();

/** For `onclick` of a link within the page: leaves clicks that open new tabs to the browser. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = event.currentTarget as HTMLAnchorElement;
  event.preventDefault();
  router.go(below(link.pathname) + link.search + link.hash);
}
