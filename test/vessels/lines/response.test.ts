/** Line response and results at full size: no seams between bands and strips, closed forms, both sides of the engine. */
import { expect } from 'chai';
import { createEngine } from '../../../src/index.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import { drive, driveNow, run } from '../../../src/runtime/stage.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { packedEigenvalues } from '../../../src/vessels/hessian/eigenvalues.gpu.ts';
import { eigenvalueRows } from '../../../src/vessels/hessian/eigenvalues.ts';
import { fullSizeMasks } from '../../../src/vessels/segment/full-size.ts';
import { blockResponse } from '../../../src/vessels/segment/find-vessels.ts';
import { enlargeResponse } from '../../../src/vessels/vessels.ts';
import { lineMaximum, lineMaximumInBands, lineTerms } from '../../../src/vessels/lines/maximum.ts';
import { reducedScale } from '../../../src/vessels/lines/scale.ts';
import { generator } from '../../parity/cases.ts';
import { makeRuntime } from '../../parity/backends.ts';
import { full, itInFull } from '../../support/full.ts';

const floats = (count: number, seed: number) => {
  const random = generator(seed);
  return Float32Array.from({ length: count }, () => 20 * random() - 10);
};

describe('line response', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => runtime.dispose());

  it('has no seams: bands of rows give the bytes of the whole, at the border of a band, one less and one more', async () => {
    const width = 61;
    const [sigma, length, scale] = [1.7, 11, 60];
    for (const band of [32, 48])
      for (const height of [1, band - 1, band, band + 1, 2 * band - 1, 2 * band, 2 * band + 1]) {
        const source = runtime.plane(width, height, 'f32', floats(width * height, height));
        const terms = await run(runtime, lineTerms, [source], { sigma, scale });
        const [whole] = await run(runtime, lineMaximum, terms, { sigma, length });
        const banded = driveNow(runtime, (scope) =>
          lineMaximumInBands(scope, source, { sigma, length, scale }, band * width),
        );
        expect(banded.copy(), `${height} rows in bands of ${band}`).to.deep.equal(whole.copy());
        for (const plane of [source, ...terms, whole, banded]) plane.dispose();
      }
    expect(runtime.arena.blocks).to.be.at.most(1);
  });

  it('is largest on a dark line of its width, whatever its direction, and 0 on a bright one', async () => {
    const size = 65;
    for (const degrees of [0, 15, 40, 90, 135]) {
      const angle = (degrees * Math.PI) / 180;
      const across = (i: number) => {
        const [x, y] = [(i % size) - 32, Math.floor(i / size) - 32];
        return x * Math.sin(angle) - y * Math.cos(angle);
      };
      const line = (depth: number) =>
        Float32Array.from({ length: size * size }, (_, i) => -depth * Math.exp((-0.5 * across(i) ** 2) / 4));
      const responses = [];
      for (const depth of [10, -10]) {
        const source = runtime.plane(size, size, 'f32', line(depth));
        const scale = 400;
        const best = driveNow(runtime, (scope) => lineMaximumInBands(scope, source, { sigma: 2, length: 11, scale }));
        responses.push(best.copy());
        source.dispose();
        best.dispose();
      }
      const [dark, bright] = responses as [Int16Array, Int16Array];
      const center = 32 * size + 32;
      // Second derivative of a Gaussian of variance 4 smoothed by one of variance 4, of 7 samples 1.6 apart.
      const expected = (7 * 400 * 10 * 2) / 8 ** 1.5;
      expect(dark[center]! / expected, `${degrees} degrees`).to.be.closeTo(1, 0.12);
      const off = (i: number) => Math.abs(across(i)) > 4 && Math.hypot((i % size) - 32, Math.floor(i / size) - 32) < 20;
      for (let i = 0; i < dark.length; i++) if (off(i)) expect(dark[i]).to.be.below(dark[center]! / 2);
      expect(bright[center]).to.be.below(dark[center]! / 10);
    }
  });

  it('reduces coarse scales only as far as their sigma allows', () => {
    expect(reducedScale({ sigma: 1.2, length: 9 })).to.deep.include({ halvings: 0, sigma: 1.2, length: 9 });
    const coarse = reducedScale({ sigma: 12, length: 40 });
    expect(coarse.halvings).to.equal(2);
    expect(coarse.length).to.equal(10);
    // What the means over blocks smooth is not smoothed again.
    expect(16 * coarse.sigma ** 2 + 15 / 12).to.be.closeTo(144, 1e-9);
    expect(reducedScale({ sigma: 32, length: 90 }).halvings).to.equal(3);
  });

  itInFull('strips on the GPU have no seams, at the border of a strip, one less and one more', async () => {
    const gpu = runtime.gpu!;
    const width = 8190; // 2048 texels, 256 rows a strip
    const random = generator(5);
    const data = Uint8Array.from({ length: width * 257 }, () => 256 * random());
    for (const height of full ? [255, 256, 257] : [256, 257]) {
      const source = runtime.plane(width, height, 'u8', data.subarray(0, width * height));
      const expected = driveNow(runtime, function* (scope) {
        const planes = [scope.plane(width, height, 'f32'), scope.plane(width, height, 'f32')];
        const params = { sigma: 0.7, derivative: 'gaussian' } as const;
        yield* eigenvalueRows(scope, source, params, 'value')(planes, 0, height);
        return planes.map((plane) => plane.copy());
      });
      await drive(runtime, function* (scope) {
        for (const [i, texture] of packedEigenvalues(scope, source, 0.7, 'value').entries()) {
          const rows = { x: 0, y: 250, width: texture.width, height: height - 250 };
          const found = new Float32Array((yield* scope.wait(gpu.read(texture, rows))).buffer);
          let worst = 0;
          for (let y = 250; y < height; y++)
            for (let x = 0; x < width; x++)
              worst = Math.max(
                worst,
                Math.abs(found[(y - 250) * 4 * texture.width + x]! - expected[i]![y * width + x]!),
              );
          expect(worst, `${height} rows`).to.be.below(2e-6);
        }
      });
      source.dispose();
    }
    const height = 129; // strips of 127 rows
    const term = (i: number) =>
      runtime.plane(
        width,
        height,
        'i16',
        Int16Array.from(floats(width * height, i), (v) => 100 * v),
      );
    const terms: [Plane, Plane, Plane] = [term(0), term(1), term(2)];
    const params = { sigma: 1, length: 2 };
    const [best] = await run(runtime, lineMaximum, terms, params, { backend: 'gpu' });
    const [expected] = await run(runtime, lineMaximum, terms, params, { backend: 'wasm' });
    expect(await best.read()).to.deep.equal(expected.copy());
    for (const plane of [...terms, best, expected]) plane.dispose();
    expect(gpu.textures.lent).to.equal(0);
  }).timeout(60_000);

  it('enlarges values and masks by interpolation between the centers of blocks, across the border of a band', async () => {
    const width = 4099; // 127 rows a band
    for (const block of [1, 2, 3, 8])
      for (const height of [126, 127, 128, 129]) {
        const [columns, rows] = [Math.ceil(width / block), Math.ceil(height / block)];
        const samples = floats(columns * rows, block);
        const plane = runtime.plane(columns, rows, 'f32', samples);
        const field = runtime.plane(2, 1, 'f32', Float32Array.of(1, 0));
        const blocks = blockResponse(plane, 3, { block, width, height });
        const values = enlargeResponse(blocks);
        const half = Math.ceil(width / 2);
        const geometry = Float64Array.of(width, height, block, half, 1);
        const [mask, inside, fraction] = await run(runtime, fullSizeMasks, [plane, field, geometry]);
        const at = (i: number, count: number) => {
          const u = Math.min(Math.max((i + 0.5) / block - 0.5, 0), count - 1);
          const low = Math.floor(u);
          return [low, Math.min(low + 1, count - 1), u - low] as const;
        };
        let wrong = 0;
        for (let y = 0; y < height; y++) {
          const [a, b, v] = at(y, rows);
          for (let x = 0; x < width; x++) {
            const [l, r, u] = at(x, columns);
            const row = (k: number) => (1 - u) * samples[k * columns + l]! + u * samples[k * columns + r]!;
            const expected = (1 - v) * row(a) + v * row(b);
            const i = y * width + x;
            if (Math.abs(values[i]! - 3 * expected) > 1e-4) wrong++;
            if (Math.abs(expected - 1) > 1e-4 && mask[i] !== (expected > 1 ? 255 : 0)) wrong++;
          }
        }
        expect(wrong, `blocks of ${block}, ${height} rows`).to.equal(0);
        const total = inside.reduce((n, f) => n + (f ? 1 : 0), 0);
        const both = inside.reduce((n, f, i) => n + (f && mask[i] ? 1 : 0), 0);
        expect(fraction).to.equal(both / total);
        plane.dispose();
        field.dispose();
      }
  }).timeout(60_000);

  itInFull('finds the same vessels on either side of the engine', async () => {
    const size = 260;
    const random = generator(9);
    const data = new Uint8ClampedArray(4 * size * size);
    for (let i = 0; i < size * size; i++) {
      const [x, y] = [(i % size) - 130, Math.floor(i / size) - 130];
      data[4 * i + 3] = 255;
      if (Math.hypot(x, y) > 124) continue;
      const line = Math.abs(y - 20 * Math.sin(x / 25)) < 2 || Math.abs(x + y / 3) < 3 ? 0.7 : 1;
      data[4 * i] = 190 + 10 * random();
      data[4 * i + 1] = 110 * line + 8 * random();
      data[4 * i + 2] = 40;
    }
    const results = [];
    for (const backend of ['wasm', 'gpu'] as const) {
      const engine = await createEngine({ worker: false, backend, threads: 1 });
      const picture = { width: size, height: size, data } as unknown as ImageData;
      results.push(await engine.vessels(picture, { scales: 'all' }));
      await engine.dispose();
    }
    const [wasm, gpu] = results as [(typeof results)[0], (typeof results)[0]];
    expect(wasm.fraction).to.be.above(0.03);
    let different = 0;
    for (let i = 0; i < size * size; i++) {
      expect(Math.abs(wasm.response[i]! - gpu.response[i]!)).to.be.below(0.02 + 0.02 * wasm.response[i]!);
      if (wasm.mask.data[i] !== gpu.mask.data[i]) different++;
    }
    expect(different).to.be.below(1e-3 * size * size);
  }).timeout(60_000);
});
