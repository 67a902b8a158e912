/** Sparse Lucas-Kanade against cv2's figures: drawn textures and a photograph always, others where ../shared is there. */
import { expect } from 'chai';
import { FlowPyramid, trackPoints, type TrackPointsOptions } from '../../src/flow/index.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { driveNow } from '../../src/runtime/stage.ts';
import { allGolden, type Golden, type GoldenCase } from '../image/golden.ts';
import { compiled } from '../parity/backends.ts';
import { texture, type Texture } from './texture.ts';

interface TrackCase {
  width: number;
  height: number;
  seed: number;
  shift: [number, number];
  window: number;
  levels: number;
  iterations: number;
  epsilon: number;
  points: [number, number][];
  status: number[];
  next: ([number, number] | null)[];
  error: (number | null)[];
}

describe('sparse Lucas-Kanade', () => {
  let runtime: Runtime;
  before(async () => void (runtime = await Runtime.create({ module: await compiled() })));
  afterEach(() => expect(runtime.arena.blocks, 'blocks besides the scratch').to.be.at.most(1));

  function track(a: Texture, b: Texture, points: Float32Array, options: TrackPointsOptions = {}) {
    const planes = [a, b].map(({ width, height, data }) => runtime.plane(width, height, 'u8', data));
    try {
      return driveNow(runtime, function* (scope) {
        const previous = scope.own(yield* FlowPyramid.build(scope, planes[0]!, options));
        const next = scope.own(yield* FlowPyramid.build(scope, planes[1]!, options));
        return yield* trackPoints(scope, previous, next, points, options);
      });
    } finally {
      for (const plane of planes) plane.dispose();
    }
  }

  it('reproduces cv2 on drawn textures, across borders and in frames smaller than the window', async () => {
    const url = new URL('../golden/flow/tracks.json', import.meta.url);
    const cases = (await (await fetch(url)).json()) as TrackCase[];
    expect(cases).to.have.length(14);
    for (const { width, height, seed, shift, window, levels, iterations, epsilon, ...c } of cases) {
      const [a, b] = [texture(width, height, seed), texture(width, height, seed, ...shift)];
      const options = { window, levels, iterations, epsilon };
      const { points, status, error } = track(a, b, Float32Array.from(c.points.flat()), options);
      const where = `${width}x${height}, window ${window}`;
      expect([...status], where).to.deep.equal(c.status);
      c.next.forEach((next, i) => {
        if (!next) return expect(error[i], where).to.be.NaN;
        expect(Math.hypot(points[2 * i]! - next[0], points[2 * i + 1]! - next[1]), where).to.be.below(0.01);
        expect(error[i], where).to.be.closeTo(c.error[i]!, 0.01);
      });
    }
  });

  it('finds a shift of whole pixels to 0.01 px, and its way back', () => {
    const [a, b] = [texture(160, 120, 5), texture(160, 120, 5, -16 * 6, 16 * 4)];
    const grid = Float32Array.from({ length: 60 }, (_, i) =>
      i % 2 ? 30 + 12 * Math.floor(i / 12) : 30 + 18 * ((i >> 1) % 6),
    );
    const { points, status, error, forwardBackward } = track(a, b, grid, { forwardBackward: true });
    for (let i = 0; i < 30; i++) {
      expect(status[i]).to.equal(1);
      expect(points[2 * i]! - grid[2 * i]!).to.be.closeTo(6, 0.01);
      expect(points[2 * i + 1]! - grid[2 * i + 1]!).to.be.closeTo(-4, 0.01);
      expect(error[i]).to.be.below(0.1);
      expect(forwardBackward![i]).to.be.below(0.02);
    }
  });

  it('starts at the given places', () => {
    const [a, b] = [texture(160, 120, 9), texture(160, 120, 9, -16 * 20, 0)];
    const point = Float32Array.of(60, 60);
    const options = { levels: 0, initial: Float32Array.of(79, 61) };
    expect(track(a, b, point, { levels: 0 }).points[0]).to.not.be.closeTo(80, 1);
    expect(track(a, b, point, options).points[0]).to.be.closeTo(80, 0.01);
  });

  it('gives a point up when it leaves, has no texture or is nowhere', () => {
    const flat = { width: 64, height: 64, data: new Uint8Array(4096).fill(90) };
    const points = Float32Array.of(30, 30, NaN, 5, Infinity, 2, 1e30, -1e30, -500, 20, 20, 85);
    expect([...track(flat, flat, points).status]).to.deep.equal([0, 0, 0, 0, 0, 0]);
    const drawn = texture(64, 64, 3);
    const { status, error, forwardBackward } = track(drawn, drawn, points, { forwardBackward: true });
    expect([...status]).to.deep.equal([1, 0, 0, 0, 0, 0]);
    expect([...error.slice(1), ...forwardBackward!.slice(1)].every(Number.isNaN)).to.equal(true);
    expect([error[0], forwardBackward![0]]).to.deep.equal([0, 0]);
  });

  it('gives a point up where the smaller eigenvalue is below the least one, in gray levels squared over 1024', () => {
    // Two gray levels a pixel to the right on one side of the diagonal, downwards on the other: each half of a window there
    // has the tensor 4, 0 or 0, 4, so that both eigenvalues of the mean are 2, but for the diagonal itself.
    const corner = {
      width: 64,
      height: 64,
      data: Uint8Array.from({ length: 4096 }, (_, i) => 2 * Math.min(i % 64, i >> 6)),
    };
    const found = (gray: number) =>
      track(corner, corner, Float32Array.of(30, 30), { levels: 0, minEigenvalue: gray / 1024 }).status[0];
    expect([1.2, 1.7, 2.1, 3].map(found)).to.deep.equal([1, 1, 0, 0]);
  });

  it('a copied pyramid outlives its frame; the frame of a plain one is not touched', () => {
    const { width, height, data } = texture(100, 80, 4);
    const frame = runtime.plane(width, height, 'u8', data);
    const plain = driveNow(runtime, (scope) => FlowPyramid.build(scope, frame));
    const copied = driveNow(runtime, (scope) => FlowPyramid.build(scope, frame, { copy: true }));
    expect([plain.levels, copied.levels]).to.deep.equal([2, 2]);
    plain.dispose();
    plain.dispose();
    frame.dispose();
    expect([...copied.planes[0]!.copy()]).to.deep.equal([...data]);
    const { points } = driveNow(runtime, (scope) => trackPoints(scope, copied, copied, Float32Array.of(50, 40)));
    expect([...points]).to.deep.equal([50, 40]);
    copied.dispose();
  });

  it('refuses what it cannot follow', () => {
    const one = texture(40, 40, 1);
    const refused = (work: () => unknown, words: RegExp) =>
      expect(work).to.throw(words).with.property('code', 'invalid-argument');
    refused(() => track(one, texture(40, 41, 1), Float32Array.of(1, 1)), /same size, not 40x40 and 40x41/);
    refused(() => track(one, one, [1, 2] as never), /Float32Array/);
    refused(() => track(one, one, Float32Array.of(1, 2, 3)), /odd/);
    refused(
      () => track(one, one, Float32Array.of(1, 2), { initial: Float32Array.of(1, 2, 3, 4) }),
      /the length of points/,
    );
    refused(() => track(one, one, Float32Array.of(1, 2), { window: 20 }), /window must be one of 3, 5/);
    expect(track(one, one, new Float32Array(0)).points).to.have.length(0);
  });

  describe('in photographs', () => {
    it('status equal, 99 % of the points within 0.05 px of cv2', async () => {
      for (const [i, golden] of (await allGolden('flow')).entries()) {
        const cases = golden.cases.filter(({ op }) => op === 'pyrlk');
        expect(cases.length).to.be.at.least([3, 22][i]!);
        for (const c of cases) {
          const { near, followed, statusEqual, count } = await compare(golden, c);
          expect(statusEqual, c.id).to.equal(count);
          expect(near / followed, c.id).to.be.at.least(0.99);
        }
      }
    });

    async function compare(golden: Golden, c: GoldenCase) {
      const [first, second, points, initial] = await Promise.all(c.inputs.map((record) => golden.samples(record)));
      const [height, width] = c.inputs[0]!.shape as [number, number];
      const image = (data: unknown) => ({ width, height, data: data as Uint8Array<ArrayBuffer> });
      const expected = async (name: string) => {
        const record = c.expected.find((r) => r.name === name);
        return record ? golden.samples(record) : null;
      };
      const [next, status, fb] = [await expected('next'), await expected('status'), await expected('fb')];
      const own = track(image(first), image(second), points as Float32Array, {
        levels: c.params.maxLevel!,
        ...(initial && { initial: initial as Float32Array }),
      });
      const result = { near: 0, followed: 0, statusEqual: 0, count: status!.length };
      for (let i = 0; i < result.count; i++) {
        if (own.status[i] === status![i]) result.statusEqual++;
        if (!status![i] || (fb && fb[i]! >= 1)) continue;
        result.followed++;
        const off = Math.hypot(own.points[2 * i]! - next![2 * i]!, own.points[2 * i + 1]! - next![2 * i + 1]!);
        if (off <= 0.05) result.near++;
      }
      return result;
    }
  });
});
