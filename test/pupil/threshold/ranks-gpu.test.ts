/** The threshold method's picture on the GPU: dark where the WASM side's is, over odd sizes and boxes, and the same pupils. */
import { expect } from 'chai';
import { GpuFilled, levelsPass } from '../../../src/pupil/preparation/filled.gpu.ts';
import { PreparedFrame } from '../../../src/pupil/preparation/prepared-frame.ts';
import type { Region } from '../../../src/pupil/search/region.ts';
import { GpuRanks } from '../../../src/pupil/threshold/ranks.gpu.ts';
import { pupilParameters, type PupilValues } from '../../../src/pupil/parameters.ts';
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import type { PupilResult } from '../../../src/results/types.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { hardFrame, sampleFrame } from '../../../lab/eyes/index.ts';
import { generator } from '../../parity/cases.ts';
import { crop, frames, gpuRuntime, planeOf, reduce, type Gray } from '../gpu-support.ts';
import { queued } from '../../support/queued.ts';
import { itInFull } from '../../support/full.ts';

const method = 'threshold';
const valuesOf = (given: Partial<PupilValues>): PupilValues =>
  resolveParameters(pupilParameters, { method, ...given }, 'test') as PupilValues;

describe('thresholds on the GPU', () => {
  let runtime: Runtime;
  let images: Gray[];
  before(async function () {
    this.timeout(60_000);
    runtime = await gpuRuntime();
    images = frames();
  });
  after(() => {
    expect(runtime.gpu!.textures.lent).to.equal(0);
    expect(runtime.arena.blocks, 'the scratch of the kernels alone').to.be.at.most(1);
    runtime.dispose();
  });

  /** Levels of a box in WASM. */
  function levelsOf(image: Gray, box: Region, values: PupilValues): number[] {
    const plane = planeOf(runtime, image);
    const frame = new PreparedFrame(runtime, image.width, image.height);
    driveNow(runtime, () => frame.begin(plane, values));
    const { address, stride } = driveNow(runtime, () => frame.filled(box));
    const levels = samples(address, stride, box);
    for (const thing of [frame, plane]) thing.dispose();
    return levels;
  }
  function samples(address: number, stride: number, { x0, y0, x1, y1 }: Region): number[] {
    const { u8 } = runtime.arena;
    return Array.from({ length: y1 - y0 }, (_, y) => [
      ...u8.subarray(address + y * stride, address + y * stride + x1 - x0),
    ]).flat();
  }

  async function check(image: Gray, boxes: readonly Region[], given: Partial<PupilValues>): Promise<void> {
    const values = valuesOf(given);
    const { thresholdFrom: from, thresholdTo: to, thresholdStep: step } = values;
    const ranks = new GpuRanks(runtime, values);
    const filled = new GpuFilled(runtime, values);
    for (const box of boxes) {
      const what = `${image.width}x${image.height} ${JSON.stringify(box)} ${JSON.stringify(given)}`;
      const levels = levelsOf(image, box, values);
      const source = planeOf(runtime, image);
      const scope = new Scope(runtime);
      const view = { source, frame: null as never, region: box, last: null, lost: 0 };
      const found = await runtime.driver.run(ranks.enqueue(view)(scope, source, box));
      const expected = levels.map((v) => {
        let brighter = 0;
        for (let level = from; level <= to; level += step) brighter += +(v > level);
        return brighter;
      });
      expect(samples(found!.address, found!.stride, box), what).to.deep.equal(expected);
      // And the levels themselves, one a texel.
      const { levels: texture, origin } = filled.draw(scope, source, box);
      const plane = scope.gpuPlane(box.x1 - box.x0, box.y1 - box.y0, 'u8');
      const uniforms = { origin, first: 0, stride: 1, most: 255 };
      scope.draw(levelsPass, { targets: [plane], textures: { levels: texture }, uniforms });
      expect([...(await plane.read())], what).to.deep.equal(levels);
      for (const thing of [scope, source]) thing.dispose();
    }
    for (const thing of [ranks, filled]) thing.dispose();
  }

  it('has the bytes of the WASM side, over odd sizes', async function () {
    this.timeout(120_000);
    for (const [width, height] of [
      [1, 1],
      [3, 67],
      [15, 9],
      [16, 16],
      [17, 31],
      [63, 12],
      [65, 66],
      [131, 97],
    ] as const) {
      const random = generator(100 * width + height);
      const data = Uint8Array.from({ length: width * height }, () => 140 * random() + 115 * +(random() < 0.05));
      const box = { x0: 0, y0: 0, x1: width, y1: height };
      await check({ width, height, data }, [box], { thresholdStep: 1 + (width % 7) });
    }
  });

  itInFull('has the bytes of the WASM side in boxes of rendered eyes', async function () {
    this.timeout(240_000);
    const eye = images[0]!;
    const image = crop(eye, eye.width - 3, eye.height - 1);
    const { width, height } = image;
    const boxes = [
      { x0: 0, y0: 0, x1: width, y1: height },
      { x0: 61, y0: 37, x1: 162, y1: 120 },
      { x0: width - 78, y0: height - 51, x1: width, y1: height },
    ];
    for (const given of [
      {},
      { thresholdFrom: 0, thresholdTo: 254, thresholdStep: 1 },
      { reflectionSize: 7, reflectionDilation: 3, gaussianSize: 9, gaussianSigma: 3 },
      { reflections: 'none' },
      { reflections: 'interpolate' },
      { tilesOnDemand: false },
      { smoothing: 'median' },
      { smoothing: 'median', reflections: 'none' },
    ] as const)
      await check(image, boxes, given);
  });

  /** The frames through `process`, two at a time at most or one, and what the WASM side says of them. */
  async function play(given: Partial<PupilValues>, played: readonly Gray[]): Promise<[PupilResult[], PupilResult[]]> {
    const core = new PupilTrackerCore(runtime, { method, ...given });
    const reference = new PupilTrackerCore(runtime, { method, ...given });
    const planes = played.map((image) => planeOf(runtime, image));
    await core.prepare();
    const expected = planes.map((plane, i) => reference.track(plane, 16 * i));
    const line = queued(core);
    const results = await Promise.all(planes.map((plane, i) => line.process(plane, 16 * i)));
    for (const thing of [core, reference, ...planes]) await thing.dispose();
    return [results, expected];
  }

  // tracker/methods-gpu.test.ts has the default parameters.
  itInFull('finds the same pupils, to the bit', async function () {
    this.timeout(240_000);
    const blank = { width: 320, height: 240, data: new Uint8Array(320 * 240).fill(90) };
    const eye = [60, 61, 62, 63, 64].map((i) => reduce(sampleFrame(i), 2));
    const hard = [0, 1, 2, 5].map((i) => reduce(hardFrame(i), 2));
    for (const [given, played] of [
      [{ depth: 1 }, [...eye, blank, blank, eye[0]!, ...hard]],
      [{ depth: 2 }, [...eye, blank, eye[0]!, eye[1]!]],
      [{ depth: 1, variant: 'paper' }, eye.slice(0, 3)],
      [{ depth: 1, eyes: 2 }, eye.slice(0, 2)],
      [{ depth: 1, smoothing: 'median' }, eye.slice(0, 2)],
      [{ depth: 1, tracking: false, fit: 'circle', thresholdStep: 7 }, [...eye.slice(0, 2), hard[1]!]],
    ] as const) {
      const [results, expected] = await play(given, played);
      // The levels of dark frames are spread on the WASM side.
      const backends = results.map(({ backend }) => backend);
      expect(backends, JSON.stringify(given)).to.not.include('wasm');
      expect(backends.slice(0, 2), JSON.stringify(given)).to.deep.equal(['gpu', 'gpu']);
      const same = expected.map((one, i) => ({ ...one, backend: results[i]!.backend }));
      expect(results, JSON.stringify(given)).to.deep.equal(same);
      expect(results.some(({ pupils }) => pupils[0]!.found)).to.equal(true);
    }
  });
});
