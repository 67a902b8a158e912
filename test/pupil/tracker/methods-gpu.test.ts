/** A forced GPU runs every method end to end: what has no GPU side runs on the WASM side, with the same results. */
import { expect } from 'chai';
import { createEngine, pupilParameters } from '../../../src/index.ts';
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import type { PupilResult } from '../../../src/results/types.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { sampleFrame } from '../../../lab/eyes/index.ts';
import { gpuRuntime, planeOf, reduce, type Gray } from '../gpu-support.ts';
import { queued } from '../../support/queued.ts';
import { itInFull } from '../../support/full.ts';

const methods = pupilParameters.method.values;

describe('every method with the GPU forced', () => {
  let runtime: Runtime;
  let sequence: Gray[];
  before(async function () {
    this.timeout(60_000);
    runtime = await gpuRuntime();
    const blank = { width: 320, height: 240, data: new Uint8Array(320 * 240).fill(90) };
    const eye = [60, 61, 62, 63].map((i) => reduce(sampleFrame(i), 2));
    sequence = [...eye, blank, eye[0]!];
  });
  after(() => {
    expect(runtime.gpu!.textures.lent).to.equal(0);
    expect(runtime.arena.blocks, 'the scratch of the kernels alone').to.be.at.most(1);
    runtime.dispose();
  });

  /** Through `process`, with frames in flight where there are any, against the WASM side alone. */
  async function both(given: Record<string, unknown>): Promise<[PupilResult[], PupilResult[]]> {
    const planes = sequence.map((image) => planeOf(runtime, image));
    const core = new PupilTrackerCore(runtime, given);
    await core.prepare();
    const line = queued(core);
    const running = planes.map((plane, i) => line.process(plane, 4 * i));
    const results = await Promise.all(running);
    const reference = new PupilTrackerCore(runtime, given);
    const expected = planes.map((plane, i) => reference.track(plane, 4 * i));
    for (const thing of [core, reference, ...planes]) await thing.dispose();
    for (const { backend } of expected) expect(backend).to.equal('wasm');
    return [results, expected];
  }

  for (const given of [
    { method: 'threshold' },
    { method: 'robust' },
    { method: 'hough' },
    { method: 'hough', eyes: 2 },
    { method: 'hough', variant: 'paper', angleStep: Math.PI / 10 },
  ])
    ('variant' in given || 'eyes' in given ? itInFull : it)(
      `gives the same bytes: ${Object.values(given).join(', ')}`,
      async function () {
        this.timeout(120_000);
        const [results, expected] = await both(given);
        const backends = results.map(({ backend }) => backend);
        if (given.method === 'robust') expect(new Set(backends)).to.deep.equal(new Set(['wasm']));
        else expect(backends).to.not.include('wasm');
        // The levels of the blank frame are spread on the WASM side.
        if (given.method === 'threshold') expect(backends).to.deep.equal(['gpu', 'gpu', 'gpu', 'gpu', 'both', 'gpu']);
        expect(results).to.deep.equal(expected.map((result, i) => ({ ...result, backend: results[i]!.backend })));
        expect(results.map(({ timestamp }) => timestamp)).to.deep.equal(sequence.map((_, i) => 4 * i));
        if (!('eyes' in given) && !('variant' in given))
          expect(results.map(({ pupils }) => pupils[0]!.found)).to.deep.equal([true, true, true, true, false, true]);
      },
    );

  /** With a quarter of the light, in a black frame. */
  function darkAndFramed({ width, height, data }: Gray): Gray {
    const out = new Uint8Array(2 * data.length);
    for (let y = 0; y < height; y++)
      out.set(
        data.subarray(y * width, (y + 1) * width).map((v) => v / 4),
        (2 * y + 0.5) * width,
      );
    return { width: 2 * width, height, data: out };
  }

  for (const method of ['hough', 'starburst'])
    for (const polarity of ['dark', 'bright'])
      (polarity === 'dark' || method === 'hough' ? itInFull : it)(
        `finds a ${polarity} pupil: ${method}`,
        async function () {
          this.timeout(120_000);
          const images = sequence
            .slice(0, 2)
            .map((image) =>
              polarity === 'dark' ? darkAndFramed(image) : { ...image, data: image.data.map((v) => 255 - v) },
            );
          const planes = images.map((image) => planeOf(runtime, image));
          const core = new PupilTrackerCore(runtime, { method, polarity, depth: 1 });
          const reference = new PupilTrackerCore(runtime, { method, polarity });
          for (const [i, plane] of planes.entries()) {
            const { pupils, backend } = await core.process(plane, 4 * i);
            expect(backend).not.to.equal('wasm');
            expect(pupils[0]!.found).to.equal(true);
            const expected = reference.track(plane, 4 * i).pupils[0]!;
            expect(Math.hypot(pupils[0]!.x - expected.x, pupils[0]!.y - expected.y)).to.be.at.most(0.25);
          }
          for (const thing of [core, reference, ...planes]) await thing.dispose();
        },
      );

  for (const smoothing of ['gaussian', 'median'])
    (smoothing === 'median' ? itInFull : it)(
      `fills reflections from their border, then the ${smoothing}`,
      async function () {
        this.timeout(120_000);
        const given = { method: 'starburst', reflections: 'interpolate', smoothing } as const;
        const planes = sequence.slice(0, 3).map((image) => planeOf(runtime, image));
        const core = new PupilTrackerCore(runtime, { ...given, depth: 1 });
        const reference = new PupilTrackerCore(runtime, given);
        for (const [i, plane] of planes.entries()) {
          const { pupils, backend } = await core.process(plane, 4 * i);
          expect(backend).to.equal('gpu');
          const expected = reference.track(plane, 4 * i).pupils[0]!;
          expect([pupils[0]!.found, expected.found]).to.deep.equal([true, true]);
          expect(Math.hypot(pupils[0]!.x - expected.x, pupils[0]!.y - expected.y)).to.be.at.most(0.25);
        }
        for (const thing of [core, reference, ...planes]) await thing.dispose();
      },
    );

  for (const method of ['hough', 'threshold'])
    (method === 'hough' ? itInFull : it)(`goes on with WASM when the context goes: ${method}`, async function () {
      this.timeout(120_000);
      const planes = sequence.slice(0, 4).map((image) => planeOf(runtime, image));
      const core = new PupilTrackerCore(runtime, { method });
      const { canvas, gl } = runtime.gpu!.context;
      const event = (name: string) => new Promise((resolve) => canvas.addEventListener(name, resolve, { once: true }));
      const extension = gl.getExtension('WEBGL_lose_context')!;
      const results = [await core.process(planes[0]!, 0)];
      const flying = core.process(planes[1]!, 4);
      const lost = event('webglcontextlost');
      extension.loseContext();
      await lost;
      await new Promise((resolve) => setTimeout(resolve, 0)); // restoreContext() is not allowed within the event
      results.push(await flying, await core.process(planes[2]!, 8));
      const restored = event('webglcontextrestored');
      extension.restoreContext();
      await restored;
      results.push(await core.process(planes[3]!, 12));
      expect(results.map(({ pupils }) => pupils[0]!.found)).to.deep.equal([true, true, true, true]);
      for (const thing of [core, ...planes]) await thing.dispose();
    });

  // engine-gpu.test.ts runs one of them through an engine.
  itInFull('does so through an engine', async function () {
    this.timeout(120_000);
    const engine = await createEngine({ backend: 'gpu', worker: false, threads: 1 });
    expect(engine.capabilities.backend).to.equal('gpu');
    for (const method of methods) {
      const tracker = engine.createPupilTracker({ method });
      const [first, second] = await Promise.all([0, 1].map((i) => tracker.process(sequence[i]!, { timestamp: i })));
      for (const { pupils } of [first!, second!]) expect(pupils[0]!.found, method).to.equal(true);
      await tracker.dispose();
    }
    await engine.dispose();
  });
});
