/** Eigenvalues of the Hessian: closed forms, the golden figures on both sides, bands of large images, bad input. */
import { expect } from 'chai';
import { createEngine } from '../../../src/index.ts';
import type { Engine } from '../../../src/api.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { driveNow, run, type Backend } from '../../../src/runtime/stage.ts';
import type { EigenvalueOrder, EigenvalueValues } from '../../../src/vessels/hessian/parameters.ts';
import { eigenvalueRows, hessian } from '../../../src/vessels/hessian/eigenvalues.ts';
import { allGolden, difference, type Golden } from '../../image/golden.ts';
import { generator } from '../../parity/cases.ts';
import { makeRuntime } from '../../parity/backends.ts';

type Channel = EigenvalueValues['derivative'];

const noise = (width: number, height: number, seed: number) => {
  const random = generator(seed);
  return { width, height, data: Uint8Array.from({ length: width * height }, () => 256 * random()) };
};

describe('Hessian eigenvalues', () => {
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

  async function eigenvalues(
    backend: Backend,
    { width, height, data }: { width: number; height: number; data: Uint8Array },
    sigma: number,
    order: EigenvalueOrder,
    derivative: Channel = 'gaussian',
  ): Promise<Float32Array[]> {
    const source = runtime.plane(width, height, 'u8', data);
    const params = { sigma, derivative };
    try {
      if (backend === 'gpu') return [...(await run(runtime, hessian, [source], { ...params, order }, { backend }))];
      // Of the whole image in one go.
      return driveNow(runtime, function* (scope) {
        const planes = [scope.plane(width, height, 'f32'), scope.plane(width, height, 'f32')];
        yield* eigenvalueRows(scope, source, params, order)(planes, 0, height);
        return planes.map((plane) => plane.copy() as Float32Array);
      });
    } finally {
      source.dispose();
    }
  }

  it('gives 2a and 2b for the paraboloid a x^2 + b y^2, in gray 0..1', async () => {
    const width = 41;
    const data = Uint8Array.from({ length: width * width }, (_, i) => {
      const [x, y] = [(i % width) - 20, Math.floor(i / width) - 20];
      return (x * x) / 4 + (y * y) / 8;
    });
    // Floored to whole levels: smoothed over many of them, what is left is far below the curvature.
    for (const backend of ['wasm', 'gpu'] as const) {
      const [small, large] = await eigenvalues(backend, { width, height: width, data }, 3, 'magnitude');
      expect(small![20 * width + 20]! * 255).to.be.closeTo(0.25, 0.02);
      expect(large![20 * width + 20]! * 255).to.be.closeTo(0.5, 0.02);
    }
  });

  it('is 0 and the second difference across for a line, with the sign of its contrast', async () => {
    const width = 31;
    for (const [line, ground, sign] of [
      [20, 200, 1],
      [200, 20, -1],
    ] as const) {
      const data = Uint8Array.from({ length: width * width }, (_, i) =>
        Math.abs((i % width) - 15) < 2 ? line : ground,
      );
      const result = await engine.hessianEigenvalues({ width, height: width, data }, { sigma: 2 });
      const center = 15 * width + 15;
      expect(result.lambda1[center]).to.be.closeTo(0, 1e-6);
      expect(sign * result.lambda2[center]!).to.be.above(0.05);
    }
  });

  it('orders by magnitude, on both sides the same values as in ascending order', async () => {
    for (const backend of ['wasm', 'gpu'] as const) {
      const image = noise(53, 37, 7);
      const [first, second] = await eigenvalues(backend, image, 1.4, 'magnitude');
      const [low, high] = await eigenvalues(backend, image, 1.4, 'value');
      for (let i = 0; i < first!.length; i++) {
        expect(Math.abs(first![i]!) <= Math.abs(second![i]!), `${backend} ${i}`).to.equal(true);
        expect([Math.min(first![i]!, second![i]!), Math.max(first![i]!, second![i]!)]).to.deep.equal([
          low![i],
          high![i],
        ]);
      }
    }
  });

  it('has no seams between the bands of a large image', async () => {
    const image = noise(5001, 130, 11);
    for (const derivative of ['gaussian', 'sobel', 'gradients'] as const) {
      const whole = await eigenvalues('wasm', image, 2, 'magnitude', derivative);
      const result = await engine.hessianEigenvalues(image, { sigma: 2, derivative });
      expect(result.lambda1).to.deep.equal(whole[0]);
      expect(result.lambda2).to.deep.equal(whole[1]);
    }
  });

  it('takes gradients of gradients one-sided at the border', async () => {
    // Weights 1 and w of three samples; where w is 0, the gradient is 100 100 10 -80 and that of it 0 -45 -90 -90.
    const row = [0, 100, 200, 120];
    const w = Math.exp(-1 / (2 * 0.3 ** 2));
    const l = row.map((v, i) => (v + w * (row[Math.max(i - 1, 0)]! + row[Math.min(i + 1, 3)]!)) / (1 + 2 * w));
    const gradient = ([a, b, c, d]: number[]) => [b! - a!, (c! - a!) / 2, (d! - b!) / 2, d! - c!];
    const expected = gradient(gradient(l));
    for (const backend of ['wasm', 'gpu'] as const)
      for (const upright of [false, true]) {
        const place = (i: number) => (upright ? Math.floor(i / 3) : i % 4);
        const [width, height] = upright ? [3, 4] : [4, 3];
        const data = Uint8Array.from({ length: 12 }, (_, i) => row[place(i)]!);
        const [low, high] = await eigenvalues(backend, { width, height, data }, 0.3, 'value', 'gradients');
        for (let i = 0; i < 12; i++) {
          const along = expected[place(i)]!;
          expect(low![i]! * 255, `${backend} ${i}`).to.be.closeTo(Math.min(along, 0), 1e-3);
          expect(high![i]! * 255, `${backend} ${i}`).to.be.closeTo(Math.max(along, 0), 1e-3);
        }
      }
  });

  describe("derivative 'sobel'", () => {
    const size = 61;
    /** A dark line of Gaussian profile, sigma 3, through the middle at this angle. */
    const line = (degrees: number) => {
      const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
      const data = Uint8Array.from({ length: size * size }, (_, i) => {
        const across = ((i % size) - 30) * sin - (Math.floor(i / size) - 30) * cos;
        return Math.round(200 - 150 * Math.exp((-across * across) / 18));
      });
      return { width: size, height: size, data };
    };

    it('gives the eigenvalues of x^2 + x y + 3 y^2, exactly', async () => {
      const width = 11;
      const data = Uint8Array.from({ length: width * width }, (_, i) => {
        const [x, y] = [(i % width) - 5, Math.floor(i / width) - 5];
        return 30 + x * x + x * y + 3 * y * y;
      });
      for (const backend of ['wasm', 'gpu'] as const) {
        const [low, high] = await eigenvalues(backend, { width, height: width, data }, 2, 'value', 'sobel');
        for (const i of [2 * width + 2, 5 * width + 5, 8 * width + 6]) {
          expect(low![i]! * 255, backend).to.be.closeTo(4 - Math.sqrt(5), 1e-4);
          expect(high![i]! * 255, backend).to.be.closeTo(4 + Math.sqrt(5), 1e-4);
        }
      }
    });

    it("is OpenCV's Sobel of 5x5, over 64, on drawn shapes", async () => {
      // getDerivKernels: 1, then (1 1) as often as it smooths and (-1 1) as often as it differentiates.
      const kernel = (order: number) => {
        let taps = [1];
        for (let k = 0; k < 4; k++) taps = [...taps, 0].map((v, i) => v * (k < order ? -1 : 1) + (taps[i - 1] ?? 0));
        return taps;
      };
      const { width, height, data } = line(33);
      for (let i = 0; i < data.length; i++)
        if (Math.hypot((i % size) - 44, Math.floor(i / size) - 14) < 7.3) data[i] = 20; // a disc with sharp edges
      const levelAt = (x: number, y: number) =>
        data[Math.min(Math.max(y, 0), height - 1) * width + Math.min(Math.max(x, 0), width - 1)]!;
      const derivative = (dx: number, dy: number, x: number, y: number) => {
        const [across, down] = [kernel(dx), kernel(dy)];
        return (
          across.reduce(
            (sum, a, i) => sum + a * down.reduce((s, d, j) => s + d * levelAt(x + i - 2, y + j - 2), 0),
            0,
          ) / 64
        );
      };
      for (const backend of ['wasm', 'gpu'] as const) {
        const [low, high] = await eigenvalues(backend, { width, height, data }, 2, 'value', 'sobel');
        for (let i = 0; i < data.length; i++) {
          const at = [i % width, Math.floor(i / width)] as const;
          const [xx, yy, xy] = [derivative(2, 0, ...at), derivative(0, 2, ...at), derivative(1, 1, ...at)];
          const root = Math.sqrt(((xx - yy) / 2) ** 2 + xy * xy);
          expect(low![i]! * 255, `${backend} ${i}`).to.be.closeTo((xx + yy) / 2 - root, 5e-4);
          expect(high![i]! * 255, `${backend} ${i}`).to.be.closeTo((xx + yy) / 2 + root, 5e-4);
        }
      }
    });

    it('is strongest on the middle of a dark line, alike to both sides and at every angle', async () => {
      // Depth 150 and variance 9, smoothed by 1.5 across (1 in the kernel along, 0.5 + 1 where it differentiates).
      const strengths: number[] = [];
      for (let degrees = 0; degrees < 180; degrees += 15) {
        const { response } = await engine.ridgeFeature(line(degrees), { feature: 'dark-line', derivative: 'sobel' });
        const across = [-4, -2, 0, 2, 4].map((k) => {
          const [x, y] = [30 + k * Math.sin((degrees * Math.PI) / 180), 30 - k * Math.cos((degrees * Math.PI) / 180)];
          return response[Math.round(y) * size + Math.round(x)]!;
        });
        strengths.push(across[2]! * 255);
        expect(across[2], `${degrees}`).to.be.above(Math.max(across[0]!, across[4]!));
        if (degrees % 90 === 0) expect(across[0]).to.be.closeTo(across[4]!, 1e-6);
      }
      const closed = (150 / 9) * (1 + 1 / 9) ** -1.5;
      for (const strength of strengths) expect(strength / closed).to.be.within(0.94, 1.06);
    });
  });

  it('refuses sigma 0 and a sigma larger than the image, and goes on', async () => {
    const image = noise(9, 5, 3);
    for (const sigma of [0, 10, Number.NaN, 33]) {
      const error = await engine.hessianEigenvalues(image, { sigma }).catch((e: unknown) => e);
      expect((error as { code: string }).code, String(sigma)).to.equal('invalid-argument');
      expect((error as Error).message).to.match(/sigma/);
    }
    expect((await engine.hessianEigenvalues(image)).lambda1).to.have.length(45);
  });

  it('cancels between bands', async () => {
    const image = noise(3000, 1000, 5);
    const stop = new AbortController();
    const call = engine.hessianEigenvalues(image, { sigma: 8, signal: stop.signal, onProgress: () => stop.abort() });
    expect(((await call.catch((e: unknown) => e)) as { code: string }).code).to.equal('aborted');
  });

  /** Operations of the manifest: the derivative that each is, and the unit of its eigenvalues for gray 0..1. */
  const operations: Readonly<Record<string, { derivative: Channel; unit: number }>> = {
    hessian_eigen: { derivative: 'gaussian', unit: 255 },
    hessian_eigen_gradgrad: { derivative: 'gradients', unit: 1 },
  };

  async function reproduced(golden: Golden, op: string): Promise<number> {
    const { derivative, unit } = operations[op]!;
    const cases = golden.cases.filter((c) => c.op === op);
    for (const c of cases)
      for (const backend of ['wasm', 'gpu'] as const) {
        const [height, width] = c.inputs[0]!.shape as [number, number];
        const data = (await golden.samples(c.inputs[0]!)) as Uint8Array;
        const values = await eigenvalues(backend, { width, height, data }, c.params.sigma!, 'value', derivative);
        for (const [k, name] of ['lambda0', 'lambda1'].entries()) {
          const record = c.expected.find((r) => r.name === name)!;
          const found = values[k]!.map((v) => v * unit);
          expect(await difference(golden, record, found, c.tolerance.maxAbs), `${c.id} ${name} ${backend}`).to.equal(
            '',
          );
        }
      }
    return cases.length;
  }

  it('reproduces the golden figures on both sides', async () => {
    for (const golden of await allGolden('vessels')) {
      expect(await reproduced(golden, 'hessian_eigen')).to.be.above(10);
      expect(await reproduced(golden, 'hessian_eigen_gradgrad')).to.equal(3);
    }
  });
});
