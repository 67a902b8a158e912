/** The GPU path of Starburst against the WASM side: bytes of the preprocessing, border points, circles, results. */
import { expect } from 'chai';
import { ladderParts, type Ladder } from '../../../lab/pupil/ladder/ladder.ts';
import { GpuRays } from '../../../src/pupil/starburst/starburst.gpu.ts';
import { pupilParameters, type PupilValues } from '../../../src/pupil/parameters.ts';
import { prepareWholeFrame, PreparedFrame } from '../../../src/pupil/preparation/prepared-frame.ts';
import { PupilSearch } from '../../../src/pupil/search/search.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { full, itInFull, short } from '../../support/full.ts';
import { crop, frames, gpuRuntime, planeOf, type Gray } from '../gpu-support.ts';

const valuesOf = (given: Partial<PupilValues> = {}): PupilValues =>
  resolveParameters(pupilParameters, given, 'test') as PupilValues;

describe('Starburst on the GPU', () => {
  let runtime: Runtime;
  let images: Gray[];
  before(async function () {
    this.timeout(60_000);
    runtime = await gpuRuntime();
    images = frames().filter((_, i) => !short || i % 3 === 0); // of each kind some
  });
  after(() => {
    expect(runtime.gpu!.textures.lent).to.equal(0);
    expect(runtime.arena.blocks, 'the scratch of the kernels alone').to.be.at.most(1);
    runtime.dispose();
  });

  /** Levels and reflections of some windows against the image stages, byte for byte. */
  async function checkPrepared(image: Gray, given: Partial<PupilValues>, ladder: Partial<Ladder>): Promise<void> {
    const values = valuesOf(given);
    const plane = planeOf(runtime, image);
    const rays = new GpuRays(runtime, values, ladderParts(runtime, values, ladder));
    const { blurred, mask } = driveNow(runtime, (scope) => prepareWholeFrame(scope, plane, values));
    const levels = blurred.copy();
    const hidden = mask?.copy();
    const { width, height } = image;
    const windows = [
      { x0: 0, y0: 0, x1: width, y1: height },
      { x0: 0, y0: 37, x1: 101, y1: 90 },
      { x0: 83, y0: 50, x1: width - 61, y1: height - 45 },
      { x0: width - 70, y0: height - 51, x1: width, y1: height },
    ];
    for (const window of windows) {
      const { piece, samples, stride } = await rays.prepared(plane, window);
      let wrong = 0;
      for (let y = window.y0; y < window.y1; y++)
        for (let x = window.x0; x < window.x1; x++) {
          const at = y * width + x;
          const expected = levels[at]! + (hidden?.[at] ? 256 : 0);
          if (samples[(y - piece.origin[1]) * stride + x - piece.origin[0]] !== expected) wrong++;
        }
      expect(wrong, `${JSON.stringify(given)} ${JSON.stringify(ladder)} ${JSON.stringify(window)}`).to.equal(0);
    }
    for (const thing of [plane, blurred, mask, rays]) thing?.dispose();
  }

  itInFull('prepares the same bytes as the image stages', async function () {
    this.timeout(120_000);
    const image = images[1]!;
    const odd = crop(image, image.width - 3, image.height - 1);
    await checkPrepared(image, {}, {});
    await checkPrepared(odd, {}, {});
    await checkPrepared(odd, { reflectionSize: 7, reflectionDilation: 3, gaussianSize: 9, gaussianSigma: 3 }, {});
    await checkPrepared(odd, { reflections: 'none', gaussianSize: 3 }, {});
    await checkPrepared(odd, { smoothing: 'median' }, {});
    await checkPrepared(odd, { reflections: 'interpolate' }, {});
    await checkPrepared(odd, { reflections: 'interpolate', smoothing: 'median' }, {});
    if (!full) return; // the laboratory's ladder: optimizations switched off
    await checkPrepared(odd, { reflections: 'interpolate', smoothing: 'median', medianSize: 11 }, { packed: false });
    await checkPrepared(odd, {}, { packed: false });
    await checkPrepared(odd, {}, { fused: false });
    await checkPrepared(odd, { reflectionSize: 5 }, { separable: false });
    await checkPrepared(odd, { reflectionSize: 5 }, { separable: false, packed: false, fused: false });
  });

  it('doubles the rows of large images with the same bytes', async function () {
    this.timeout(120_000);
    // Over 100,000 texels of four pixels.
    const { width, data } = images[0]!;
    const large = { width: 648, height: 620, data: new Uint8Array(648 * 620) };
    for (let y = 0; y < 620; y++)
      for (let x = 0; x < 648; x++) large.data[y * 648 + x] = data[(y % 240) * width + (x % 320)]!;
    await checkPrepared(large, {}, {});
  });

  /** The same start on both sides: RANSAC's points, and the circle where nothing is done to it afterwards. */
  async function checkPoints(given: Partial<PupilValues>): Promise<{ equal: number; converged: number }> {
    const values = valuesOf(given);
    const paper = values.variant === 'paper';
    const rays = new GpuRays(runtime, values);
    const counts = { equal: 0, converged: 0 };
    for (const image of images) {
      const { width, height } = image;
      const plane = planeOf(runtime, image);
      const frame = new PreparedFrame(runtime, width, height);
      const search = new PupilSearch(runtime, values, width);
      const limits = { x0: 0, y0: 0, x1: width, y1: height };
      driveNow(runtime, () => frame.begin(plane, values));
      search.begin(plane, frame, limits);
      driveNow(runtime, () => (paper ? search.startAt((width - 1) / 2, (height - 1) / 2) : search.startInDark(1)));
      const start = search.starts()[0]!;
      driveNow(runtime, () => search.tryStarts());
      const request = { source: plane, limits, starts: [{ ...start, rounds: 0 }], local: false, rounds: 2 };
      const outcome = (await runtime.driver.run(rays.find(request)))[0]!;
      if (outcome.status === 'converged') {
        counts.converged++;
        const { f32 } = runtime.arena;
        const at = (name: 'px' | 'py', i: number) => f32[(search.get(name) >> 2) + i]!;
        const n = outcome.points.length >> 1;
        // The points stay where they are; a state without an outline does not say how many they were.
        if (search.get('entered')) expect(n).to.equal(search.get('points'));
        const far = Array.from({ length: n }, (_, i) =>
          Math.hypot(outcome.points[2 * i]! - at('px', i), outcome.points[2 * i + 1]! - at('py', i)),
        );
        expect(Math.max(...far)).to.be.at.most(1);
        if (!far.some((distance) => distance > 0)) counts.equal++;
        if (paper) expect(Math.hypot(outcome.x - search.get('cx'), outcome.y - search.get('cy'))).to.be.at.most(0.25);
      } else expect(paper ? search.get('votes') : search.get('score')).to.be.at.most(0);
      for (const thing of [plane, frame, search]) thing.dispose();
    }
    rays.dispose();
    return counts;
  }

  const variants: Partial<PupilValues>[] = [
    {},
    { variant: 'paper' },
    { reflections: 'interpolate', rays: 31, secondaryRays: 3 },
    { secondaryRays: 0, sets: 64 },
  ];
  for (const given of variants)
    ('rays' in given || 'sets' in given ? itInFull : it)(
      `finds the same border points and circle with ${JSON.stringify(given)}`,
      async function () {
        this.timeout(120_000);
        const { equal, converged } = await checkPoints(given);
        expect(converged).to.be.at.least(images.length / 2);
        // The same to the bit, as a rule; rounding of another GPU may move a sample.
        expect(equal).to.be.at.least(converged / 2);
      },
    );
});
