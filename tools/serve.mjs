// A static file server without dependencies, for the demo pages, the page tests and the benches.
// Pages are served as on a plain host. The same pages under /isolated/ get COOP and COEP, so that threads can be tried.
// Range requests are answered (video elements seek with them).
import { createReadStream, statSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** The folder of media beside the checkout; most checkouts have none. FOVEOLA_SHARED names another. */
export const sharedFolder = path.resolve(root, process.env.FOVEOLA_SHARED ?? '../shared');

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.ico': 'image/x-icon',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.ppm': 'image/x-portable-pixmap',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.webm': 'video/webm',
  '.mkv': 'video/x-matroska',
  '.mov': 'video/quicktime',
  '.avi': 'video/x-msvideo',
  '.xml': 'application/xml',
  '.csv': 'text/csv; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};
export const mimeType = (file) => types[path.extname(file).toLowerCase()] ?? 'application/octet-stream';

export const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Answers one request with a file, whole or a range of it. Returns false when there is no such file. */
export function sendFile(request, response, file, headers = {}) {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return false;
  const answer = { 'Content-Type': mimeType(file), 'Cache-Control': 'no-cache', 'Accept-Ranges': 'bytes', ...headers };
  const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
  let [start, end] = [0, stat.size - 1];
  if (range && (range[1] || range[2])) {
    if (range[1]) [start, end] = [Number(range[1]), range[2] ? Math.min(Number(range[2]), end) : end];
    else start = Math.max(0, stat.size - Number(range[2]));
    if (start > end) {
      response.writeHead(416, { ...answer, 'Content-Range': `bytes */${stat.size}` }).end();
      return true;
    }
    answer['Content-Range'] = `bytes ${start}-${end}/${stat.size}`;
  }
  response.writeHead(answer['Content-Range'] ? 206 : 200, { ...answer, 'Content-Length': end - start + 1 });
  if (request.method === 'HEAD' || stat.size === 0) response.end();
  else {
    const stream = createReadStream(file, { start, end });
    stream.on('error', () => response.destroy());
    response.on('close', () => stream.destroy()); // a video element drops most of its requests half-way
    stream.pipe(response);
  }
  return true;
}

/** The file that a URL path names below `folder`, or null when it would leave the folder. */
export function fileBelow(folder, urlPath) {
  let decoded;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  if (decoded.includes('\0')) return null;
  const file = path.join(folder, decoded);
  return file === folder || file.startsWith(folder + path.sep) ? file : null;
}

const escapeHtml = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

async function listing(folder, urlPath) {
  const entries = (await readdir(folder, { withFileTypes: true })).filter((e) => !e.name.startsWith('.'));
  const items = entries.map((e) => escapeHtml(e.name + (e.isDirectory() ? '/' : ''))).sort();
  const lines = items.map((name) => `<li><a href="${name}">${name}</a></li>`).join('');
  return `<!doctype html><meta charset="utf-8"><title>${escapeHtml(urlPath)}</title><ul>${lines}</ul>`;
}

/**
 * Starts a server on 127.0.0.1.
 * @param options.folder   served at / (the project's root)
 * @param options.port     preferred port; the next free ones are tried unless it is 0 (any free one, the default)
 * @param options.home     where / leads to, for instance '/demo/'
 * @param options.mounts   further folders by prefix, for instance { '/shared/': sharedFolder }
 * @param options.headers  (path, request) => headers of the answer, for instance a Content-Security-Policy; undefined removes one
 * @param options.routes   { '/path': text | Buffer | (request, response) => void }: pages that are not files. Text is HTML
 *                         unless the path has another ending.
 * @param options.log      called with each request's line
 * @returns { url, port, close, requests }  url without a slash at the end; requests: every path asked for
 */
export async function serve({ folder = root, port = 0, home, mounts = {}, headers, routes = {}, log } = {}) {
  const base = await realpath(folder);
  const requests = [];

  async function answer(request, response) {
    let urlPath = new URL(request.url, 'http://x').pathname;
    requests.push(urlPath);
    log?.(`${request.method} ${urlPath}`);
    const extra = {};
    if (urlPath.startsWith('/isolated/')) {
      Object.assign(extra, isolation);
      urlPath = urlPath.slice('/isolated'.length);
    }
    Object.assign(extra, headers?.(urlPath, request));
    for (const name of Object.keys(extra)) if (extra[name] === undefined) delete extra[name];

    const route = routes[urlPath];
    if (typeof route === 'function') return route(request, response);
    if (route !== undefined) {
      const type = path.extname(urlPath) ? mimeType(urlPath) : types['.html'];
      return response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-cache', ...extra }).end(route);
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return response.writeHead(405).end();
    if (home && (urlPath === '/' || urlPath === '/index.html'))
      return response.writeHead(302, { Location: home }).end();

    const mount = Object.keys(mounts).find((prefix) => urlPath.startsWith(prefix));
    const file = mount ? fileBelow(mounts[mount], urlPath.slice(mount.length)) : fileBelow(base, urlPath.slice(1));
    if (file) {
      if (sendFile(request, response, file, extra)) return;
      if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
        if (!request.url.split('?')[0].endsWith('/'))
          return response.writeHead(301, { Location: request.url.split('?')[0].replace(/^\/+/, '/') + '/' }).end();
        if (sendFile(request, response, path.join(file, 'index.html'), extra)) return;
        return response.writeHead(200, { 'Content-Type': types['.html'], ...extra }).end(await listing(file, urlPath));
      }
    }
    response.writeHead(404, { 'Content-Type': types['.txt'], ...extra }).end(`404: ${urlPath}\n`);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500, { 'Content-Type': types['.txt'] });
      response.end(String(error.stack ?? error));
    });
  });
  const listen = (number) =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(number, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  for (let attempt = port; ; attempt++) {
    try {
      await listen(attempt);
      break;
    } catch (error) {
      if (port === 0 || !['EADDRINUSE', 'EACCES'].includes(error.code)) throw error;
      if (attempt === port + 50) attempt = -1; // then whatever the system gives
    }
  }
  const address = server.address();
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
