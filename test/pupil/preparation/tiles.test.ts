// Full run only: many rendered frames, up to a minute.
/** Preprocessing on demand against the image stages, which have goldens of their own; and filled reflections. */
import { expect } from 'chai';
import type { PupilValues } from '../../../src/pupil/parameters.ts';
import { fillReflections as filling, prepareWholeFrame } from '../../../src/pupil/preparation/prepared-frame.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { hardFrame, sampleFrame } from '../../../lab/eyes/index.ts';
import { generator } from '../../parity/cases.ts';
import { fillReflections } from '../../reference/pupil-fill-reflections.ts';
import { contents, imageOf, prepareTiles, valuesOf } from './prepared.ts';
import { makeRuntime, TestTracker, type Gray } from '../search-memory.ts';

const sizes = [
  [1, 1], [1, 70], [70, 1], [2, 3], [15, 16], [16, 17], [17, 63], [33, 130], [63, 64], [64, 64], [65, 65], [79, 80],
  [96, 97], [127, 31], [128, 128], [129, 66], [131, 150], [160, 129], [193, 97], [200, 150],
] as const; // prettier-ignore

/** The defaults, the limits of the table, and what the issue names. */
const settings: Partial<PupilValues>[] = [
  {},
  { reflectionSize: 13, reflectionDilation: 1, gaussianSize: 3, gaussianSigma: 0.8 },
  { reflectionSize: 25, reflectionDilation: 15, reflectionThreshold: 10, gaussianSize: 15, gaussianSigma: 4 },
  { reflectionSize: 25, reflectionDilation: 15, reflectionThreshold: 1, gaussianSize: 15, gaussianSigma: 8 },
  { reflectionSize: 3, reflectionDilation: 3, reflectionThreshold: 1, gaussianSize: 9, gaussianSigma: 1.7 },
  { reflectionSize: 19, reflectionDilation: 7, reflectionThreshold: 254, gaussianSize: 7, gaussianSigma: 0.3 },
  { reflectionSize: 15, reflectionDilation: 9, reflectionThreshold: 100, gaussianSize: 13, gaussianSigma: 2 },
  { reflections: 'none' },
];

describe('preprocessing of the pupil tracker', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
    compare(imageOf('noise', 9, 9, 1), valuesOf({}), 'first'); // the pool's scratch stays
  });
  after(() => runtime.dispose());
  let blocks = 0;
  beforeEach(() => (blocks = runtime.arena.blocks));
  afterEach(() => expect(runtime.arena.blocks, 'blocks of memory').to.equal(blocks));

  function compare(image: Gray, values: PupilValues, where: string): number {
    const { width, height, data } = image;
    const source = runtime.plane(width, height, 'u8', data);
    const whole = driveNow(runtime, (scope) => prepareWholeFrame(scope, source, values));
    const tiles = prepareTiles(runtime, image, values);
    const blurred = whole.blurred.copy();
    const mask = whole.mask ? whole.mask.copy() : new Uint8Array(width * height);
    for (const [name, actual, expected] of [
      ['blurred', tiles.blurred, blurred],
      ['mask', tiles.mask, mask],
    ] as const) {
      const first = actual.findIndex((v, i) => v !== expected[i]);
      if (first >= 0)
        throw new Error(`${name}, ${where}: ${actual[first]} instead of ${expected[first]} at pixel ${first}`);
    }
    tiles.search.dispose();
    source.dispose();
    whole.blurred.dispose();
    whole.mask?.dispose();
    return mask.filter((v) => v > 0).length;
  }

  it('finds a reflection that fills a block of sixteen pixels, which nothing dark in the block tells', () => {
    const image = { width: 96, height: 96, data: new Uint8Array(96 * 96).fill(40) };
    for (let y = 32; y < 48; y++) image.data.fill(230, 96 * y + 32, 96 * y + 48);
    expect(compare(image, valuesOf({}), 'one block')).to.equal(20 * 20);
  });

  for (const kind of contents)
    it(`has the bytes of the whole frame tile by tile: ${kind}`, () => {
      let masked = 0;
      sizes.forEach(([width, height], i) => {
        const image = imageOf(kind, width, height, 100 + i);
        settings.forEach((given, k) => {
          masked += compare(image, valuesOf(given), `${width}x${height}, setting ${k}`);
        });
      });
      if (kind !== 'gradient') expect(masked).to.be.above(1000);
    });

  it('has the bytes of the whole frame on a rendered eye with reflections', () => {
    for (const given of settings.slice(0, 3)) expect(compare(hardFrame(1), valuesOf(given), 'hard 1')).to.be.above(100);
  });

  it('tracks with the same results with and without tiles on demand', () => {
    const frames = [0, 1, 4, 9, 11, 13].map((i) => hardFrame(i));
    for (let i = 270; i < 290; i += 2) frames.push(sampleFrame(i) as never);
    for (const given of [
      {},
      { variant: 'paper' },
      { reflectionSize: 25, reflectionDilation: 15, gaussianSize: 9 },
      { eyes: 2, reflections: 'none' },
      { roi: { x: 101, y: 77, width: 390, height: 301 }, outline: true },
    ]) {
      const lazy = new TestTracker(runtime, given);
      const whole = new TestTracker(runtime, { ...given, tilesOnDemand: false });
      let found = 0;
      for (const frame of frames) {
        const result = lazy.process(frame);
        expect(result).to.deep.equal(whole.process(frame));
        if (result.pupils[0]!.found) found++;
      }
      lazy.dispose();
      whole.dispose();
      expect(found, JSON.stringify(given)).to.be.at.least(2);
    }
  });

  it('fills reflections from their border', () => {
    for (const [width, height] of [
      [1, 1],
      [7, 5],
      [64, 33],
      [90, 71],
    ] as const)
      for (const [share, reach] of [
        [0, 9],
        [0.05, 48],
        [0.6, 3],
        [0.6, 200],
        [1, 20],
      ] as const) {
        const random = generator(width + 1000 * share);
        const image = imageOf('noise', width, height, width);
        const mask = Uint8Array.from(image.data, (_, i) => (random() < share && (i >> 2) % 7 < 5 ? 255 : 0));
        if (share === 1) mask.fill(255);
        const source = runtime.plane(width, height, 'u8', image.data);
        const plane = runtime.plane(width, height, 'u8', mask);
        const [filled] = driveNow(runtime, (scope) => scope.run(filling, [source, plane], { reach }));
        const expected = fillReflections(image, mask, reach, true);
        expect(filled.copy()).to.deep.equal(Uint8Array.from(expected, Math.round));
        // Weights of four digits and more.
        fillReflections(image, mask, reach).forEach((v, i) => expect(Math.abs(v - expected[i]!)).to.be.at.most(255e-4));
        for (const p of [source, plane, filled]) p.dispose();
      }
  });
});
