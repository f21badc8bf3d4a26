/** Where the page lives. The server says so by `<base>`; everything in the page is addressed from there. */

/** The address of the lobby without its last slash: `https://games.example/raichi`. */
export function root(): string {
  return new URL('.', document.baseURI).href.replace(/\/$/, '');
}

/** The path below the page's own, such as `/t/TABLE`, of the path in an address, such as `/raichi/t/TABLE`. */
export function below(pathname: string): string {
  const own = new URL(root()).pathname.replace(/\/$/, '');
  return pathname.startsWith(`${own}/`) ? pathname.slice(own.length) : pathname === own ? '/' : pathname;
}
