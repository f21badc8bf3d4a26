/** Which part of the page an address shows, told without what that part needs. */

/** Whether a path is that of an analysis, or of a position to be set up. */
export function isAnalysis(pathname: string): boolean {
  return /^\/analysis\/?$/.test(pathname) || isSetUp(pathname);
}

/** What an analysis is of, the same however its address writes it. Those who are asked are no part of it. */
export function analysisAt(pathname: string, search: string): string {
  const query = new URLSearchParams(search);
  query.delete('agent');
  query.sort();
  return `${pathname}?${query}`;
}

export function isSetUp(pathname: string): boolean {
  return /^\/setup\/?$/.test(pathname);
}

/** Whether a path is that of the games that have problems. */
export function isProblems(pathname: string): boolean {
  return /^\/problems\/?$/.test(pathname);
}

/** Whether this server has a lab: its page says so. */
export const hasLab = (): boolean => document.querySelector('meta[name="lab"]') !== null;

/** The page of the lab at a path: `''` for the first, `tournament`, `run/ID`. */
export function labPage(pathname: string): string | undefined {
  const match = /^\/lab(?:\/(.*?))?\/?$/.exec(pathname);
  return match ? (match[1] ?? '') : undefined;
}
