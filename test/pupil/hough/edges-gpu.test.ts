/** The Hough method's edges on the GPU: those of the WASM side, over odd sizes, boxes and halvings, and the same pupils. */
import { expect } from 'chai';
import { cannyOf } from '../../../src/edges/canny.ts';
import { edgeOctants } from '../../../src/edges/circles-stages.ts';
import { pyramidDown } from '../../../src/image/pyramid-down.ts';
import { GpuEdges } from '../../../src/pupil/hough/edges.gpu.ts';
import { pupilParameters, type PupilValues } from '../../../src/pupil/parameters.ts';
import { cropped, PreparedFrame } from '../../../src/pupil/preparation/prepared-frame.ts';
import type { Region } from '../../../src/pupil/search/region.ts';
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { Scope } from '../../../src/runtime/scope.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { hardFrame } from '../../../lab/eyes/index.ts';
import { generator } from '../../parity/cases.ts';
import { full, itInFull } from '../../support/full.ts';
import { frames, gpuRuntime, planeOf, reduce, type Gray } from '../gpu-support.ts';

const method = 'hough';
const valuesOf = (given: Partial<PupilValues>): PupilValues =>
  resolveParameters(pupilParameters, { method, ...given }, 'test') as PupilValues;
const automatic = { thresholds: 'auto' } as const;

describe('edges of pupils on the GPU', () => {
  let runtime: Runtime;
  before(async function () {
    this.timeout(60_000);
    runtime = await gpuRuntime();
  });
  after(() => {
    expect(runtime.gpu!.textures.lent).to.equal(0);
    expect(runtime.arena.blocks, 'the scratch of the kernels alone').to.be.at.most(1);
    runtime.dispose();
  });

  /** Edges and directions of a box in WASM. */
  function expectedOf(image: Gray, box: Region, halvings: number, values: PupilValues): number[][] {
    const plane = planeOf(runtime, image);
    const frame = new PreparedFrame(runtime, image.width, image.height);
    const found = driveNow(runtime, function* (scope) {
      yield* frame.begin(plane, values);
      const whole = { x0: 0, y0: 0, x1: box.x1 - box.x0, y1: box.y1 - box.y0 };
      let small = cropped(scope, yield* frame.filled(box), whole);
      for (let i = 0; i < halvings; i++) [small] = yield* scope.run(pyramidDown, [small], { border: 'replicate' });
      const edges = yield* cannyOf(scope, small, automatic);
      return [edges, yield* edgeOctants(scope, small, edges)];
    });
    const samples = found.map((made) => [...made.copy()] as number[]);
    for (const thing of [frame, plane, ...found]) thing.dispose();
    return samples;
  }

  async function check(image: Gray, box: Region, halvings: number, given: Partial<PupilValues>): Promise<number> {
    const values = valuesOf(given);
    const expected = expectedOf(image, box, halvings, values);
    const gpu = new GpuEdges(runtime, values);
    const scope = new Scope(runtime);
    const source = planeOf(runtime, image);
    const { edges, octants } = await runtime.driver.run(gpu.find(scope, source, box, halvings, automatic));
    expect(edges.on).to.equal('gpu');
    const found = [[...(await edges.read())], [...(await octants!.read())]];
    expect(found, `${image.width}x${image.height} ${JSON.stringify([box, halvings, given])}`).to.deep.equal(expected);
    for (const thing of [gpu, scope, source]) thing.dispose();
    return expected[0]!.filter(Boolean).length;
  }

  it('are those of the WASM side, over odd sizes', async function () {
    this.timeout(120_000);
    for (const [width, height] of [
      [1, 1],
      [3, 67],
      [17, 31],
      [65, 66],
      [131, 97],
    ] as const) {
      const random = generator(100 * width + height);
      const data = Uint8Array.from({ length: width * height }, () => 140 * random() + 115 * +(random() < 0.05));
      const box = { x0: 0, y0: 0, x1: width, y1: height };
      for (const halvings of [0, 1]) await check({ width, height, data }, box, halvings, {});
    }
  });

  // tracker/methods-gpu.test.ts tracks rendered eyes by them.
  itInFull('are those of the WASM side in boxes of rendered eyes', async function () {
    this.timeout(120_000);
    const image = frames()[1]!;
    const { width, height } = image;
    for (const [box, halvings, given] of [
      [{ x0: 0, y0: 0, x1: width, y1: height }, 1, {}],
      [{ x0: 61, y0: 37, x1: 162, y1: 120 }, 0, {}],
      [{ x0: width - 78, y0: height - 51, x1: width, y1: height }, 0, { smoothing: 'median' }],
      [{ x0: 13, y0: 7, x1: width, y1: height - 2 }, 2, { reflections: 'none' }],
    ] as const)
      expect(await check(image, box, halvings, given)).to.be.above(50);
  });

  itInFull('lead to the same pupils in hard frames, to the bit', async function () {
    this.timeout(240_000);
    const planes = (full ? [0, 1, 2, 5, 7, 10] : [0, 2, 7]).map((i) => planeOf(runtime, reduce(hardFrame(i), 2)));
    for (const given of [{}, { tracking: false, reflections: 'interpolate' }] as const) {
      const core = new PupilTrackerCore(runtime, { method, ...given });
      const reference = new PupilTrackerCore(runtime, { method, ...given });
      const sides = new Set<string>();
      for (const [i, plane] of planes.entries()) {
        const result = await core.process(plane, 16 * i);
        sides.add(result.backend);
        expect({ ...result, backend: 'wasm' }).to.deep.equal(reference.track(plane, 16 * i));
      }
      // Where further circles are listed, or levels spread, it is both.
      expect(sides).to.include('gpu').and.not.include('wasm');
      for (const thing of [core, reference]) await thing.dispose();
    }
    for (const plane of planes) plane.dispose();
  });
});
