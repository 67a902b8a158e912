import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import vm from 'node:vm';
import { kernelSubset } from '../../tools/kernel-subset.mjs';
import { minify } from '../../tools/minify.mjs';
import { root } from '../../tools/setup.mjs';
import { singleFile, workerTextName } from '../../tools/single-file.mjs';

const chunk = (fileName, code, imports = [], dynamicImports = []) => ({ fileName, code, imports, dynamicImports });
const chunks = [
  chunk(
    'page.js',
    `var shared = require('./shared-1.js'); exports.seen = shared.count; exports.text = ${workerTextName}; exports.later = () => Promise.resolve().then(function () { return require('./later.js'); });`,
    ['shared-1.js'],
    ['later.js'],
  ),
  chunk('worker.js', `var shared = require('./shared-1.js'); self.answer = shared.count + typeof document;`, [
    'shared-1.js',
  ]),
  chunk('shared-1.js', `self.loads = (self.loads || 0) + 1; exports.count = class { static n = 41 }.n + 1;`),
  chunk('later.js', `exports.shared = require('./shared-1.js').count;`, ['shared-1.js']),
];
const scope = (more = {}) => {
  const self = { ...more };
  self.self = self;
  return vm.createContext(self);
};

describe('the single file', () => {
  for (const small of [false, true])
    it(`runs its parts on the page and in a worker${small ? ', minified' : ''}`, async () => {
      let code = singleFile({ chunks, page: 'page.js', worker: 'worker.js', name: 'foveola' });
      if (small) code = await minify(code);
      const page = scope({ document: {} });
      vm.runInContext(code, page);
      assert.equal(page.foveola.seen, 42);
      assert.equal((await page.foveola.later()).shared, 42);
      assert.equal(page.loads, 1);
      const worker = scope();
      const text = page.foveola.text();
      vm.runInContext(text, worker);
      assert.equal(worker.answer, '42undefined');
      assert.doesNotMatch(text, /later|seen/); // what only the page needs stays out
    });

  it('is its own worker where there is no document', () => {
    const worker = scope();
    vm.runInContext(singleFile({ chunks, page: 'page.js', worker: 'worker.js', name: 'foveola' }), worker);
    assert.equal(worker.answer, '42undefined');
  });

  it('refuses what is not inside', () => {
    const outside = [chunk('page.js', `require('lit')`), chunk('worker.js', '')];
    assert.throws(() => singleFile({ chunks: outside, page: 'page.js', worker: 'worker.js', name: 'x' }), /page\.js/);
    const missing = [chunk('page.js', '', ['gone.js']), chunk('worker.js', '')];
    assert.throws(() => singleFile({ chunks: missing, page: 'page.js', worker: 'worker.js', name: 'x' }), /gone\.js/);
  });
});

describe('the kernels of a script', () => {
  const wasm = () => readFileSync(path.join(root, 'dist/kernels.wasm'));

  it('are those that its code may call, and still a module', async () => {
    const subset = kernelSubset(wasm(), 'yield*e.kernels.gaussian({}),e.kernels.median3({}),t.kernels.erode({})');
    const module = new WebAssembly.Module(subset.wasm);
    const [table] = WebAssembly.Module.customSections(module, 'kernels');
    const rows = new TextDecoder().decode(table).split('\n');
    assert.deepEqual(
      rows.map((row) => row.split(':')[0]),
      ['erode', 'gaussian', 'median3'],
    );
    // Numbered as in the table; s: tells the scratch, where the row says what it reads.
    const expected = rows.flatMap((row, i) => (row.split(':').length > 3 ? [`k${i}`, `s${i}`] : [`k${i}`]));
    assert.deepEqual(
      WebAssembly.Module.exports(module)
        .map(({ name }) => name)
        .sort(),
      expected.sort(),
    );
    assert.ok(expected.length > 3);
    assert.ok(subset.wasm.length < wasm().length / 2);
  });

  it('leave out what the caller names', () => {
    const { names } = kernelSubset(wasm(), 'e.kernels.median5({}),e.kernels.median11({})', ['median11']);
    assert.deepEqual(names, ['median5']);
  });

  it('are those that it calls as methods, each with its scratch function', () => {
    const { wasm: bytes, names } = kernelSubset(wasm(), 'yield*e.kernels.accumulateLines({source:t},{rows:n})');
    assert.deepEqual(names, ['accumulateLines']);
    const exports = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name }) => name);
    assert.deepEqual(exports.sort(), ['k0', 's0']);
  });
});
