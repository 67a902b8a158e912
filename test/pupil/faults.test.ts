/** Unusual images, parameters and lives of a pupil tracker. */
import { expect } from 'chai';
import { pupilParameters } from '../../src/pupil/parameters.ts';
import type { Pupil } from '../../src/results/types.ts';
import { FoveolaError } from '../../src/runtime/error.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { hardFrame, sampleFrame } from '../../lab/eyes/index.ts';
import { compiled } from '../parity/backends.ts';
import { Canaries } from './canaries.ts';
import { imageOf } from './preparation/prepared.ts';
import { makeRuntime, once, TestTracker, type Gray } from './search-memory.ts';
import { itInFull } from '../support/full.ts';

const flat = (width: number, height: number, value: number): Gray => ({
  width,
  height,
  data: new Uint8Array(width * height).fill(value),
});

/** One image beside another. */
function beside(left: Gray, right: Gray): Gray {
  const width = left.width + right.width;
  const data = new Uint8Array(width * left.height);
  for (let y = 0; y < left.height; y++) {
    data.set(left.data.subarray(y * left.width, (y + 1) * left.width), y * width);
    data.set(right.data.subarray(y * right.width, (y + 1) * right.width), y * width + left.width);
  }
  return { width, height: left.height, data };
}

function crop({ width, data }: Gray, x0: number, y0: number, w: number, h: number): Gray {
  const out = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) out.set(data.subarray((y0 + y) * width + x0, (y0 + y) * width + x0 + w), y * w);
  return { width: w, height: h, data: out };
}

function failure(work: () => unknown): FoveolaError {
  try {
    work();
  } catch (error) {
    expect(error).to.be.instanceOf(FoveolaError);
    return error as FoveolaError;
  }
  throw new Error('this should have failed');
}

/** Every number is finite where a pupil was found, and NaN or null where none was. */
function checkShape(pupil: Pupil): void {
  expect(pupil.confidence).to.be.within(0, 1);
  if (pupil.found) expect(pupil.outlineConfidence).to.be.within(0, 1);
  else expect(pupil.outlineConfidence).to.be.NaN;
  const { x, y, diameter, circle, ellipse } = pupil;
  const numbers = [x, y, diameter, circle.x, circle.y, circle.r, ...(ellipse ? Object.values(ellipse) : [])];
  if (pupil.found) expect(numbers.every(Number.isFinite), JSON.stringify(pupil)).to.equal(true);
  else {
    expect(numbers.every(Number.isNaN), JSON.stringify(pupil)).to.equal(true);
    expect(ellipse).to.equal(null);
    expect(pupil.diameterMm).to.equal(null);
  }
}

const manners: Record<string, unknown>[] = [
  {},
  { tilesOnDemand: false },
  { variant: 'paper' },
  { eyes: 2 },
  { method: 'robust' },
  { method: 'robust', eyes: 2, polarity: 'bright', outline: true, minConfidence: 0 },
  { method: 'robust', rays: 8, secondaryRays: 0, candidates: 1, minDiameter: 0.001, maxDiameter: 2, minContrast: 1 },
  { smoothing: 'median', medianSize: 11 },
  { reflections: 'interpolate' },
  { reflections: 'none', fit: 'circle' },
  { reflectionSize: 25, reflectionDilation: 15, reflectionThreshold: 1, gaussianSize: 15, gaussianSigma: 8 },
  { rays: 72, secondaryRays: 15, sets: 64, candidates: 32, outline: true, minConfidence: 0 },
  { rays: 8, secondaryRays: 0, candidates: 1, minDiameter: 0.001, maxDiameter: 2, minGradient: 1, minContrast: 1 },
];

describe('pupil tracker, faults', () => {
  let runtime: Runtime;
  let canaries: Canaries;
  before(async () => {
    runtime = await makeRuntime();
    canaries = new Canaries(runtime.arena);
  });
  after(() => runtime.dispose());

  describe('images', () => {
    const sizes = [
      [1, 1], [1, 9], [2, 500], [500, 2], [3, 3], [5, 4], [8, 8], [17, 16], [64, 3], [3, 300], [97, 101],
    ] as const; // prettier-ignore

    for (const params of manners)
      it(`of any size and content: ${JSON.stringify(params)}`, () => {
        for (const [width, height] of sizes) {
          const { pupils } = once(runtime, flat(width, height, 0), params);
          expect(pupils.length).to.equal(params.eyes ?? 1);
          for (const image of [flat(width, height, 0), flat(width, height, 255), imageOf('gradient', width, height, 1)])
            for (const pupil of once(runtime, image, params).pupils) {
              checkShape(pupil);
              if (params.minConfidence !== 0) expect(pupil.found, `${width}x${height}`).to.equal(false);
            }
          for (const kind of ['noise', 'spots', 'eye'] as const)
            once(runtime, imageOf(kind, width, height, 2), params).pupils.forEach(checkShape);
        }
        canaries.check();
      });

    it('says that there is nothing in black, white, gray, noise and slopes', () => {
      for (const image of [
        flat(640, 480, 0),
        flat(640, 480, 255),
        flat(640, 480, 90),
        imageOf('noise', 640, 480, 3),
        imageOf('gradient', 320, 240, 3),
        imageOf('spots', 640, 480, 3),
      ])
        for (const params of [{}, { reflections: 'none' }, { reflections: 'interpolate' }]) {
          const [pupil] = once(runtime, image, params).pupils;
          expect(pupil!.found).to.equal(false);
          checkShape(pupil!);
        }
      canaries.check();
    });

    it('has no pupil without an outline even if any confidence is asked for', () => {
      for (const variant of ['default', 'paper'])
        for (const value of [0, 90, 255])
          expect(once(runtime, flat(200, 150, value), { variant, minConfidence: 0 }).pupils[0]!.found).to.equal(false);
    });

    it('finds a pupil at every place up to the border, with all borders of tiles across it', () => {
      const frame = sampleFrame(0);
      const { x, y, major } = frame.truth.ellipse!;
      for (const [left, top] of [
        [0, 0],
        [63, 40],
        [64, 64],
        [65, 90],
        [101, 33],
      ] as const) {
        const image = crop(frame, left, top, 500, 380);
        const [pupil] = once(runtime, image).pupils;
        expect(Math.hypot(pupil!.x + left - x, pupil!.y + top - y), `${left}, ${top}`).to.be.below(0.2);
      }
      // The pupil touches the border or is cut by it: found in the right place or not at all.
      for (const inside of [1, 0.75, 0.5, 0.2]) {
        const edge = Math.round(x - major / 2 + inside * major);
        for (const [image, shift] of [
          [crop(frame, 0, 0, edge, 480), 0],
          [crop(frame, Math.round(x + major / 2 - inside * major), 0, 300, 480), 1],
        ] as const) {
          const [pupil] = once(runtime, image).pupils;
          checkShape(pupil!);
          if (pupil!.found && inside >= 0.5)
            expect(Math.abs(pupil!.x + (shift ? Math.round(x + major / 2 - inside * major) : 0) - x)).to.be.below(5);
        }
      }
      canaries.check();
    });
  });

  describe('parameters', () => {
    it('are checked one by one, and the message names parameter and range', () => {
      for (const [name, p] of Object.entries(pupilParameters)) {
        const wrong =
          p.type === 'number'
            ? [NaN, Infinity, p.min - 1, p.max + 1, '5', null]
            : p.type === 'boolean'
              ? [1, 'yes']
              : ['x', 3];
        for (const value of wrong) {
          if (name === 'millimetresPerPixel' && value === null) continue; // no calibration
          const { code, message } = failure(() => new TestTracker(runtime, { [name]: value }));
          expect(code).to.equal('invalid-argument');
          expect(message).to.contain(name);
          if (p.type === 'number')
            expect(message.includes(String(p.max)) || message.includes(p.values!.join(', ')), message).to.equal(true);
          if (p.type === 'choice') expect(message).to.contain(`'${p.values[0]}'`);
        }
      }
      expect(failure(() => new TestTracker(runtime, { reys: 20 })).message).to.contain('reys');
    });

    it('roi must be a rectangle of at least 8 pixels', () => {
      for (const roi of [
        { x: 0, y: 0, width: 7, height: 20 },
        { x: 0, y: 0, width: 20, height: NaN },
        { x: 1, y: 2 },
        { x: Infinity, y: 0, width: 20, height: 20 },
        'all',
        5,
      ]) {
        const { code, message } = failure(() => new TestTracker(runtime, { roi }));
        expect(code).to.equal('invalid-argument');
        expect(message).to.contain('roi').and.to.contain('8');
      }
      for (const roi of [null, undefined]) once(runtime, flat(20, 20, 0), { roi });
    });

    it('roi keeps to its part of the image, also where it lies outside of it', () => {
      const frame = sampleFrame(0);
      const { x, y } = frame.truth.ellipse!;
      const at = (roi: object, eyes = 1) => once(runtime, frame, { roi, eyes }).pupils;
      const near = at({ x: x - 100.5, y: y - 90.25, width: 200, height: 170 })[0]!;
      expect(Math.hypot(near.x - x, near.y - y)).to.be.below(0.2);
      expect(Math.hypot(at({ x: -50, y: -70, width: 2000, height: 1000 })[0]!.x - x)).to.be.below(0.2);
      expect(at({ x: 0, y: 0, width: x - 60, height: 480 })[0]!.found).to.equal(false);
      for (const place of [700, -100, 3e9, -3e9, 1e300, -1e300])
        for (const eyes of [1, 2])
          for (const roi of [
            { x: place, y: 0, width: 90, height: 90 },
            { x: 0, y: place, width: 90, height: 90 },
          ]) {
            const pupils = at(roi, eyes);
            expect(pupils.map(({ found }) => found)).to.deep.equal(Array(eyes).fill(false));
            pupils.forEach(checkShape);
          }
      expect(at({ x: 630, y: 470, width: 50, height: 50 })[0]!.found).to.equal(false);
      canaries.check();
    });
  });

  describe('two eyes', () => {
    it('are found each in its half, the left one first', () => {
      const [a, b] = [sampleFrame(0), sampleFrame(130)];
      const tracker = new TestTracker(runtime, { eyes: 2 });
      for (let round = 0; round < 3; round++) {
        const { pupils } = tracker.process(beside(a, b));
        expect(Math.hypot(pupils[0]!.x - a.truth.ellipse!.x, pupils[0]!.y - a.truth.ellipse!.y)).to.be.below(0.2);
        expect(Math.hypot(pupils[1]!.x - 640 - b.truth.ellipse!.x, pupils[1]!.y - b.truth.ellipse!.y)).to.be.below(0.2);
      }
      tracker.dispose();
    });

    it('on a frame with one eye: the other half has none', () => {
      const eye = sampleFrame(0);
      for (const skin of [flat(640, 480, 130), imageOf('noise', 640, 480, 4), imageOf('gradient', 640, 480, 4)]) {
        const found = (image: Gray) => once(runtime, image, { eyes: 2 }).pupils.map((p) => p.found);
        expect(found(beside(eye, skin))).to.deep.equal([true, false]);
        expect(found(beside(skin, eye))).to.deep.equal([false, true]);
      }
    });
  });

  describe('life', () => {
    const clip = [0, 1, 2, 62, 63, 64, 66].map((i) => sampleFrame(i));

    it('gives the same bytes for the same frames', () => {
      const frames = [...clip, ...[0, 1, 4, 9].map((i) => hardFrame(i))];
      const play = () => {
        const tracker = new TestTracker(runtime, { outline: true });
        const results = frames.map((frame) => tracker.process(frame));
        tracker.dispose();
        return results;
      };
      const first = play();
      once(runtime, imageOf('noise', 333, 222, 9)); // other content in the same memory
      expect(play()).to.deep.equal(first);
    });

    it('starts again when the size of the frames changes', () => {
      const tracker = new TestTracker(runtime);
      for (const frame of [clip[0]!, crop(clip[1]!, 40, 30, 500, 400), clip[2]!, crop(clip[3]!, 100, 50, 333, 400)]) {
        const { pupils, width } = tracker.process(frame, 0);
        expect(width).to.equal(frame.width);
        expect(pupils).to.deep.equal(once(runtime, frame).pupils);
      }
      tracker.dispose();
      canaries.check();
    });

    it('reset forgets pupil and blinks', () => {
      const tracker = new TestTracker(runtime);
      tracker.process(clip[0]!, 0);
      tracker.process(flat(640, 480, 99), 20);
      tracker.reset();
      const dark = tracker.process(flat(640, 480, 99), 40);
      expect(dark.pupils[0]!.blink).to.equal(false);
      const seen = tracker.process(clip[3]!, 220);
      expect(seen.events).to.deep.equal([
        { kind: 'loss', onset: 40, offset: 220, final: false, pupil: 0, eye: 'unknown' },
      ]);
      tracker.reset();
      expect(tracker.process(clip[3]!, 0)).to.deep.equal(once(runtime, clip[3]!));
      tracker.dispose();
    });

    it('takes new parameters in mid-track, and keeps the old ones when they are wrong', () => {
      const tracker = new TestTracker(runtime);
      const set = (params: Record<string, unknown>) => tracker.setParameters(params);
      set({ fit: 'circle' }); // before any frame
      expect(tracker.process(clip[0]!).pupils[0]!.ellipse).to.equal(null);
      set({ fit: 'ellipse', millimetresPerPixel: 0.05 });
      const { ellipse, diameter, diameterMm } = tracker.process(clip[1]!).pupils[0]!;
      expect(ellipse).not.to.equal(null);
      expect(diameterMm).to.be.closeTo(0.05 * diameter, 1e-9);
      for (const wrong of [{ rays: 7 }, { rays: NaN }, { roi: { x: 0 } }, { eyes: 3 }, { nothing: 1 }])
        expect(failure(() => set(wrong)).code).to.equal('invalid-argument');
      expect(tracker.process(clip[2]!).pupils[0]!.diameterMm).to.be.above(0);
      set({ millimetresPerPixel: null, eyes: 2 });
      expect(tracker.process(clip[2]!).pupils.length).to.equal(2);
      set({ eyes: 1, variant: 'paper', rays: 72, secondaryRays: 15, sets: 8192 });
      expect(tracker.process(clip[3]!).pupils[0]!.found).to.equal(true);
      set({ variant: 'default', roi: { x: 0, y: 0, width: 30, height: 30 } });
      expect(tracker.process(clip[4]!).pupils[0]!.found).to.equal(false);
      set({ roi: null, smoothing: 'median', reflections: 'interpolate' });
      const last = tracker.process(clip[5]!).pupils[0]!;
      expect(Math.hypot(last.x - clip[5]!.truth.ellipse!.x, last.y - clip[5]!.truth.ellipse!.y)).to.be.below(1);
      tracker.dispose();
      canaries.check();
    });

    it('a second dispose does nothing, and no life leaves memory behind', () => {
      once(runtime, clip[0]!, { tilesOnDemand: false }); // the pool's scratch stays
      const { used, blocks } = runtime.arena;
      const trackers = Array.from({ length: 20 }, (_, i) => {
        const tracker = new TestTracker(runtime, manners[i % manners.length]);
        if (i % 3) tracker.process(clip[i % clip.length]!);
        if (i % 4 === 1) tracker.setParameters({ rays: 30 + i });
        if (i % 5 === 2) tracker.process(flat(100 + i, 90, 50));
        if (i % 4 === 2) failure(() => tracker.setParameters({ rays: 1 }));
        return tracker;
      });
      for (const tracker of trackers) {
        tracker.dispose();
        tracker.dispose();
      }
      expect([runtime.arena.used, runtime.arena.blocks]).to.deep.equal([used, blocks]);
    });

    itInFull('survives a lack of memory', async () => {
      const small = await Runtime.create({ module: await compiled(), maximum: 6 << 20 });
      for (const params of manners) {
        const tracker = new TestTracker(small, params);
        // From sizes that just fail to sizes that fit: wherever an allocation fails, what came before is given back.
        for (const width of [2000, 1800, 1700, 1600, 1500, 1400, 1300, 1000])
          try {
            tracker.process(flat(width, 1000, 60));
          } catch (error) {
            const { code, message } = error as FoveolaError;
            expect(code, message).to.equal('out-of-memory');
          }
        const { pupils } = tracker.process(clip[0]!);
        if (manners.indexOf(params) < 3) expect(pupils[0]!.found, JSON.stringify(params)).to.equal(true);
        tracker.dispose();
        expect(small.arena.blocks).to.be.at.most(1); // the pool's scratch
      }
      small.dispose();
    });
  });
});
