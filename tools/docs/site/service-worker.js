// Stores the site below its own address. A new version is fetched whole, and replaces the one in use when its last page
// is closed, because scripts and their parts must be of one version. Large files are stored when they are first used.
/* global SITE, caches, Headers, Request, self */
const { version, files, later } = SITE; // the build puts them here
const scope = new URL('./', self.location).href;
const prefix = `foveola-site ${scope} `;
const name = prefix + version;

async function store() {
  const cache = await caches.open(name);
  await cache.addAll(files.map((file) => new Request(new URL(file, scope), { cache: 'reload' })));
}

async function forgetOthers() {
  const old = (await caches.keys()).filter((other) => other.startsWith(prefix) && other !== name);
  await Promise.all(old.map((other) => caches.delete(other)));
  await self.clients.claim();
}

/** Videos ask for a range of bytes. */
async function rangeOf(response, range) {
  const bytes = await response.arrayBuffer();
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  const start = from ? Number(from) : bytes.byteLength - Number(to);
  const end = from && to ? Math.min(Number(to) + 1, bytes.byteLength) : bytes.byteLength;
  const headers = new Headers(response.headers);
  headers.set('Content-Range', `bytes ${start}-${end - 1}/${bytes.byteLength}`);
  headers.set('Content-Length', `${end - start}`);
  return new Response(bytes.slice(start, end), { status: 206, headers });
}

async function answer(request) {
  const { origin, pathname } = new URL(request.url);
  const address = `${origin}${pathname}${pathname.endsWith('/') ? 'index.html' : ''}`;
  const cache = await caches.open(name);
  const stored = await cache.match(address);
  const range = request.headers.get('Range');
  if (stored) return range ? rangeOf(stored, range) : stored;
  const response = await fetch(request);
  if (response.status === 200 && later.includes(address.slice(scope.length)))
    await cache.put(address, response.clone());
  return response;
}

self.addEventListener('install', (event) => event.waitUntil(store()));
self.addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'GET' && url.startsWith(scope)) event.respondWith(answer(event.request));
});
