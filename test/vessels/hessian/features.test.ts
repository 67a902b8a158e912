/** Lines, blobs and vesselness: closed forms on both sides, the golden figures, bands of large images, bad input. */
import { expect } from 'chai';
import { createEngine } from '../../../src/index.ts';
import type { Engine } from '../../../src/api.ts';
import type { Plan } from '../../../src/runtime/wasm/kernel-step.ts';
import type { Plane } from '../../../src/runtime/plane.ts';
import { VesselnessTermsRecord } from '../../../src/runtime/wasm/records.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { Scope } from '../../../src/runtime/scope.ts';
import { driveNow, run } from '../../../src/runtime/stage.ts';
import { eigenvalueRows } from '../../../src/vessels/hessian/eigenvalues.ts';
import {
  lineOrBlob,
  terms as termsOf,
  vesselness,
  type Feature,
  type Measure,
} from '../../../src/vessels/hessian/features.ts';
import { allGolden, difference, type Golden } from '../../image/golden.ts';
import { generator } from '../../parity/cases.ts';
import { makeRuntime } from '../../parity/backends.ts';

interface Gray {
  width: number;
  height: number;
  data: Uint8Array;
}

const backends = ['wasm', 'gpu'] as const;
const features: readonly Feature[] = ['dark-line', 'bright-line', 'dark-blob', 'bright-blob'];
const side = 61;
const center = 30 * side + 30;

/** A Gaussian profile of the given depth below (or, negative, above) gray 128: a line down the middle or a blob. */
const drawn = (shape: 'line' | 'blob', sigma: number, depth: number): Gray => ({
  width: side,
  height: side,
  data: Uint8Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [(i % side) - 30, shape === 'blob' ? Math.floor(i / side) - 30 : 0];
    return Math.round(128 - depth * Math.exp(-(x * x + y * y) / (2 * sigma * sigma)));
  }),
});

const noise = (width: number, height: number, seed: number): Gray => {
  const random = generator(seed);
  return { width, height, data: Uint8Array.from({ length: width * height }, () => 256 * random()) };
};

describe('lines, blobs and vesselness', () => {
  let runtime: Runtime;
  let engine: Engine;
  before(async () => {
    runtime = await makeRuntime();
    engine = await createEngine({ worker: false, backend: 'wasm', threads: 1 });
  });
  after(() => {
    runtime.dispose();
    return engine.dispose();
  });

  async function onPlane<T>(image: Gray, body: (source: Plane) => Promise<T> | T): Promise<T> {
    const source = runtime.plane(image.width, image.height, 'u8', image.data);
    try {
      return await body(source);
    } finally {
      source.dispose();
    }
  }

  const strength = async (where: (typeof backends)[number], image: Gray, sigma: number, feature: Feature) => {
    const params = { sigma, feature, derivative: 'gaussian' } as const;
    const [values] = await onPlane(image, (source) => run(runtime, lineOrBlob, [source], params, { backend: where }));
    return values;
  };

  const measured = (where: (typeof backends)[number], image: Gray, sigmas: readonly number[], measure: Measure) =>
    onPlane(image, (source) =>
      run(
        runtime,
        vesselness,
        [source, Float64Array.from(sigmas)],
        { ...measure, bestSigma: true },
        { backend: where },
      ),
    );

  /** The eigenvalues of a whole image in one go, and what `body` makes of them. */
  const inOneGo = (image: Gray, body: (scope: Scope, source: Plane) => Plan<Plane[]>) =>
    onPlane(image, (source) =>
      driveNow(runtime, function* (scope) {
        return (yield* body(scope, source)).map((plane) => plane.copy() as Float32Array);
      }),
    );

  function* wholeEigenvalues(scope: Scope, source: Plane, sigma: number): Plan<[Plane, Plane]> {
    const { width, height } = source;
    const planes: [Plane, Plane] = [scope.plane(width, height, 'f32'), scope.plane(width, height, 'f32')];
    const params = { sigma, derivative: 'gaussian' } as const;
    yield* eigenvalueRows(scope, source, params, 'magnitude')(planes, 0, height);
    return planes;
  }

  it('tells the four shapes of figure 1 apart', async () => {
    const shapes = [
      ['dark-line', drawn('line', 3, 60)],
      ['bright-line', drawn('line', 3, -60)],
      ['dark-blob', drawn('blob', 3, 60)],
      ['bright-blob', drawn('blob', 3, -60)],
    ] as const;
    for (const where of backends)
      for (const [shape, image] of shapes)
        for (const feature of features) {
          const value = (await strength(where, image, 3, feature))[center]!;
          if (feature === shape) expect(value, `${where}: ${feature}`).to.be.above(0.04);
          else expect(value, `${where}: ${feature} of a ${shape}`).to.be.below(0.003);
        }
  });

  it('has the closed form of a Gaussian line, and one value for one contrast at every width that fits its sigma', async () => {
    // Depth d, width s, smoothed with s: d s / (s sqrt 2) at the center, second derivative over (s sqrt 2)^2, times s^2.
    const expected = 100 / 255 / (2 * Math.SQRT2);
    for (const where of backends)
      for (const sigma of [3, 4.5, 6])
        expect((await strength(where, drawn('line', sigma, 100), sigma, 'dark-line'))[center]).to.be.closeTo(
          expected,
          0.02 * expected,
        );
  });

  it('finds the scale of a line from its width, dark and bright, on both sides', async () => {
    const sigmas = [1, 2, 4, 8];
    for (const where of backends)
      for (const polarity of ['dark', 'bright'] as const) {
        // For a Gaussian profile of width s the response s'^2 s / (s^2 + s'^2)^1.5 is largest at s' = s sqrt 2.
        const image = drawn('line', 2.8, polarity === 'dark' ? 60 : -60);
        const [response, scale] = await measured(where, image, sigmas, { polarity, beta: 0.5, c: 0.06 });
        expect(scale![center]).to.equal(4);
        expect(response![center]).to.be.above(0.5);
        const other = polarity === 'dark' ? 'bright' : 'dark';
        const [none, nowhere] = await measured(where, image, sigmas, { polarity: other, beta: 0.5, c: 0.06 });
        expect(none![center]).to.equal(0);
        expect(nowhere![center]).to.equal(0);
      }
  });

  async function reproduced(golden: Golden): Promise<number> {
    const cases = golden.cases.filter(({ op }) => op === 'vesselness');
    for (const c of cases) {
      const [height, width] = c.inputs[0]!.shape as [number, number];
      const data = (await golden.samples(c.inputs[0]!)) as Uint8Array;
      const { sigmas, beta } = c.params as unknown as { sigmas: number[]; beta: number };
      // The golden figures are in gray levels, the engine's in 0..1.
      const measure = { polarity: 'dark', beta, c: c.params.c! / 255 } as const;
      for (const where of backends) {
        const [response] = await measured(where, { width, height, data }, sigmas, measure);
        expect(await difference(golden, c.expected[0]!, response!, c.tolerance.maxAbs), `${c.id} ${where}`).to.equal(
          '',
        );
      }
    }
    return cases.length;
  }

  it('reproduces the golden figures on both sides', async () => {
    for (const golden of await allGolden('vessels')) expect(await reproduced(golden)).to.be.at.least(4);
  });

  it('goes with scikit-image’s Frangi filter, which has another stencil, as far as the manifest says', async () => {
    for (const golden of await allGolden('vessels')) {
      const cases = golden.cases.filter(({ op }) => op === 'vesselness_skimage');
      expect(cases.length).to.be.at.least(4);
      for (const c of cases) {
        const [height, width] = c.inputs[0]!.shape as [number, number];
        const data = (await golden.samples(c.inputs[0]!)) as Uint8Array;
        const { sigmas, beta, gamma } = c.params as unknown as { sigmas: number[]; beta: number; gamma: number };
        const { response } = await engine.vesselness({ width, height, data }, { sigmas, beta, c: gamma });
        const least = (c.tolerance as unknown as { minCorrelation: number }).minCorrelation;
        expect(correlation(response, await golden.samples(c.expected[0]!)), c.id).to.be.above(least);
      }
    }
  });

  it('has no seams between the bands of a large image', async () => {
    const image = noise(3001, 200, 5);
    const sigmas = [1, 2.5];
    const measure = { polarity: 'bright', beta: 0.7, c: 0.1 } as const;
    const [response, scale] = await inOneGo(image, function* (scope, source) {
      const { width, height } = source;
      const [best, scales] = [scope.plane(width, height, 'f32'), scope.plane(width, height, 'f32')];
      for (const [k, sigma] of sigmas.entries()) {
        const [first, second] = yield* wholeEigenvalues(scope, source, sigma);
        const fresh = k === 0;
        const terms = scope.record(VesselnessTermsRecord, { ...termsOf(sigma, measure), sigma, fresh });
        const { stride } = best;
        yield* scope.kernels.vesselness({ first, second, best, scales, stride, width, terms }, { rows: height });
      }
      return [best, scales];
    });
    const result = await engine.vesselness(image, { sigmas, ...measure, bestSigma: true });
    expect(result.response).to.deep.equal(response);
    expect(result.bestSigma).to.deep.equal(scale);
    const [whole] = await inOneGo(image, function* (scope, source) {
      const [first, second] = yield* wholeEigenvalues(scope, source, 2);
      const { stride, width, height } = first;
      const how = { factor: -4, blob: true };
      yield* scope.kernels.lineOrBlob({ first, second, target: first, stride, width, ...how }, { rows: height });
      return [first];
    });
    const blobs = await engine.ridgeFeature(image, { sigma: 2, feature: 'bright-blob' });
    expect(blobs.response).to.deep.equal(whole);
  });

  it('gives no scale unless it is asked for, and nothing for an even image', async () => {
    const image = { width: 20, height: 9, data: new Uint8Array(180).fill(77) };
    const result = await engine.vesselness(image);
    expect(result.bestSigma).to.equal(undefined);
    expect(result.response.every((v) => v === 0)).to.equal(true);
    const { response } = await engine.ridgeFeature(image);
    expect(Math.max(...response)).to.be.below(1e-5);
  });

  it('refuses scales that are none or do not fit, and goes on', async () => {
    const image = noise(12, 7, 3);
    const bad = [[], [0], [1, Number.NaN], [33], [2, 13], new Array(17).fill(1), 2, ['1']];
    for (const sigmas of bad as number[][]) {
      const error = (await engine.vesselness(image, { sigmas }).catch((e: unknown) => e)) as { code: string };
      expect(error.code, String(sigmas)).to.equal('invalid-argument');
      expect((error as unknown as Error).message).to.match(/sigma/);
    }
    for (const options of [{ sigma: 0 }, { sigma: 13 }, { feature: 'line' as Feature }]) {
      const error = (await engine.ridgeFeature(image, options).catch((e: unknown) => e)) as { code: string };
      expect(error.code).to.equal('invalid-argument');
    }
    expect((await engine.vesselness(image)).response).to.have.length(84);
    for (const [width, height] of [
      [1, 40],
      [40, 1],
      [1, 1],
    ] as const) {
      const one = noise(width, height, 9);
      const sigmas = [Math.min(1, Math.max(width, height))];
      expect((await engine.vesselness(one, { sigmas })).response.every((v) => v >= 0 && v <= 1)).to.equal(true);
    }
  });
});

function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const mean = (v: ArrayLike<number>) => Array.from(v).reduce((s, x) => s + x, 0) / v.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += (a[i]! - ma) * (b[i]! - mb);
    aa += (a[i]! - ma) ** 2;
    bb += (b[i]! - mb) ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}
