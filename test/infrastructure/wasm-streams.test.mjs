import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import binaryen from 'binaryen';
import { importTs } from '../../tools/import-ts.mjs';
import { kernelSubset } from '../../tools/kernel-subset.mjs';
import { root } from '../../tools/serve.mjs';
import { deflateStreams, splitWasm } from '../../tools/wasm-streams.mjs';
import { itInFull } from '../support/full.mjs';

const kernels = readFileSync(path.join(root, 'dist/kernels.wasm'));
const moduleOf = (text) => {
  const module = binaryen.parseText(text);
  module.setFeatures(binaryen.Features.All);
  try {
    return module.emitBinary();
  } finally {
    module.dispose();
  }
};

describe('kernels in streams', () => {
  let joinStreams;
  let deflated;
  before(async () => {
    ({ joinStreams } = await importTs('src/runtime/wasm/wasm-streams.ts'));
    deflated = await deflateStreams(splitWasm(kernels));
  });
  const same = async (wasm, streams) => {
    const joined = joinStreams(inflateRawSync(streams ?? (await deflateStreams(splitWasm(wasm)))));
    assert.ok(Buffer.from(joined).equals(Buffer.from(wasm)));
  };

  it('are the same bytes when put together, whole and in part', async () => {
    await same(kernels, deflated);
    const { wasm, names } = kernelSubset(kernels, 'kernels.above( kernels.addTensors(');
    assert.deepEqual(names, ['above', 'addTensors']);
    await same(wasm);
  });

  itInFull('deflate a quarter better', () => {
    assert.ok(deflated.length < 0.75 * deflateRawSync(kernels, { level: 9 }).length);
  });

  it('may jump by tables, hold large numbers and many locals', async () => {
    await same(
      moduleOf(`(module (memory 1) (global $g (mut i32) (i32.const 5))
        (func (export "f") (param i32) (result i32) (local i64 f64 f32) ${'(local v128) '.repeat(200)}
          (block (block (block (br_table 0 1 2 (local.get 0)))))
          (local.set 190 (v128.const i32x4 1 2 3 4))
          (local.set 3 (f32.const 1.5)) (local.set 2 (f64.const -0.1))
          (local.set 1 (i64.const -9223372036854775808))
          (global.set $g (i32.const -2147483648))
          (memory.fill (i32.const 0) (i32.const 1) (i32.const 2))
          (memory.copy (i32.const 0) (i32.const 1) (i32.const 2))
          (i32.store offset=70000 (i32.const 0) (i32x4.extract_lane 3 (local.get 190)))
          (i32.add (global.get $g) (memory.grow (i32.const 1)))))`),
    );
    await same(moduleOf('(module (memory 1))'));
  });

  it('are refused by the build when an operation is not known', () => {
    const unknown = moduleOf(
      '(module (func (export "f") (param i32 i32) (result i32) (select (result i32) (local.get 0) (local.get 1) (i32.const 1))))',
    );
    const at = Buffer.from(unknown).indexOf(0x1b);
    if (at > 0) unknown[at] = 0x1c;
    assert.throws(() => splitWasm(unknown), /does not know the operation 28/);
  });
});
