/** The measured choice of the side: near the faster one after ten calls, on any device, and when the device changes. */
import { expect } from 'chai';
import { createEngine, type GrayImage } from '../../src/index.ts';
import { Images } from '../../src/runtime/engine/images.ts';
import { Operations } from '../../src/runtime/engine/operations.ts';
import type { ImageReference } from '../../src/runtime/engine/protocol.ts';
import { Queue } from '../../src/runtime/engine/queue.ts';
import { createGpuSide } from '../../src/runtime/gpu/gpu-backend.ts';
import { Runtime, type Backend } from '../../src/runtime/runtime.ts';
import { callKey, isProfile, BackendProfile } from '../../src/runtime/backend-profile.ts';
import { failure } from '../frames/made-frames.ts';
import { compiled } from '../parity/backends.ts';

const key = callKey('canny', { low: 50 }, 1 << 20, 'gray');

/** Milliseconds of `count` calls on a device whose sides take this long; the first of a side takes ten times as long. */
function play(profile: BackendProfile, cost: Record<Backend, number>, count: number, noise = 0, compiled = false) {
  const seen = { wasm: compiled ? 1 : 0, gpu: compiled ? 1 : 0 };
  let state = 1;
  return Array.from({ length: count }, () => {
    const backend = profile.choose(key);
    state = (Math.imul(state, 48271) >>> 0) % 2147483647;
    const time = cost[backend] * (seen[backend]++ ? 1 : 10) * (1 + (noise * state) / 2147483647);
    profile.took(key, backend, time, backend === 'gpu');
    return { side: backend, time };
  });
}
const sum = (calls: readonly { time: number }[]) => calls.reduce((total, { time }) => total + time, 0);

describe('the measured side', () => {
  for (const [wasm, gpu] of [
    [3, 6],
    [6, 3],
    [30, 4],
    [4, 30],
    [5, 5.2],
    [200, 3],
  ] as const)
    it(`after ten calls takes at most a tenth more than the better of WASM ${wasm} ms and GPU ${gpu} ms`, () => {
      for (const noise of [0, 0.3]) {
        const profile = new BackendProfile('device');
        play(profile, { wasm, gpu }, 10, noise);
        const later = play(profile, { wasm, gpu }, 400, noise, true);
        const best = Math.min(wasm, gpu) * 400 * (1 + noise / 2);
        expect(sum(later) / best).to.be.below(1.1);
      }
    });

  it('notices when the device changes', () => {
    const profile = new BackendProfile('device');
    play(profile, { wasm: 9, gpu: 3 }, 100);
    expect(profile.choose(key)).to.equal('gpu');
    play(profile, { wasm: 3, gpu: 30 }, 200, 0, true);
    expect(
      play(profile, { wasm: 3, gpu: 30 }, 20, 0, true).filter(({ side: backend }) => backend === 'wasm'),
    ).to.have.length.above(18);
  });

  it('tries nothing where WASM is done before a fence, and where no stage takes the GPU', () => {
    const quick = new BackendProfile('device');
    expect(play(quick, { wasm: 0.4, gpu: 3 }, 50).every(({ side: backend }) => backend === 'wasm')).to.equal(true);
    const none = new BackendProfile('device');
    const backends = Array.from({ length: 10 }, () => {
      const backend = none.choose(key);
      none.took(key, backend, 20, false);
      return backend;
    });
    expect(backends.filter((backend) => backend === 'gpu')).to.have.length(1);
  });

  it('begins where the image lies', () => {
    const profile = new BackendProfile('device');
    const backends = Array.from({ length: 6 }, () => {
      const backend = profile.choose(key, 'gpu');
      profile.took(key, backend, backend === 'gpu' ? 9 : 3, backend === 'gpu');
      return backend;
    });
    expect(backends).to.deep.equal(['gpu', 'gpu', 'wasm', 'wasm', 'wasm', 'wasm']);
  });

  it('tells calls apart by name, parameters, place and size within a factor of two', () => {
    const keys = [
      key,
      callKey('canny', { low: 60 }, 1 << 20, 'gray'),
      callKey('canny', { low: 50 }, 1 << 22, 'gray'),
      callKey('canny', { low: 50 }, 1 << 20, 'gpu'),
      callKey('median', { low: 50 }, 1 << 20, 'gray'),
    ];
    expect(new Set(keys).size).to.equal(5);
    expect(callKey('canny', { low: 50 }, 1_000_000, 'gray')).to.equal(key);
  });

  describe('of a result that stays, and is fetched by a later call', () => {
    /** Sides of 60 calls; each result of the GPU is fetched in as many parts as are given, from when to when. */
    function staying(cost: Record<Backend, number>, fetches: (call: number) => readonly (readonly [number, number])[]) {
      const profile = new BackendProfile('device');
      return Array.from({ length: 60 }, (_, i) => {
        const backend = profile.choose(key);
        const charge = profile.took(key, backend, cost[backend], backend === 'gpu');
        if (backend === 'gpu') for (const [begun, ended] of fetches(i)) charge?.(100 * i + begun, 100 * i + ended);
        return backend;
      });
    }
    const onGpu = (backends: readonly Backend[]) => backends.slice(10).filter((backend) => backend === 'gpu').length;
    const cost = { wasm: 27, gpu: 10 };

    it('the GPU is taken where nobody fetches it, and where fetching is cheap', () => {
      expect(onGpu(staying(cost, () => []))).to.be.above(40);
      expect(onGpu(staying(cost, () => [[0, 4]]))).to.be.above(40);
    });

    it('WASM is taken where fetching costs more than the GPU saves, also when that is seen late', () => {
      expect(onGpu(staying(cost, () => [[0, 40]]))).to.be.below(3);
      expect(onGpu(staying(cost, (call) => (call > 8 ? [[0, 40]] : [])))).to.be.below(10);
    });

    it('parts that are fetched at the same time count once', () => {
      // prettier-ignore
      const together = [[0, 9], [0, 9], [1, 9], [2, 4]] as const;
      expect(onGpu(staying(cost, () => together))).to.be.above(40);
      // prettier-ignore
      const oneByOne = [[0, 9], [9, 18], [18, 27]] as const;
      expect(onGpu(staying(cost, () => oneByOne))).to.be.below(15);
    });

    it('is charged through the engine, once, whoever fetches it', async () => {
      const runtime = await Runtime.create({ module: await compiled() });
      runtime.gpu = createGpuSide(runtime);
      runtime.preferred = 'gpu';
      const image: GrayImage = { width: 40, height: 30, data: new Uint8Array(1200).map((_, i) => i) };
      const params = { size: 5, sigma: 2 };
      const called = callKey('gaussian', params, 1200, 'gray');
      const { renderer } = runtime.gpu.capabilities;
      runtime.renderer = renderer;
      const kept = { wasm: Array<number>(5).fill(1e5), gpu: Array<number>(5).fill(1) };
      const images = new Images(runtime, {
        worker: false,
        readPacket: (_, packet) => runtime.plane(40, 30, 'u8', (packet as GrayImage).data),
        planeAs: () => Promise.reject(new Error('no picture is asked for in another form')),
        reasons: () => [],
      });
      const calls = new Operations(images, new Queue(), {
        device: `${renderer}, 1 threads`,
        calls: { [called]: kept },
      });
      const last = () => calls.profile()!.calls[called]!.gpu.at(-1)!;
      const packets = [{ kind: 'gray', ...image } as const];
      const { signal } = new AbortController();
      const answer = await calls.run({ name: 'gaussian', packets, data: [], params, keep: true }, { signal });
      const { image: number, backend } = answer as ImageReference;
      expect(backend).to.equal('gpu');
      const before = last();
      const use = images.used({ kind: 'image', image: number, width: 40, height: 30 })!;
      const plane = await use.plane('gray');
      await Promise.all([plane.arena(), plane.arena()]);
      const after = last();
      expect(after).to.be.above(before);
      await plane.read();
      expect(last()).to.equal(after);
      use.done();
      images.clear();
      runtime.dispose();
    });
  });

  it('is plain data that the next engine of the same device begins with', () => {
    const profile = new BackendProfile('device');
    play(profile, { wasm: 9, gpu: 3 }, 20);
    const data = JSON.parse(JSON.stringify(profile)) as ReturnType<BackendProfile['toJSON']>;
    expect(isProfile(data)).to.equal(true);
    expect(new BackendProfile('device', data).choose(key)).to.equal('gpu');
    expect(new BackendProfile('another', data).choose(key)).to.equal('wasm');
    const wrong = [{}, { device: 'a', calls: null }, { device: 'a', calls: { k: { wasm: [-1], gpu: [] } } }, 'a', 3];
    for (const one of wrong) expect(isProfile(one), JSON.stringify(one)).to.equal(false);
  });

  it('is part of the engine: capabilities say what is chosen how, a forced side is not compared', async () => {
    for (const backend of ['wasm', 'gpu'] as const) {
      const engine = await createEngine({ backend, profile: { device: 'none', calls: {} } });
      expect(engine.capabilities.backends['canny']!.backend).to.equal(backend);
      expect(engine.capabilities.backends['createPupilTracker']!.why).to.match(/backend/);
      expect(await engine.profile()).to.equal(null);
      await engine.dispose();
    }
    const error = await failure(() => createEngine({ profile: { device: 1 } as never }));
    expect(error.message).to.match(/profile must be a result of engine.profile\(\)/);
  });
});
