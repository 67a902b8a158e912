/** Dense Lucas-Kanade against what is known: shifts, an affine motion, the plain reference, real pairs with truth. */
import { expect } from 'chai';
import { createEngine } from '../../src/engine.ts';
import type { Engine, OpticalFlowResult } from '../../src/api.ts';
import { denseFlow } from '../reference/dense-flow.ts';
import { allGolden } from '../image/golden.ts';
import { generator } from '../parity/cases.ts';
import { describeShared } from '../support/shared.ts';
import { endpointErrors, readPair } from './middlebury.ts';
import { movedPhotographs } from './photographs.ts';
import { texture, textureAt, type Texture } from './texture.ts';
import { itInFull } from '../support/full.ts';

const defaults = { window: 21, levels: 3, iterations: 10, minEigenvalue: 1e-4 };

/** Shares of the pixels, and the largest difference among the rest, of u and v to what is expected. */
export function compare(
  { u, v, valid }: OpticalFlowResult,
  expected: (x: number, y: number) => [number, number],
  width: number,
  border = 0,
) {
  const errors: number[] = [];
  for (let i = 0; i < u.length; i++) {
    const x = i % width;
    const y = Math.floor(i / width);
    if (x < border || y < border || x >= width - border || y >= u.length / width - border) continue;
    const [a, b] = expected(x, y);
    if (valid[i]) errors.push(Math.hypot(u[i]! - a, v[i]! - b));
  }
  errors.sort((a, b) => a - b);
  return { count: errors.length, median: errors[errors.length >> 1]!, p99: errors[Math.floor(0.99 * errors.length)]! };
}

describe('dense Lucas-Kanade', () => {
  let engine: Engine;
  before(async () => void (engine = await createEngine({ worker: false, backend: 'wasm' })));
  after(() => engine.dispose());

  it('finds shifts, also of many pixels', async () => {
    for (const [dx, dy] of [
      [0.5, 0.25],
      [-3, 2],
      [11, -7],
    ] as const) {
      const [a, b] = [texture(160, 120, 5), texture(160, 120, 5, -16 * dx, -16 * dy)];
      const flow = await engine.opticalFlow(a, b);
      const { count, median, p99 } = compare(flow, () => [dx, dy], 160, 24);
      expect(count, `valid at ${dx}, ${dy}`).to.equal(112 * 72);
      expect(median).to.be.below(0.02);
      expect(p99).to.be.below(0.1);
      expect(Math.min(...flow.confidence.filter((_, i) => flow.valid[i]))).to.be.above(0);
    }
  });

  it('finds a zoom and turn about the center', async () => {
    const [width, height] = [200, 150];
    const motion = (x: number, y: number): [number, number] => {
      const [cx, cy] = [x - 100, y - 75];
      return [0.02 * cx - 0.01 * cy, 0.01 * cx + 0.02 * cy];
    };
    // next(x + motion) = previous(x): the previous frame samples the drawing where its pixels will have gone.
    const draw = (at: (x: number, y: number) => [number, number]): Texture => ({
      width,
      height,
      data: Uint8Array.from({ length: width * height }, (_, i) => {
        const [x, y] = at(i % width, Math.floor(i / width));
        return textureAt(Math.round(16 * x) + 4800, Math.round(16 * y) + 4800, 6);
      }),
    });
    const previous = draw((x, y) => [x + motion(x, y)[0], y + motion(x, y)[1]]);
    const { median, p99 } = compare(
      await engine.opticalFlow(
        previous,
        draw((x, y) => [x, y]),
      ),
      motion,
      width,
      20,
    );
    // A window answers for the center of its texture, a pixel or two beside its own: times 0.022 a pixel.
    expect(median).to.be.below(0.06);
    expect(p99).to.be.below(0.15);
  });

  it('equals the plain reference over odd sizes', async () => {
    const random = generator(7);
    const sizes = [[2, 2], [3, 67], [67, 2], [22, 23], [45, 44], [64, 47], [61, 67]] as const; // prettier-ignore
    for (const [i, [width, height]] of sizes.entries()) {
      const shift = [Math.round(40 * random() - 20), Math.round(40 * random() - 20)] as const;
      const [a, b] = [texture(width, height, i), texture(width, height, i, ...shift)];
      const params = { ...defaults, window: [21, 5, 3, 9, 15, 7, 17][i]!, iterations: 1 + (i % 4) };
      const flow = await engine.opticalFlow(a, b, params);
      const expected = denseFlow({ ...a, format: 'u8' }, { ...b, format: 'u8' }, params);
      const where = `${width}x${height} ${JSON.stringify(params)}`;
      for (let k = 0; k < width * height; k++) {
        const near = Math.abs(expected.eigenvalue[k]! - params.minEigenvalue * 1024) < 1e-3;
        if (near) continue; // on the border between solvable and not
        expect(flow.valid[k], where).to.equal(expected.valid[k]);
        expect(flow.u[k], where).to.be.closeTo(expected.u[k]!, 0.01);
        expect(flow.v[k], where).to.be.closeTo(expected.v[k]!, 0.01);
        expect(flow.confidence[k], where).to.be.closeTo(expected.confidence[k]!, 0.01);
      }
    }
  });

  it('says nothing about flat frames and edges of one direction', async () => {
    const flat = { width: 60, height: 50, data: new Uint8Array(3000).fill(77) };
    const stripes = { width: 60, height: 50, data: Uint8Array.from({ length: 3000 }, (_, i) => ((i % 60) % 8) * 30) };
    for (const frame of [flat, stripes]) {
      const { u, v, valid, confidence } = await engine.opticalFlow(frame, frame);
      for (const plane of [u, v, valid, confidence]) expect(plane.every((x) => x === 0)).to.equal(true);
    }
  });

  it('a pixel that does not come back is not valid', async () => {
    const a = texture(96, 72, 3);
    // The right half of the next frame is another texture.
    const b = texture(96, 72, 3, 20, 0);
    const other = texture(96, 72, 99);
    for (let i = 0; i < b.data.length; i++) if (i % 96 >= 48) b.data[i] = other.data[i]!;
    const plain = await engine.opticalFlow(a, b);
    const checked = await engine.opticalFlow(a, b, { maxForwardBackward: 0.5 });
    expect(plain.forwardBackward).to.equal(undefined);
    expect([...checked.u]).to.deep.equal([...plain.u]);
    const share = ({ valid }: OpticalFlowResult, from: number, to: number) =>
      valid.filter((_, i) => i % 96 >= from && i % 96 < to).reduce((sum, x) => sum + x, 0) / ((to - from) * 72);
    expect(share(plain, 12, 36)).to.be.above(0.99);
    expect(share(checked, 12, 36)).to.be.above(0.95);
    expect(share(checked, 60, 90)).to.be.below(0.6);
    expect(checked.valid.every((good, i) => !good || checked.forwardBackward![i]! <= 0.5)).to.equal(true);
  });

  it("follows a window of its own for every pixel in the variant 'paper'", async () => {
    const [a, b] = [texture(60, 50, 5), texture(60, 50, 5, -24, 8)];
    const flow = await engine.opticalFlow(a, b, { variant: 'paper', iterations: 30 });
    const grid = Float32Array.from({ length: 6000 }, (_, i) => (i & 1 ? Math.floor((i >> 1) / 60) : (i >> 1) % 60));
    const { points, status } = await engine.trackPoints(a, b, grid);
    let valid = 0;
    for (let i = 0; i < 3000; i++) {
      expect(flow.u[i]).to.equal(status[i] ? Math.fround(points[2 * i]! - grid[2 * i]!) : 0);
      expect(flow.v[i]).to.equal(status[i] ? Math.fround(points[2 * i + 1]! - grid[2 * i + 1]!) : 0);
      expect(flow.valid[i]).to.equal(status[i]);
      valid += flow.valid[i]!;
    }
    expect(valid).to.be.above(2700);
  });

  itInFull("calls valid in the variant 'paper' what OpenCV calls found, also beyond the frame's edge", async () => {
    let cases = 0;
    for (const golden of await allGolden('flow'))
      for (const c of golden.cases.filter(({ op, id }) => op === 'pyrlk' && /camera_shift/.test(id))) {
        const [height, width] = c.inputs[0]!.shape as [number, number];
        const samples = await Promise.all(c.inputs.map((record) => golden.samples(record)));
        const frame = (k: number) => ({ width, height, data: samples[k] as Uint8Array });
        const flow = await engine.opticalFlow(frame(0), frame(1), { variant: 'paper', iterations: 30 });
        const grid = Float32Array.from({ length: 2 * width * height }, (_, i) =>
          i & 1 ? Math.floor((i >> 1) / width) : (i >> 1) % width,
        );
        const { status } = await engine.trackPoints(frame(0), frame(1), grid);
        expect(flow.valid).to.deep.equal(status);
        const sure = flow.confidence.filter((_, i) => flow.valid[i]);
        expect(Math.min(...sure), c.id).to.be.above(0);
        cases++;
      }
    expect(cases).to.be.at.least(1);
  });

  // Parity compares each stage on one thread and on two.
  itInFull('gives the same on one thread and on two', async () => {
    const [a, b] = [texture(333, 250, 2), texture(333, 250, 2, 40, -25)];
    const play = async (threads: number) => {
      const other = await createEngine({ worker: true, workerUrl: '/src/worker.ts', backend: 'wasm', threads });
      try {
        return await other.opticalFlow(a, b, { maxForwardBackward: 1 });
      } finally {
        await other.dispose();
      }
    };
    expect(await play(2)).to.deep.equal(await play(1));
  });

  it('tells its progress and can be cancelled', async () => {
    const [a, b] = [texture(640, 480, 2), texture(640, 480, 2, 40, -25)];
    const seen: number[] = [];
    await engine.opticalFlow(a, b, { iterations: 2, onProgress: (done) => seen.push(done) });
    expect(seen.length).to.be.above(5);
    expect(seen.every((done, i) => done >= (seen[i - 1] ?? 0) && done <= 1)).to.equal(true);
    expect(seen[seen.length - 1]).to.be.closeTo(1, 0.1);
    const abort = new AbortController();
    const work = engine.opticalFlow(a, b, { iterations: 100, signal: abort.signal, onProgress: () => abort.abort() });
    expect(await work.then(() => 'done', (error: { code: string }) => error.code)).to.equal('aborted'); // prettier-ignore
    expect((await engine.opticalFlow(texture(9, 8, 1), texture(9, 8, 1))).u).to.have.length(72);
  });

  it('refuses frames without a flow', async () => {
    const code = (work: Promise<unknown>) => work.then(() => 'none', (error: { code: string }) => error.code); // prettier-ignore
    expect(await code(engine.opticalFlow(texture(9, 8, 1), texture(8, 9, 1)))).to.equal('invalid-argument');
    expect(await code(engine.opticalFlow(texture(1, 40, 1), texture(1, 40, 1)))).to.equal('invalid-argument');
    expect(await code(engine.opticalFlow(texture(9, 9, 1), texture(9, 9, 1), { window: 4 }))).to.equal(
      'invalid-argument',
    );
  });

  itInFull(
    "stays below a window of its own for every pixel in moved photographs, as on Middlebury's pairs",
    async () => {
      const { previous, next, truth } = await movedPhotographs();
      const { width, height } = previous;
      const own = endpointErrors(await engine.opticalFlow(previous, next), truth).all;
      // What cv2.calcOpticalFlowPyrLK finds, to 0.01 px (track-points.test.ts).
      const count = width * height;
      const grid = Float32Array.from({ length: 2 * count }, (_, i) =>
        i & 1 ? Math.floor((i >> 1) / width) : (i >> 1) % width,
      );
      const { points } = await engine.trackPoints(previous, next, grid);
      const [u, v] = [0, 1].map((k) =>
        Float32Array.from({ length: count }, (_, i) => points[2 * i + k]! - grid[2 * i + k]!),
      );
      const each = endpointErrors(
        { u: u!, v: v!, valid: new Uint8Array(count).fill(1) } as OpticalFlowResult,
        truth,
      ).all;
      expect(own).to.be.below(each);
      // 0.615 px where each window alone has 1.07.
      expect(own).to.be.below(0.65);
    },
  );

  describeShared('over ../shared', () => {
    itInFull("stays below OpenCV's Lucas-Kanade at every pixel on each Middlebury pair", async () => {
      const bounds = { RubberWhale: 0.325, Dimetrodon: 0.192, Venus: 0.765, Grove2: 0.349 };
      let sum = 0;
      for (const [name, bound] of Object.entries(bounds)) {
        const pair = await readPair(name);
        const { all } = endpointErrors(await engine.opticalFlow(pair.previous, pair.next), pair.truth);
        expect(all, name).to.be.below(bound);
        sum += all / 4;
      }
      expect(sum).to.be.below(0.38);
    });
  });
});
