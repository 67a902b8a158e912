// Networks in WASM: against answers of PyTorch, against the plain reference, and files that are damaged.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { generator } from '../../../tools/random.mjs';
import { root } from '../../../tools/setup.mjs';

const { readNetwork, packNetwork, runNetwork, run, Runtime, network, networkMakers } =
  await importTs('test/node/network/library.ts');
const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
const shipped = new Uint8Array(readFileSync(path.join(root, 'models/vessels.bin')));
const floats = (text) => new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer);

async function answer(net, image) {
  const runtime = await Runtime.create({ module });
  const source = runtime.plane(image.width, image.height, 'f32', image.data);
  const [plane] = await run(runtime, runNetwork, [source, net]);
  const result = { width: plane.width, height: plane.height, data: plane.copy() };
  plane.dispose();
  source.dispose();
  assert.ok(runtime.arena.blocks <= 1, 'blocks left on the arena');
  runtime.dispose();
  return result;
}

function near(actual, expected, tolerance) {
  assert.equal(actual.length, expected.length);
  actual.forEach((v, i) => assert.ok(Math.abs(v - expected[i]) <= tolerance, `${v} instead of ${expected[i]} at ${i}`));
}

describe('a network', () => {
  for (const golden of JSON.parse(readFileSync(path.join(root, 'test/golden/network/layers.json'), 'utf8')))
    it(`answers as PyTorch: ${golden.name}`, async () => {
      const bytes = golden.network ? new Uint8Array(Buffer.from(golden.network, 'base64')) : shipped;
      const net = readNetwork(bytes);
      const image = { width: golden.width, height: golden.height, format: 'f32', data: floats(golden.input) };
      const expected = floats(golden.output);
      near((await answer(net, image)).data, expected, 2e-3);
      near(network([image, net])[0].data, expected, 2e-3);
    });

  it('agrees with the reference at odd sizes', async () => {
    const random = generator(7);
    for (const [i, [width, height]] of [
      [1, 1],
      [5, 3],
      [17, 9],
      [30, 2],
      [3, 33],
      [21, 20],
    ].entries()) {
      const net = networkMakers.network(width, height, i, random);
      const image = { width, height, format: 'f32', data: Float32Array.from({ length: width * height }, random) };
      const [expected] = network([image, net]);
      const found = await answer(net, image);
      assert.deepEqual([found.width, found.height], [expected.width, expected.height]);
      near(found.data, expected.data, 2e-4);
    }
  });

  it('is the same after it was packed', () => {
    const net = readNetwork(shipped);
    assert.deepEqual(readNetwork(packNetwork(net)), net);
    assert.match(net.notice, /CC BY 4\.0/);
  });

  it('is refused where its file is damaged', () => {
    const changed = shipped.slice();
    changed[changed.length - 1] ^= 1;
    assert.throws(() => readNetwork(changed), { code: 'model-checksum' });
    assert.throws(() => readNetwork(shipped.subarray(0, 5000)), { code: 'model-format' });
  });

  it('is refused where its layers do not fit together', () => {
    const net = readNetwork(shipped);
    const wrong = (change) => () => packNetwork({ ...net, layers: [{ ...net.layers[0], ...change }] });
    assert.throws(wrong({ from: [1] }), { code: 'model-format' });
    assert.throws(wrong({ step: 3 }), { code: 'model-format' });
    assert.throws(wrong({ slope: 2 }), { code: 'model-format' });
    assert.throws(wrong({ operation: 'add' }), { code: 'model-format' });
  });
});
