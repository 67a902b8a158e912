// Vessels by the shipped network: drawn trees are found, and nothing is along the borders of a field without vessels.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { importTs } from '../../../tools/import-ts.mjs';
import { generator } from '../../../tools/random.mjs';
import { root } from '../../../tools/setup.mjs';
import { itInFull } from '../../support/full.mjs';

const lib = await importTs('test/node/network/library.ts');
const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
const network = lib.readNetwork(new Uint8Array(readFileSync(path.join(root, 'models/vessels.bin'))));

async function vessels({ width, height, data }, values = {}) {
  const runtime = await lib.Runtime.create({ module });
  const source = runtime.plane(width, height, 'rgba8', new Uint8Array(data.buffer));
  const params = lib.resolveParameters(lib.vesselParameters, values, 'test');
  const found = await lib.drive(runtime, (scope) => lib.findVessels(scope, source, params, network), {
    backend: 'wasm',
  });
  source.dispose();
  assert.ok(runtime.arena.blocks <= 1, 'blocks left on the arena');
  runtime.dispose();
  return found;
}

/** Curves of three widths across a fundus, and where they are. */
function scene() {
  const curve = (at, bend, width) => ({
    width,
    depth: 0.3,
    points: Array.from({ length: 40 }, (_, i) => [60 + 12 * i, at + bend * Math.sin(i / 7)]),
  });
  const lines = [curve(180, 30, 8), curve(300, -25, 5), curve(420, 20, 3)];
  return { width: 600, height: 600, fundus: true, noise: 3, seed: 4, lines };
}
const photograph = lib.drawnPhotograph(scene());
const clear = await vessels(photograph);

/** Noise of a field that is cut above and below, and that ends at the picture's sides. */
function bare() {
  const [width, height] = [600, 460];
  const random = generator(9);
  const data = new Uint8ClampedArray(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const y = Math.floor(i / width);
    const level = y < 40 || y >= 420 ? 2 : 110 + 12 * (random() + random() - 1);
    data.set([level, level, level / 2, 255], 4 * i);
  }
  return { width, height, data };
}

describe('vessels by a network', () => {
  it('are those that were drawn', async () => {
    const drawn = scene();
    const { mask } = clear;
    const depth = lib.drawnGray({ ...drawn, fundus: false, noise: 0, blur: 0 }).data;
    let [both, all] = [0, 0];
    depth.forEach((v, i) => {
      const [truth, found] = [v < 100, mask.data[i] > 127];
      all += Number(truth) + Number(found);
      both += 2 * Number(truth && found);
    });
    assert.ok(both / all > 0.85, `Dice ${both / all}`);
  });

  it('are the wide ones alone with thick scales, and none in an even picture', async () => {
    const [all, thick] = [clear, await vessels(photograph, { scales: 'thick' })];
    const at = ({ mask }, x, y) =>
      Math.max(...[-2, -1, 0, 1, 2].map((dy) => mask.data[(Math.round(y) + dy) * 600 + x]));
    const points = scene().lines.map(({ points: list }) => list[20]);
    assert.deepEqual(points.map(([x, y]) => at(all, x, y)), [255, 255, 255]); // prettier-ignore
    assert.deepEqual(points.map(([x, y]) => at(thick, x, y)), [255, 255, 0]); // prettier-ignore
    assert.ok(thick.mask.data.every((value, i) => value <= all.mask.data[i]));
    const data = new Uint8ClampedArray(4 * 300 * 300).fill(128);
    const even = await vessels({ width: 300, height: 300, data });
    assert.equal(even.fraction, 0);
    assert.equal(even.confidence, 0);
  });

  itInFull('are lines where the field is a small part of a large picture, within the limit of memory', async () => {
    const field = { x: 700, y: 700, radius: 372 };
    const lines = [{ width: 8, depth: 0.3, points: [[500, 700], [900, 740]] }]; // prettier-ignore
    const large = lib.drawnPhotograph({ width: 1400, height: 1400, fundus: true, noise: 1, field, lines });
    const { quality, fraction, warnings } = await vessels(large);
    assert.equal(quality, undefined);
    assert.match(warnings[0], /Crop the image/);
    assert.ok(fraction > 0);
  });

  it('have a grade of image quality, which noise lowers', async () => {
    assert.equal(clear.quality.grade, 'good');
    const { quality: strict } = await vessels(photograph, { thresholdFactor: 3 });
    assert.ok(
      Math.abs(strict.agreement - clear.quality.agreement) < 1e-6,
      'the threshold is not a property of the image',
    );
    assert.ok(!clear.warnings.some((text) => text.includes('hardly visible')));
    const { quality, warnings, confidence } = await vessels(lib.drawnPhotograph({ ...scene(), noise: 60 }));
    assert.equal(quality.grade, 'poor', `agreement ${quality.agreement}`);
    assert.ok(warnings.some((text) => text.includes('hardly visible')));
    assert.ok(confidence < clear.confidence);
  });

  itInFull('are more with a smaller factor of the threshold', async () => {
    const [few, many] = [
      await vessels(photograph, { thresholdFactor: 1.5 }),
      await vessels(photograph, { thresholdFactor: 0.5 }),
    ];
    assert.ok(many.fraction > few.fraction);
  });

  itInFull('are none along the borders of a bare field', async () => {
    const { fraction } = await vessels(bare());
    assert.ok(fraction < 0.002, `share ${fraction}`);
  });
});
