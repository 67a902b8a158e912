// Files of the package that are missing, of another type or forbidden by a policy: each case has a message of its own with
// the path or the directive, the element shows it, and what can go on does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { itInFull, itKept } from '../support/full.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';
import { disc, firstError, heard, tracked } from './element-support.mjs';

const modules = `<!doctype html><html lang="en"><title>test</title><script src="/heard.js"></script>
  <script type="module" src="/FOLDER/foveola.elements.js"></script>`;
const page = (folder, attributes = '') =>
  `${modules.replace('FOLDER', folder)}<foveola-pupil src="${disc}" loop ${attributes}></foveola-pupil>`;
const policy = (directive, value) => strictPolicy.replace(new RegExp(`${directive} [^;]+`), `${directive} ${value}`);

/** Folders that have the package's files with one fault each. */
const faults = {
  '/no-kernels/': { 'kernels.wasm': (_, response) => response.writeHead(404).end() },
  '/missing-worker/': { 'worker.js': (_, response) => response.writeHead(404).end() },
  '/single-page/': {
    'kernels.wasm': (_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>app</title>'),
  },
  '/plain-text/': {
    'worker.js': (_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/plain', 'X-Content-Type-Options': 'nosniff' }).end('0'),
  },
  '/no-timeline/': { 'player.js': (_, response) => response.writeHead(404).end() },
  '/no-tools/': { 'tools.js': (_, response) => response.writeHead(404).end() },
  '/other-type/': {
    'kernels.wasm': (_, response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/octet-stream' })
        .end(readFileSync(path.join(root, 'dist/kernels.wasm'))),
  },
};

describe('files of the package that cannot be loaded', () => {
  let site;
  before(async () => {
    const routes = {
      '/heard.js': heard,
      '/base.html': page('dist', 'asset-base="/copy/"'),
      '/bad-base.html': page('dist', 'asset-base="/nowhere"'),
      '/no-wasm.html': page('dist'),
      '/no-connect.html': page('dist', 'asset-base="/copy/"'),
      '/no-worker.html': page('dist'),
      '/set-base.js': "import { setAssetBase } from '/dist/foveola.elements.js'; setAssetBase('/copy');",
      '/set-base.html': page('dist').replace('/dist/foveola.elements.js', '/set-base.js'),
    };
    for (const [folder, files] of Object.entries(faults)) {
      const name = folder.slice(1, -1);
      routes[`/${name}.html`] = page('dist', `asset-base="${folder}"`);
      for (const [file, answer] of Object.entries(files)) routes[folder + file] = answer;
    }
    for (const name of ['no-timeline', 'no-tools'])
      routes[`/${name}.html`] = `<!doctype html><html lang="en"><title>test</title><script src="/heard.js"></script>
        <script src="/${name}/foveola-pupil.cdn.js"></script><foveola-pupil src="${disc}" loop controls></foveola-pupil>`;
    const mounts = Object.fromEntries(['/copy/', ...Object.keys(faults)].map((p) => [p, path.join(root, 'dist')]));
    const policies = {
      '/no-wasm.html': strictPolicy.replace(" 'wasm-unsafe-eval'", ''),
      '/no-connect.html': policy('connect-src', "'none'"),
      '/no-worker.html': policy('worker-src', "'none'"),
    };
    site = await startSite({
      routes,
      mounts,
      headers: (path) => (policies[path] ? { 'Content-Security-Policy': policies[path] } : {}),
    });
  });
  after(() => site?.close());

  /** The error that the element tells, which its error slot must show. */
  async function failed(address) {
    const { page } = await site.open(address);
    try {
      const error = await firstError(page, ({ code }) => code !== 'violation'); // the policy's own report
      const shown = await page.$eval('foveola-pupil', (e) => e.shadowRoot.querySelector('[role=alert]')?.textContent);
      assert.ok(shown?.includes(error.message), `${shown} shows ${error.message}`);
      return error;
    } finally {
      await page.close();
    }
  }

  /** What the engine says where the element works all the same. */
  async function works(address) {
    const { page } = await site.open(address);
    try {
      await tracked(page);
      return await page.evaluate(() => heard.ready);
    } finally {
      await page.close();
    }
  }

  for (const address of ['/base.html', '/set-base.html'])
    itKept(address === '/base.html')(`the folder is named by the page: ${address.slice(1, -5)}`, async () => {
      const before = site.server.requests.length;
      const { worker, reasons } = await works(address);
      assert.equal(worker, true, reasons.join());
      const asked = site.server.requests.slice(before).filter((path) => /\.wasm$|worker/.test(path));
      assert.deepEqual([...new Set(asked)].sort(), ['/copy/kernels.wasm', '/copy/worker.js'], address);
    });

  it('a folder that is not there', async () => {
    const { code, message } = await failed('/bad-base.html');
    assert.equal(code, 'asset-missing');
    assert.match(message, /^kernels\.wasm was not found at http:\S+\/nowhere\/kernels\.wasm: HTTP 404/);
    assert.doesNotMatch(message, /blocked/);
  });

  itInFull('kernels that are not there', async () => {
    const { code, message } = await failed('/no-kernels.html');
    assert.equal(code, 'asset-missing');
    assert.match(message, /not found at \S+\/no-kernels\/kernels\.wasm: HTTP 404.*setAssetBase/);
  });

  itInFull('a server that answers everything with its start page', async () => {
    const { code, message } = await failed('/single-page.html');
    assert.equal(code, 'asset-missing');
    assert.match(message, /kernels\.wasm was not found.*a web page \(text\/html\)/);
  });

  it("a worker's script that is not there: the page's own thread, with the reason", async () => {
    const { worker, reasons } = await works('/missing-worker.html');
    assert.equal(worker, false);
    assert.match(reasons.join(), /main thread.*not found at \S+\/missing-worker\/worker\.js: HTTP 404/);
  });

  itInFull("a worker's script of the wrong type", async () => {
    const { worker, reasons } = await works('/plain-text.html');
    assert.equal(worker, false);
    assert.match(reasons.join(), /worker\.js is served as 'text\/plain'.*text\/javascript/);
  });

  itInFull('a timeline that is not there: the element says so, and goes on without', async () => {
    const { code, message } = await failed('/no-timeline.html');
    assert.equal(code, 'asset-missing');
    assert.match(message, /^The timeline: \S+\/no-timeline\/player\.js is missing.*leave out controls/);
  });

  itInFull('settings and exports that are not there: the element says so, and goes on without', async () => {
    const { code, message } = await failed('/no-tools.html');
    assert.equal(code, 'asset-missing');
    assert.match(message, /^Settings, help and exports: \S+\/no-tools\/tools\.js is missing.*leave out controls/);
    const { page } = await site.open('/no-tools.html');
    try {
      await tracked(page);
      const refused = await page.$eval('foveola-pupil', async (it) => {
        it.record();
        it.record();
        return it.exportCsv().catch((error) => [error instanceof window.foveola.FoveolaError, error.code]);
      });
      assert.deepEqual(refused, [true, 'asset-missing']);
    } finally {
      await page.close();
    }
  });

  itInFull('kernels of an unusual type work', async () => {
    assert.equal((await works('/other-type.html')).worker, true);
  });

  itInFull("a policy without 'wasm-unsafe-eval'", async () => {
    const { code, message } = await failed('/no-wasm.html');
    assert.equal(code, 'wasm-blocked');
    assert.match(message, /Add 'wasm-unsafe-eval' to script-src/);
  });

  itInFull('a policy that forbids to connect', async () => {
    const { code, message } = await failed('/no-connect.html');
    assert.equal(code, 'asset-blocked');
    assert.match(message, /kernels\.wasm .*\/copy\/kernels\.wasm: add 'self' to connect-src/);
  });

  itInFull("a policy that forbids the worker: the page's own thread, with the directive", async () => {
    const { worker, reasons } = await works('/no-worker.html');
    assert.equal(worker, false);
    assert.match(reasons.join(), /does not allow the worker \S+\/worker\.js \(worker-src\): add 'self' to worker-src/);
  });
});

describe('the kernels of a CDN script', () => {
  const file = 'foveola-pupil.kernels.js';
  const right = readFileSync(path.join(root, 'dist', file));
  /** The server's answer for the file in /cdn/. Null: the file does not exist. */
  let answer = null;
  let site;
  let asked;
  const paged = (tag = '', script = '/cdn/foveola-pupil.cdn.js') =>
    `<!doctype html><html lang="en"><title>test</title><script src="/heard.js"></script>
     <script src="${script}" ${tag}></script><foveola-pupil src="${disc}" loop></foveola-pupil>`;
  before(async () => {
    const there = (body) => (_, response) => {
      asked++;
      if (!body()) return response.writeHead(404).end();
      return response.writeHead(200, { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' }).end(body());
    };
    site = await startSite({
      routes: {
        '/heard.js': heard,
        '/page.html': paged(),
        '/named.html': paged('data-assets="/dist/"'),
        '/set.html': paged().replace('<foveola-pupil', '<script src="/set.js"></script><foveola-pupil'),
        '/set.js': "foveola.setAssetBase('/dist/');",
        '/two.html': paged().replace(
          '<foveola-pupil',
          '<script src="/dist/foveola-face.cdn.js"></script><foveola-pupil',
        ),
        [`/cdn/${file}`]: there(() => answer),
      },
      mounts: { '/cdn/': path.join(root, 'dist') },
      headers: (path) => ({
        'Access-Control-Allow-Origin': '*',
        ...(path.endsWith('.html') && { 'Content-Security-Policy': strictPolicy }),
      }),
    });
  });
  after(() => site?.close());

  async function visit(address, work, served = right) {
    answer = served;
    asked = 0;
    const opened = await site.open(address);
    try {
      await work(opened.page, opened.errors);
    } finally {
      await opened.page.close();
    }
  }
  const again = async (page) => {
    answer = right;
    await page.$eval('foveola-pupil', (it) => it.start());
    await tracked(page);
  };

  for (const [what, served] of [
    ['that are not there', null],
    ['of another version', `${right};`],
  ])
    itKept(served)(`${what}: the error names the file, and the next call works once it is there`, () =>
      visit(
        '/page.html',
        async (page) => {
          const { code, message } = await firstError(page, ({ code }) => code !== 'violation');
          assert.equal(code, 'asset-missing');
          assert.match(
            message,
            /^The engine: \S+\/cdn\/foveola-pupil\.kernels\.js is missing.*data-assets.*setAssetBase/,
          );
          await again(page);
        },
        served,
      ),
    );

  it('come from the folder that the tag names', () =>
    visit('/named.html', async (page, errors) => {
      await tracked(page);
      assert.deepEqual([asked, errors], [0, []]);
    }, null)); // prettier-ignore

  it('come from the folder that the page sets, if they are not beside the script', () =>
    visit('/set.html', (page) => tracked(page), null));

  for (const address of ['/set.html', '/two.html'])
    itKept(address === '/two.html')(`are fetched once: ${address.slice(1, -5)}`, () =>
      visit(address, async (page, errors) => {
        await tracked(page);
        assert.deepEqual([asked, errors], [1, []]);
      }),
    );
});
