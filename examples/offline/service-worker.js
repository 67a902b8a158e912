// Keeps the page with all that it loads. A new `version` fetches all of it again, beside what is in use: parts and models
// must be those of the script. Change it with each change of a file below.
/* global caches, Request, self */
const version = '0.1.0-4';

const files = [
  './',
  'offline.css',
  'offline.js',
  '../../demo/favicon.svg',
  '../../demo/media/portrait.jpg',
  'foveola/foveola-face.cdn.js',
  'foveola/foveola-face.kernels.js',
  'foveola/face-search.js',
  'foveola/player.js', // the timeline of recordings that are opened
  'foveola/tools.js', // settings, help and exports
  'foveola/extras.js', // the network that finds turned faces
  'foveola/models/frontalface_alt.bin',
  'foveola/models/face-judge.bin',
  'foveola/models/faces.bin',
  'foveola/models/frontalface_alt2.bin',
  'foveola/models/landmarks-network.bin',
];
const prefix = 'foveola-offline-';
const name = prefix + version;

/** All or nothing: where one file is missing, the version in use stays. `reload`: not from the browser's own cache. */
async function store() {
  const cache = await caches.open(name);
  await cache.addAll(files.map((file) => new Request(file, { cache: 'reload' })));
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((other) => other.startsWith(prefix) && other !== name).map((old) => caches.delete(old)),
  );
  await self.clients.claim();
}

/** From the store, else from the network. */
async function answer(request) {
  const cache = await caches.open(name);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

self.addEventListener('install', (event) => event.waitUntil(store()));
self.addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
self.addEventListener('fetch', (event) => {
  if (event.request.method === 'GET') event.respondWith(answer(event.request));
});
self.addEventListener('message', ({ data }) => {
  if (data === 'take over') self.skipWaiting();
});
