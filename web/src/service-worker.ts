/*
 * Keeps the page's own files, so that it opens without a network and says that the server is out of reach.
 *
 * What comes from the server's games and tables is never kept: requests to `api/` and `ws/` are not touched here.
 * A page is asked for over the network first, so it is always the one that belongs to the server; the kept one is shown
 * only where that fails. A new version is kept beside the old one and takes over when no page of the old one is open:
 * a page never finds that the scripts it has yet to load are gone.
 */

interface Extendable extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

// The build writes what these two are.
const VERSION = '__VERSION__';
const FILES = '__SHELL__'.split(' ');

const worker = self as unknown as Window & { registration: { scope: string } };
const { scope } = worker.registration;
const PREFIX = `raichi ${scope} `;
const CACHE = PREFIX + VERSION;
/** The page without any data in it. */
const PAGE = new URL('index.html', scope).href;
const ASSETS = new URL('assets/', scope).href;
const API = new URL('api/', scope).href;
const OTHERS = ['favicon.svg', 'raichi.webmanifest', 'icons/192.png'];

worker.addEventListener('install', (event) => {
  const addresses = [...FILES, ...OTHERS].map((name) => new URL(name, scope).href);
  const keep = async () => {
    const cache = await caches.open(CACHE);
    await cache.add(new Request(PAGE, { cache: 'no-cache' }));
    await cache.addAll(addresses);
  };
  (event as Extendable).waitUntil(keep());
});

worker.addEventListener('activate', (event) => {
  const drop = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
  };
  (event as Extendable).waitUntil(drop());
});

worker.addEventListener('fetch', (event) => {
  const fetching = event as Fetching;
  const { method, mode, url } = fetching.request;
  if (method !== 'GET') return;
  // A record is downloaded by a navigation.
  if (mode === 'navigate' && !url.startsWith(API)) fetching.respondWith(networkFirst(fetching.request));
  else if (url.startsWith(ASSETS) || OTHERS.includes(url.slice(scope.length))) {
    fetching.respondWith(keptFirst(fetching.request));
  }
});

async function networkFirst(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const page = await (await caches.open(CACHE)).match(PAGE, { ignoreVary: true });
    if (page) return page;
    throw error;
  }
}

async function keptFirst(request: Request): Promise<Response> {
  return (await (await caches.open(CACHE)).match(request, { ignoreVary: true })) ?? fetch(request);
}
