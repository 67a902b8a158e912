// A kernel that traps in the coordinator while helpers still write: nobody gets their memory before they are done.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';

/* global WebAssembly */

const [width, height, threads] = [64, 240, 3];
/** Milliseconds before each band of a helper. */
const REST = 100;
/** Of the job block: helpers inside, and whether the gate is shut. */
const [GATE, SHUT] = [5, 1 << 30];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a trap in the coordinator while helpers are at work', () => {
  let runtime;
  let gate;
  let given;
  const helpers = [];
  before(async () => {
    const { Runtime } = await importTs('src/runtime/runtime.ts');
    const { compileKernels } = await importTs('src/runtime/wasm/kernels.ts');
    const module = await compileKernels(new Uint8Array(readFileSync(path.join(root, 'dist/kernels.wasm'))), true);
    const spawn = async (start) => {
      const workerData = { start, rest: REST };
      const worker = new Worker(new URL('./slow-helper.mjs', import.meta.url), { workerData });
      helpers.push(worker);
      gate = (start.job >> 2) + GATE;
      await once(worker, 'message');
      return worker;
    };
    runtime = await Runtime.create({ module, threads, spawn });
    given = runtime.plane(
      width,
      height,
      'u8',
      Uint8Array.from({ length: width * height }, (_, i) => i % 251),
    );
  });
  after(() => runtime?.dispose());

  const inside = () => Atomics.load(runtime.arena.i32, gate) & ~SHUT;
  const threshold = (target) =>
    runtime.driver.step(
      runtime.kernels.calls.threshold(
        { source: given, target: { address: target, stride: width }, width, level: 100, set: 255 },
        { rows: height },
      ),
    );

  it('comes out when no helper is left inside, and what they wrote into is free then', async () => {
    const { kernels, arena } = runtime;
    const target = arena.allocate(width * height);
    const real = kernels.function;
    let met = 0;
    kernels.function =
      (index) =>
      (source, ...args) => {
        for (const end = performance.now() + 2000; inside() < threads - 1 && performance.now() < end;);
        met = inside();
        return real.call(kernels, index)(0x7fff0000, ...args);
      };
    try {
      assert.throws(() => threshold(target), WebAssembly.RuntimeError);
    } finally {
      delete kernels.function;
    }
    assert.equal(met, threads - 1, 'helpers at work when the kernel trapped');
    assert.equal(Atomics.load(arena.i32, gate), SHUT, 'helpers inside when the trap came out');
    arena.free(target);
    const next = arena.allocate(width * height);
    assert.equal(next, target, 'the same memory for somebody else');
    arena.u8.fill(7, next, next + width * height);
    await pause(6 * REST);
    assert.ok(arena.u8.subarray(next, next + width * height).every((v) => v === 7));
    arena.free(next);
  });

  it('leaves a pool that works', () => {
    const { arena } = runtime;
    const target = arena.allocate(width * height);
    threshold(target);
    const wanted = Uint8Array.from({ length: width * height }, (_, i) => (i % 251 > 100 ? 255 : 0));
    assert.deepEqual(arena.u8.slice(target, target + width * height), wanted);
    arena.free(target);
    assert.equal(helpers.length, threads - 1);
  });
});
