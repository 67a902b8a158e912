// What is predicted of a call before anything is measured, against the kept results of machines with a graphics card.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { costsOf, FILE, KEPT, linesOf, predictedRow } from '../../lab/door/sides.mjs';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';

const { isDiscrete, predict } = await importTs('src/runtime/backend-costs.ts');
const { firstChoice } = await importTs('src/runtime/backend-profile.ts');
const kept = (name) => JSON.parse(readFileSync(path.join(root, `lab/results/${name}.json`), 'utf8')).result;
const H100 = 'ANGLE (NVIDIA, Vulkan 1.4.312 (NVIDIA NVIDIA H100 80GB HBM3 (0x00002330)), NVIDIA)';

/** The first call is on the slower side of these two, by more than a tenth. */
function isSlower(row, threads, wasm, gpu) {
  const predicted = predictedRow(row, (...call) => predict(H100, threads, ...call));
  if (!predicted) return false; // nothing is predicted: it begins in WASM
  const [own, better] = firstChoice(predicted).backend === 'gpu' ? [gpu, wasm] : [wasm, gpu];
  return own > 1.1 * better;
}

describe('the predicted side', () => {
  it('is never one that took a tenth more on an H100', () => {
    const door = kept('door-h100');
    const slower = [];
    for (const [run, threads] of [
      ['wasm-1', 1],
      ['wasm-4', 4],
      ['wasm-8', 8],
    ])
      for (const [row, { worker }] of Object.entries(door[run].rows))
        if (isSlower(row, threads, worker.samples, door['gpu-1'].rows[row].worker.samples))
          slower.push(`${run} ${row}`);
    for (const [row, { wasm, gpu }] of Object.entries(kept('auto-h100').rows))
      if (isSlower(row, 1, wasm, gpu)) slower.push(`auto ${row}`);
    assert.deepEqual(slower, []);
  });

  it('is the GPU where that pays: nothing at all would be on the WASM side', () => {
    for (const row of ['dense flow 640x480', 'faces 1280x720'])
      assert.equal(firstChoice(predictedRow(row, (...call) => predict(H100, 1, ...call))).backend, 'gpu', row);
  });

  it('has coefficients that are those of the written rule', () => {
    const lines = linesOf(costsOf(JSON.parse(readFileSync(path.join(root, KEPT), 'utf8')).result));
    assert.ok(readFileSync(path.join(root, FILE), 'utf8').includes(lines), 'npm run lab -- sides door --write');
  });

  it('counts what has to be moved', () => {
    const of = (place, keep = false, steps = ['gaussian']) => predict(H100, 1, steps, 1 << 20, place, keep);
    assert.ok(of('gray').up > 0 && of('arena').up > 0);
    assert.ok(of('rgba').up > of('gray').up);
    assert.equal(of('both').up, 0);
    assert.equal(of('gpu', true).up + of('gpu', true).down, 0);
    assert.ok(of('gpu').wasm > of('both').wasm);
    assert.ok(of('gray', false, ['hessianEigenvalues']).down > 4 * of('gray').down);
    assert.equal(firstChoice(of('gpu', true, ['hessianEigenvalues'])).backend, 'gpu');
    const two = of('gray', false, ['gaussian', 'gaussian']);
    assert.equal(two.down, of('gray').down);
    assert.ok(two.wasm > 1.9 * of('gray').wasm);
  });

  it('is not given for operations and devices that no result was kept of', () => {
    const INTEL = 'ANGLE (Intel, Mesa Intel(R) UHD Graphics 620)';
    assert.equal(predict(H100, 1, ['houghLines'], 1 << 20, 'gray'), null);
    assert.equal(predict(H100, 1, ['canny', 'houghLines'], 1 << 20, 'gray'), null);
    assert.equal(predict(INTEL, 1, ['canny'], 1 << 20, 'gray'), null);
    for (const card of ['NVIDIA GeForce RTX 3060/PCIe/SSE2', 'ANGLE (AMD, AMD Radeon RX 6800 XT)', H100])
      assert.ok(isDiscrete(card), card);
    for (const own of ['Apple M1', 'Adreno (TM) 640', 'ANGLE (AMD, AMD Radeon(TM) Graphics)', 'Mali-G78', INTEL])
      assert.ok(!isDiscrete(own), own);
  });
});
