import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { serve } from '../../tools/serve.mjs';

let folder;
let server;
before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
  mkdirSync(path.join(folder, 'site/demo'), { recursive: true });
  writeFileSync(path.join(folder, 'secret.txt'), 'secret');
  writeFileSync(path.join(folder, 'site/demo/index.html'), '<!doctype html>hello');
  writeFileSync(path.join(folder, 'site/clip.webm'), '0123456789');
  writeFileSync(path.join(folder, 'site/k.wasm'), '');
  server = await serve({
    folder: path.join(folder, 'site'),
    home: '/demo/',
    routes: { '/made.js': 'made' },
    headers: (urlPath) => (urlPath === '/made.js' ? { 'Content-Security-Policy': "default-src 'none'" } : {}),
  });
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (urlPath, headers = {}) => fetch(server.url + urlPath, { headers, redirect: 'manual' });
const range = async (value) => {
  const response = await ask('/clip.webm', { Range: value });
  return [response.status, response.headers.get('content-range'), await response.text()];
};

describe('the demo server', () => {
  it('answers ranges', async () => {
    assert.deepEqual(await range('bytes=2-4'), [206, 'bytes 2-4/10', '234']);
    assert.deepEqual(await range('bytes=7-'), [206, 'bytes 7-9/10', '789']);
    assert.deepEqual(await range('bytes=-3'), [206, 'bytes 7-9/10', '789']);
    assert.deepEqual(await range('bytes=5-500'), [206, 'bytes 5-9/10', '56789']);
    assert.equal((await range('bytes=10-'))[0], 416);
    assert.deepEqual(await range('nonsense'), [200, null, '0123456789']);
  });

  it('knows types', async () => {
    assert.equal((await ask('/clip.webm')).headers.get('content-type'), 'video/webm');
    assert.equal((await ask('/k.wasm')).headers.get('content-type'), 'application/wasm');
    assert.match((await ask('/demo/')).headers.get('content-type'), /^text\/html/);
    assert.match((await ask('/made.js')).headers.get('content-type'), /^text\/javascript/);
  });

  it('isolates pages only below /isolated/', async () => {
    const plain = await ask('/demo/');
    const isolated = await ask('/isolated/demo/');
    assert.equal(plain.headers.get('cross-origin-embedder-policy'), null);
    assert.equal(isolated.headers.get('cross-origin-embedder-policy'), 'require-corp');
    assert.equal(isolated.headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.equal(await isolated.text(), await plain.text());
  });

  it('sends the headers it was given', async () => {
    assert.equal((await ask('/made.js')).headers.get('content-security-policy'), "default-src 'none'");
    assert.equal((await ask('/demo/')).headers.get('content-security-policy'), null);
  });

  it('leads home, adds slashes, says 404', async () => {
    assert.equal((await ask('/')).headers.get('location'), '/demo/');
    assert.equal((await ask('/isolated/demo')).headers.get('location'), '/isolated/demo/');
    assert.equal((await ask('/none')).status, 404);
  });

  it('does not leave its folder', async () => {
    const { port } = server;
    for (const raw of ['/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/demo/..%2f..%2fsecret.txt']) {
      const status = await new Promise((resolve) =>
        get({ port, host: '127.0.0.1', path: raw }, (r) => resolve(r.resume().statusCode)),
      );
      assert.equal(status, 404, raw);
    }
    assert.equal((await ask('/%E0%A4%A')).status, 404);
  });

  it('takes the next port when its own is in use', async () => {
    const second = await serve({ folder, port: server.port });
    assert.notEqual(second.port, server.port);
    await second.close();
  });
});
