// What the tests of the queue need: a Redis of their own, a store that looks like S3, workers that can be killed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { library, script } from './support.mjs';

/** Why tests that need Redis are left out, or false. */
export const noRedis = spawnSync('redis-server', ['--version']).error
  ? 'redis-server is not installed: apt-get install redis-server'
  : false;

async function freePort() {
  const socket = createSocket().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

/** A Redis server that keeps nothing, on a free port. */
export async function startRedis(dir) {
  const port = await freePort();
  const options = { port, dir, bind: '127.0.0.1', save: '', appendonly: 'no' };
  const child = spawn(
    'redis-server',
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
  );
  const ended = once(child, 'exit');
  for await (const line of child.stdout) if (/Ready to accept/.test(line)) break;
  child.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Gray images that differ, as PNG: bars and discs by a seeded rule. */
export async function images(folder, count, { width = 64, height = 48 } = {}) {
  const { encodePng } = await library();
  const files = [];
  for (let i = 0; i < count; i++) {
    const data = new Uint8Array(width * height);
    const [x, y, r] = [8 + (i % 48), 8 + ((i * 7) % 32), 4 + (i % 9)];
    for (let k = 0; k < data.length; k++)
      data[k] = Math.hypot((k % width) - x, Math.floor(k / width) - y) < r ? 220 : 60 + ((k * (i + 1)) % 7);
    const file = path.join(folder, `${String(i).padStart(3, '0')}.png`);
    writeFileSync(file, await pngOf(encodePng, { data, width, height, channels: 1 }));
    files.push(file);
  }
  return files;
}

const pngOf = async (encodePng, picture) => new Uint8Array(await (await encodePng(picture)).arrayBuffer());

/** Numbers below `n`, always the same ones. */
export function seeded(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** A worker in a process of its own. */
export function startWorker(args, env = {}) {
  const child = spawn(process.execPath, [script, 'worker', ...args], { env: { ...process.env, ...env } });
  let stderr = '';
  child.stderr.on('data', (data) => (stderr += data));
  child.stdout.resume();
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stderr }));
  return { child, ended, said: () => stderr };
}

/** Processes that a process has started. */
export const childrenOf = (pid) => {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
};

/** Waits until it is so. */
export async function until(condition) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () => (server.closeAllConnections(), server.close()),
  };
}

/** A server of files by their path. */
export const startFiles = (files) =>
  listening(createServer(({ url }, response) => response.writeHead(files[url] ? 200 : 404).end(files[url])));

/** One page of ListObjectsV2, of two objects at most: keys as in an address, spaces as plus signs. */
function listing(objects, bucket, query) {
  const all = [...objects.keys()].filter((name) => name.startsWith(`${bucket}${query.get('prefix')}`)).sort();
  const from = Number(query.get('continuation-token') ?? 0);
  const entries = all.slice(from, from + 2).map((name) => {
    const key = encodeURIComponent(name.slice(bucket.length)).replaceAll('%2F', '/').replaceAll('%20', '+');
    return `<Contents><Key>${key}</Key><Size>${objects.get(name).length}</Size></Contents>`;
  });
  const next = from + 2 < all.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType>${entries.join('')}${next}</ListBucketResult>`;
}

/** A server that keeps objects as S3 does, for requests that are signed. `fail`: how often it fails first. */
export async function startStore({ fail = 0 } = {}) {
  const objects = new Map();
  const refused = [];
  let failures = fail;
  const server = createServer((request, response) => {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const name = decodeURIComponent(request.url);
      const { authorization = '' } = request.headers;
      const answer = (status, body) => response.writeHead(status).end(body);
      if (
        !/^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/here\/s3\/aws4_request, SignedHeaders=.*, Signature=[0-9a-f]{64}$/.test(
          authorization,
        )
      ) {
        refused.push(`${request.method} ${name}`);
        return answer(403);
      }
      if (failures > 0) {
        failures--;
        return answer(503);
      }
      if (request.method === 'PUT') {
        objects.set(name, Buffer.concat(pieces));
        return answer(200);
      }
      if (request.method === 'DELETE') {
        objects.delete(name);
        return answer(204);
      }
      const { pathname, searchParams } = new URL(request.url, 'http://store');
      if (searchParams.has('list-type')) return answer(200, listing(objects, pathname, searchParams));
      const range = /^bytes=0-(\d+)$/.exec(request.headers.range ?? '');
      if (range && objects.has(name)) return answer(206, objects.get(name).subarray(0, Number(range[1]) + 1));
      return objects.has(name) ? answer(200, request.method === 'HEAD' ? undefined : objects.get(name)) : answer(404);
    });
  });
  const { url, stop } = await listening(server);
  return {
    objects,
    refused,
    env: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: 'here',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
    stop,
  };
}
