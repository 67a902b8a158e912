/** The sparse flow on the GPU, on software WebGL: the bits of the WASM side, whatever the window, the frame and the count. */
import { expect } from 'chai';
import exact from '../../glsl/flow/track-points-exact.glsl';
import { createEngine } from '../../src/engine.ts';
import { pointTracks } from '../../src/flow/track-points.ts';
import { type Runtime, backendOf, type Backend } from '../../src/runtime/runtime.ts';
import { definePass } from '../../src/runtime/gpu/pass.ts';
import { drive, run } from '../../src/runtime/stage.ts';
import { generator } from '../parity/cases.ts';
import { makeRuntime } from '../parity/backends.ts';
import { texture, type Texture } from './texture.ts';

const none = new Float32Array(0);

/** Points all over a frame and a little outside of it. */
const scattered = (count: number, { width, height }: Texture, seed: number) => {
  const random = generator(seed);
  return Float32Array.from({ length: 2 * count }, (_, i) => random() * ((i % 2 ? height : width) + 8) - 4);
};

/** Black and white at random: the largest sums that a window can have. */
function noise(width: number, height: number, seed: number): Texture {
  const random = generator(seed);
  return { width, height, data: Uint8Array.from({ length: width * height }, () => (random() < 0.5 ? 0 : 255)) };
}

/** The same, less than a pixel further to the right and down. */
function moved({ width, height, data }: Texture): Texture {
  const at = (x: number, y: number) => data[Math.max(0, y) * width + Math.max(0, x)]!;
  const mean = (i: number) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return 0.4 * at(x, y) + 0.3 * at(x - 1, y) + 0.2 * at(x, y - 1) + 0.1 * at(x - 1, y - 1);
  };
  return { width, height, data: Uint8Array.from({ length: width * height }, (_, i) => mean(i)) };
}

/** The steps of 2x2 systems: xx, xy, yy, bx, by of each in three texels, as high * 8192 + low. */
const steps = definePass({
  name: 'test/steps',
  fragment: `${exact}
    uniform isampler2D systems;
    out uvec4 step_;
    void main() {
      ivec2 p = ivec2(gl_FragCoord.xy);
      ivec4 a = texelFetch(systems, ivec2(3 * p.x, p.y), 0);
      ivec4 b = texelFetch(systems, ivec2(3 * p.x + 1, p.y), 0);
      ivec4 c = texelFetch(systems, ivec2(3 * p.x + 2, p.y), 0);
      Sum xx = Sum(a.x, a.y), xy = Sum(a.z, a.w), yy = Sum(b.x, b.y), bx = Sum(b.z, b.w), by = Sum(c.x, c.y);
      Wide determinant = difference(product(xx, yy), product(xy, xy));
      step_ = uvec4(
        floatBitsToUint(quotient(difference(product(xy, by), product(yy, bx)), determinant)),
        floatBitsToUint(quotient(difference(product(xy, bx), product(xx, by)), determinant)), 0u, 0u);
    }`,
  textures: ['systems'],
  uniforms: {},
  outputs: ['step_'],
});

describe('sparse Lucas-Kanade on the GPU', () => {
  let runtime: Runtime;
  before(async () => void (runtime = await makeRuntime()));
  after(() => runtime.dispose());
  afterEach(() => {
    expect(runtime.gpu!.textures.lent, 'textures').to.equal(0);
    expect(runtime.gpu!.context.gl.getError(), 'WebGL errors').to.equal(0);
    expect(runtime.arena.blocks, 'blocks of the arena besides the scratch').to.be.at.most(1);
  });

  async function onSide(
    backend: Backend,
    a: Texture,
    b: Texture,
    points: Float32Array,
    start: Float32Array,
    params: object,
  ) {
    const planes = [a, b].map(({ width, height, data }) => runtime.plane(width, height, 'u8', data));
    try {
      return await run(runtime, pointTracks, [planes[0]!, planes[1]!, points, start], params, { backend });
    } finally {
      for (const plane of planes) plane.dispose();
    }
  }

  /** Compares both sides; resolves with the points that were found. */
  async function compare(a: Texture, b: Texture, points: Float32Array, start: Float32Array, params: object) {
    const wasm = await onSide('wasm', a, b, points, start, params);
    const gpu = await onSide('gpu', a, b, points, start, params);
    expect(gpu.map((list) => [...list])).to.deep.equal(wasm.map((list) => [...list]));
    return wasm[1].reduce((sum, status) => sum + status, 0);
  }

  it('gives the bits of the WASM side, there and back', async () => {
    const [a, b] = [texture(160, 120, 7), texture(160, 120, 7, 45, -28)];
    const points = scattered(100, a, 1);
    expect(await compare(a, b, points, none, { forwardBackward: true })).to.be.above(80);
    expect(await compare(a, b, points, none, { window: 9, epsilon: 0, iterations: 12, levels: 1 })).to.be.above(60);
  });

  it('gives them where products of the sums have more bits than a 64-bit float', async () => {
    const a = noise(150, 140, 3);
    // Every window but a few beside the border is found; a sum has some 34 bits.
    const params = { window: 63, epsilon: 0, iterations: 10, forwardBackward: true };
    expect(await compare(a, moved(a), scattered(24, a, 2), none, params)).to.be.above(18);
    expect(await compare(a, noise(150, 140, 4), scattered(24, a, 5), none, params)).to.be.above(5);
  });

  it('solves a system with the roundings of 64-bit floats', async () => {
    const [width, height] = [100, 150];
    const random = generator(11);
    const whole = (bits: number) => Math.floor(random() * 2 ** Math.ceil(random() * bits));
    const systems = Array.from({ length: width * height }, (_, i) => {
      const [xx, yy] = [1 + whole(36), 1 + whole(36)];
      // Every other one is nearly singular, so that the products cancel.
      const most = Math.floor(Math.sqrt(xx) * Math.sqrt(yy));
      const xy = (random() < 0.5 ? -1 : 1) * (i % 2 ? Math.max(0, most - whole(12)) : Math.floor(random() * most));
      return [xx, xy, yy, whole(37) - whole(37), whole(37) - whole(37)];
    });
    const texels = new Int32Array(12 * systems.length);
    systems.forEach((sums, i) => {
      // The low parts as sums of rows leave them, larger than 13 bits.
      const words = sums.flatMap((sum, k) => {
        const high = Math.floor(sum / 8192) - (k % 3);
        return [high, sum - 8192 * high];
      });
      texels.set(words, 12 * i);
    });
    const bits = await drive(runtime, function* (scope) {
      const source = scope.texture(3 * width, height, 'rgba32i');
      scope.gpu.upload(source, new Uint8Array(texels.buffer), 48 * width);
      const target = scope.texture(width, height, 'rgba32ui');
      scope.draw(steps, { targets: [target], textures: { systems: source }, uniforms: {} });
      return new Uint32Array((yield* scope.wait(scope.gpu.read(target))).buffer);
    });
    let compared = 0;
    systems.forEach(([xx, xy, yy, bx, by], i) => {
      const determinant = xx! * yy! - xy! * xy!;
      if (!(determinant > 0)) return;
      compared++;
      const expected = [(xy! * by! - yy! * bx!) / determinant, (xy! * bx! - xx! * by!) / determinant];
      // Without the sign of zero.
      const words = new Uint32Array(Float32Array.from(expected, (v) => Math.fround(v) + 0).buffer);
      const found = bits.subarray(4 * i, 4 * i + 2);
      expect([...found], `${systems[i]!.join()}: ${expected.join()}`).to.deep.equal([...words]);
    });
    expect(compared).to.be.above(14_000);
  });

  it('gives them where one direction has hardly any texture', async () => {
    const frame = (shift: number): Texture => {
      const data = new Uint8Array(120 * 90);
      for (let i = 0; i < data.length; i++) {
        const [x, y] = [i % 120, Math.floor(i / 120)];
        data[i] = 128 + 90 * Math.sin((x + shift) / 4) + (y % 30 === 7 ? 2 : 0);
      }
      return { width: 120, height: 90, data };
    };
    const points = scattered(60, frame(0), 6);
    const found: number[] = [];
    for (const minEigenvalue of [0, 1e-5, 1e-4, 0.01])
      found.push(await compare(frame(0), frame(0.8), points, none, { minEigenvalue }));
    expect(found[1]).to.be.above(30);
    expect(found[3]).to.be.below(found[1]!);
  });

  it('follows more points than windows fit a texture, from the given places', async () => {
    const [a, b] = [texture(200, 140, 2), texture(200, 140, 2, 20, 12)];
    const points = scattered(2100, a, 3);
    const start = points.map((v, i) => v + (i % 3) - 1);
    const params = { window: 7, levels: 2, iterations: 8 };
    expect(await compare(a, b, points, start, params)).to.be.above(1500);
  });

  it('says of points that are nowhere what the WASM side says', async () => {
    const a = texture(64, 64, 3);
    const points = Float32Array.of(30, 30, NaN, 5, Infinity, 2, 1e30, -1e30, -500, 20, 20, 85, 40, 30);
    const start = points.slice();
    expect(await compare(a, a, points, none, { forwardBackward: true })).to.equal(2);
    start.set([-Infinity, 31], 12);
    expect(await compare(a, a, points, start, {})).to.equal(1);
    expect(await compare(a, a, none, none, { forwardBackward: true })).to.equal(0);
  });

  it('is left to WASM unless the GPU is asked for, and where textures do not hold the frame or the points', () => {
    const plane = runtime.plane(8, 8, 'u8', new Uint8Array(64));
    const side = (points: Float32Array, forced?: Backend) =>
      backendOf(runtime, pointTracks, [plane, plane, points, none], forced);
    try {
      runtime.preferred = 'gpu';
      expect([side(none), side(none, 'gpu'), side(none, 'wasm')]).to.deep.equal(['wasm', 'gpu', 'wasm']);
      runtime.gpuForced = true;
      expect([side(none), side(none, 'wasm')]).to.deep.equal(['gpu', 'wasm']);
      const most = 16 * runtime.gpu!.capabilities.maxTextureSize;
      expect([side(new Float32Array(2 * most)), side(new Float32Array(2 * most + 2))]).to.deep.equal(['gpu', 'wasm']);
    } finally {
      runtime.gpuForced = false;
      runtime.preferred = 'wasm';
      plane.dispose();
    }
  });

  it('needs no float targets and one read-back', async () => {
    const { gpu } = runtime;
    const [a, b] = [texture(90, 70, 1), texture(90, 70, 1, 10, 5)];
    const formats = new Set<string>();
    const [allocate, read] = [gpu!.allocate, gpu!.read];
    let reads = 0;
    gpu!.allocate = function (width, height, format) {
      formats.add(format);
      return allocate.call(this, width, height, format) as never;
    };
    gpu!.read = function (...args) {
      reads++;
      return read.apply(this, args);
    };
    try {
      await onSide('gpu', a, b, scattered(40, a, 4), none, { forwardBackward: true });
    } finally {
      Object.assign(gpu!, { allocate, read });
    }
    expect([...formats].filter((format) => format.endsWith('f') || format === 'f32')).to.deep.equal([]);
    expect(formats).to.include('rgba32ui');
    expect(reads).to.equal(1);
  });
});

describe('trackPoints of an engine that has to take the GPU', () => {
  it('takes it, answers as the WASM engine does, refuses what it refuses, and goes on', async () => {
    const wasm = await createEngine({ worker: false, backend: 'wasm' });
    const gpu = await createEngine({ worker: false, backend: 'gpu' });
    try {
      const [a, b] = [texture(120, 90, 4), texture(120, 90, 4, 30, -20)];
      const points = scattered(50, a, 8);
      const expected = await wasm.trackPoints(a, b, points, { forwardBackward: true });
      expect(expected.backend).to.equal('wasm');
      expect(await gpu.trackPoints(a, b, points, { forwardBackward: true })).to.deep.equal({
        ...expected,
        backend: 'gpu',
      });
      const code = (work: Promise<unknown>) => work.then(() => 'none', (error: { code: string }) => error.code); // prettier-ignore
      expect(await code(gpu.trackPoints(a, texture(90, 120, 4), points))).to.equal('invalid-argument');
      expect(await code(gpu.trackPoints(a, b, Float32Array.of(1, 2, 3)))).to.equal('invalid-argument');
      const abort = new AbortController();
      const cancelled = gpu.trackPoints(a, b, points, { signal: abort.signal });
      abort.abort();
      expect(await code(cancelled)).to.equal('aborted');
      expect((await gpu.trackPoints(a, b, points)).points).to.deep.equal(expected.points);
    } finally {
      await wasm.dispose();
      await gpu.dispose();
    }
  });
});
