/** The detector's GPU part: the same windows, codes and tracks as on the WASM side, and the goldens of 19-tld. */
import { expect } from 'chai';
import { DetectorGpu, frameOnGpu, type Survivors } from '../../src/objects/detector.gpu.ts';
import { Detector } from '../../src/objects/detector.ts';
import { fernTable, Random, ObjectModel } from '../../src/objects/model.ts';
import type { SharedFrame } from '../../src/objects/frame.ts';
import { type Grid, type GridRule, layoutOf } from '../../src/objects/windows.ts';
import { objectParameters } from '../../src/objects/parameters.ts';
import { ObjectTrackerCore } from '../../src/objects/tracker.ts';
import { createGpuSide } from '../../src/runtime/gpu/gpu-backend.ts';
import { resolveParameters } from '../../src/runtime/parameters.ts';
import type { Plan } from '../../src/runtime/wasm/kernel-step.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { Scope } from '../../src/runtime/scope.ts';
import { drive } from '../../src/runtime/stage.ts';
import type { ObjectResult } from '../../src/results/types.ts';
import { renderScene, squareAt } from '../node/objects-scene.mjs';
import { allGolden, type Golden, type GoldenCase } from '../image/golden.ts';
import { candidateCodes, listed, numbersOf } from './lists.ts';
import { frameOf as makeFrame, now, openRuntime } from './memory.ts';
import { queued } from '../support/queued.ts';
import { itInFull, short } from '../support/full.ts';

const values = resolveParameters(objectParameters, {}, 'test');

/** Code f of record k: the layout of glsl/objects/ferns-codes.frag, read in the plainest way. */
function codeOf({ codes, places }: Survivors, k: number, f: number): number {
  const bits = (word: number, from: number, count: number) => (word >>> from) & (2 ** count - 1);
  const words = new Uint32Array(codes.buffer, codes.byteOffset + 16 * k, 4);
  if (f < 8) return bits(words[f >> 1]!, 13 * (f & 1), 13);
  const [low, high] = f === 8 ? [words[0]!, words[1]!] : [words[2]!, words[3]!];
  return bits(low, 26, 6) | (bits(high, 26, 6) << 6) | (bits(places[k]!, f === 8 ? 30 : 31, 1) << 12);
}

async function makeRuntime(): Promise<Runtime> {
  const runtime = await openRuntime();
  runtime.gpu = createGpuSide(runtime);
  return runtime;
}

describe('the detector on the GPU', () => {
  let runtime: Runtime;
  before(async () => (runtime = await makeRuntime()));
  after(() => runtime.dispose());
  afterEach(() => {
    expect(runtime.gpu!.textures.lent, 'textures lent').to.equal(0);
    expect(runtime.gpu!.context.gl.getError(), 'WebGL errors').to.equal(0);
  });

  function frameOf(width: number, height: number, data: Uint8Array): SharedFrame {
    return makeFrame(runtime, { width, height, data }, values);
  }

  function noise(width: number, height: number, seed: number): Uint8Array {
    const random = new Random(seed);
    // Flat on the left, so that windows fail; coarse enough for the blur to leave something.
    return Uint8Array.from({ length: width * height }, (_, i) =>
      i % width < width / 3 ? 90 : (random.below(160) & 224) + (i % 7),
    );
  }

  const survivorsOf = (frame: SharedFrame, detector: DetectorGpu, least: number): Promise<Survivors> =>
    drive(runtime, function* (scope): Plan<Survivors> {
      return (yield* DetectorGpu.survivors(scope, frameOnGpu(scope, frame.gray), [{ detector, least }]))[0]!;
    });

  async function compare(
    [width, height]: readonly [number, number],
    target: { width: number; height: number },
    grid: GridRule,
    least: number,
  ): Promise<number> {
    const data = noise(width, height, width * height);
    const frame = frameOf(width, height, data);
    const table = fernTable(5);
    const detector = Detector.of(runtime, frame, target, table, { ...values, grid, minSize: 8 });
    const scope = new Scope(runtime);
    try {
      now(runtime, detector.variance(frame, least));
      const { passed } = detector;
      // Posteriors that let some windows pass.
      const model = new ObjectModel(scope, table, values, 1);
      const random = new Random(9);
      runtime.arena.f32
        .subarray(model.posteriors >> 2, (model.posteriors >> 2) + 10 * 8192)
        .forEach((_, i, all) => (all[i] = random.uniform()));
      now(runtime, detector.votes(frame, model, 5.5));
      const expected = listed(runtime, detector, 'candidates');
      const codes = candidateCodes(runtime, frame, detector);
      // Twice: the second time as many as there were are expected.
      for (let time = 0; time < 2; time++) {
        const survivors = await survivorsOf(frame, detector.gpu(), least);
        expect(survivors.count).to.equal(passed);
        now(runtime, detector.confidences(survivors, model, 5.5));
        expect(listed(runtime, detector, 'candidates')).to.deep.equal(expected);
        expect(candidateCodes(runtime, frame, detector)).to.deep.equal(codes);
      }
      return passed;
    } finally {
      scope.dispose();
      detector.dispose();
      frame.dispose();
    }
  }

  for (const grid of ['paper', 'release'] as const)
    for (const [size, side] of [
      [[17, 11], 9],
      [[61, 47], 14],
      [[67, 31], 12],
      [[129, 67], 21],
    ] as const)
      it(`finds what the WASM side finds in ${size.join('x')}, ${grid}`, async () => {
        expect(await compare(size, { width: side, height: side - 1 }, grid, 200)).to.be.greaterThan(0);
        await compare(size, { width: side, height: side - 1 }, grid, 1e6); // nothing passes
      });

  it('reads the rest when there are more survivors than were expected', async () => {
    expect(await compare([131, 103], { width: 12, height: 12 }, 'paper', 0)).to.be.greaterThan(8192);
  });

  it('windows of more pixels than their sum of squares has bits for', async () => {
    expect(await compare([900, 500], { width: 800, height: 420 }, 'paper', 100)).to.be.greaterThan(0);
  });

  /** Tracks two targets, adds another and corrects one; `flying` frames may be under way. */
  async function track(gpuForced: boolean, frames: number, flying: boolean): Promise<ObjectResult[]> {
    runtime.gpuForced = gpuForced;
    runtime.preferred = gpuForced ? 'gpu' : 'wasm';
    const core = new ObjectTrackerCore(runtime, { seed: 4 });
    const { start, add, correct } = core.methods;
    const line = queued(core);
    const pending: Promise<ObjectResult>[] = [];
    for (let t = 0; t < frames; t++) {
      const { width, height, data } = renderScene(t + 34);
      const plane = runtime.plane(width, height, 'u8', data);
      if (t === 0) {
        await start(plane, 0, squareAt(34));
        await add({ x: 200, y: 120, width: 40, height: 44 });
        plane.dispose();
        continue;
      }
      const work = line.process(plane, 40 * t).finally(() => plane.dispose());
      pending.push(work);
      if (t === 5) void line.call(() => correct(1, squareAt(39)));
      await (flying ? line.entered() : work);
    }
    const results = await Promise.all(pending);
    await core.dispose();
    runtime.gpuForced = false;
    runtime.preferred = 'wasm';
    return results;
  }

  itInFull('tracks two targets as the WASM side does, with learning, also with frames under way', async () => {
    const wasm = await track(false, 10, false);
    expect(wasm.some(({ learning }) => learning)).to.equal(true);
    const both = wasm.map((result) => ({ ...result, backend: 'both' }));
    if (!short) expect(await track(true, 10, false)).to.deep.equal(both);
    expect(await track(true, 10, true)).to.deep.equal(both);
  });

  itInFull('goes on by itself when the context is lost, and after it is back', async () => {
    const expected = await track(false, 5, false);
    const own = await makeRuntime();
    own.gpuForced = true;
    own.preferred = 'gpu';
    const { canvas, gl } = own.gpu!.context;
    const extension = gl.getExtension('WEBGL_lose_context')!;
    const event = (name: string) => new Promise((resolve) => canvas.addEventListener(name, resolve, { once: true }));
    const core = new ObjectTrackerCore(own, { seed: 4 });
    const planes = Array.from({ length: 5 }, (_, t) => {
      const { width, height, data } = renderScene(t + 34);
      return own.plane(width, height, 'u8', data);
    });
    core.start(planes[0]!, squareAt(34));
    core.add({ x: 200, y: 120, width: 40, height: 44 });
    const results = [await core.process(planes[1]!, 40)];
    const flying = core.process(planes[2]!, 80);
    const lost = event('webglcontextlost');
    extension.loseContext();
    await lost;
    await new Promise((resolve) => setTimeout(resolve, 0)); // restoreContext() is not allowed within the event
    results.push(await flying, await core.process(planes[3]!, 120));
    const restored = event('webglcontextrestored');
    extension.restoreContext();
    await restored;
    results.push(await core.process(planes[4]!, 160));
    expect(results.map(({ backend }) => backend)).to.deep.equal(['both', 'wasm', 'wasm', 'both']);
    expect(results.map((result) => ({ ...result, backend: 'wasm' }))).to.deep.equal(expected);
    await core.dispose();
    own.dispose();
  });

  describe('goldens', () => {
    type Params = { init: number[]; threshold: number };
    type Read = { golden: Golden; one: GoldenCase };
    let every: Golden[];
    before(async () => (every = await allGolden('objects')));
    const cases = (op: string): Read[] => {
      const found = every.flatMap((golden) =>
        golden.cases.filter((one) => one.op === op).map((one) => ({ golden, one })),
      );
      expect(found.length, op).to.be.at.least(2);
      return found;
    };
    async function goldenFrame({ golden, one: { inputs } }: Read): Promise<SharedFrame> {
      const [height, width] = inputs[0]!.shape as [number, number];
      return frameOf(width, height, (await golden.samples(inputs[0]!)) as Uint8Array);
    }

    it('variances: the same windows accepted', async () => {
      for (const read of cases('tld_variance')) {
        const { golden, one } = read;
        const frame = await goldenFrame(read);
        const { init, threshold } = one.params as unknown as Params;
        const detector = Detector.of(runtime, frame, { width: init[2]!, height: init[3]! }, fernTable(1), {
          ...values,
          minSize: 20,
        });
        const found = await survivorsOf(frame, detector.gpu(), threshold);
        const numberAt = numbersOf(detector.windows);
        const accepted = new Set(
          Array.from(found.places.subarray(0, found.count), (place) => numberAt(place & 0x3fffffff)),
        );
        const { accepted: wanted, nearThreshold } = one as unknown as Record<'accepted' | 'nearThreshold', number>;
        expect(accepted.size, one.id).to.be.within(wanted - nearThreshold, wanted + nearThreshold);
        const variances = (await golden.samples(one.expected[0]!)) as Float32Array;
        const step = one.expected[0]!.every ?? 1;
        let differ = 0;
        variances.forEach((v, i) => {
          if (v > threshold === accepted.has(i * step)) return;
          expect(Math.abs(v - threshold), `${one.id}: window ${i * step}`).to.be.at.most(0.001);
          differ++;
        });
        expect(differ, one.id).to.be.at.most(nearThreshold);
        for (const thing of [detector, frame]) thing.dispose();
      }
    });

    it('codes of the ferns, all equal', async () => {
      for (const read of cases('tld_fern')) {
        const { golden, one } = read;
        const frame = await goldenFrame(read);
        const table = (await golden.json(one.inputs[1]!)) as { table_x1_y1_x2_y2: number[][][] };
        const boxes = (await golden.samples(one.inputs[2]!)) as Int32Array;
        const codes = await golden.samples(one.expected[0]!);
        // Each box is a scale of its own.
        const scales = Array.from({ length: boxes.length / 4 }, (_, i) => {
          const [x, y, width, height] = boxes.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number];
          return { k: 0, width, height, lefts: Int32Array.of(x), tops: Int32Array.of(y), first: i };
        });
        const grid: Grid = { rule: 'paper', scales, count: scales.length };
        const detector = new DetectorGpu(runtime, layoutOf(grid), table.table_x1_y1_x2_y2.flat(2));
        const found = await survivorsOf(frame, detector, 0);
        // Boxes of one gray value are no candidates; one batch holds all of these, so a place is a box's number.
        expect(found.count, one.id).to.be.within(0.99 * grid.count, grid.count);
        for (let k = 0; k < found.count; k++)
          for (let f = 0; f < 10; f++)
            expect(codeOf(found, k, f), one.id).to.equal(codes[10 * (found.places[k]! & 0x3fffffff) + f]);
        for (const thing of [detector, frame]) thing.dispose();
      }
    });
  });
});
