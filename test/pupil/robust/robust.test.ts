/** The robust detector: its steps on drawn shapes, rendered eyes with exact truth, tracking, polarity, faults. */
import { expect } from 'chai';
import { toPlane } from '../../../src/frames/to-plane.ts';
import type { Pupil, PupilResult } from '../../../src/results/types.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { hardFrame, hardSequences, paperFrame, type EyeFrame } from '../../../lab/eyes/index.ts';
import { generator } from '../../parity/cases.ts';
import { edgePoints } from '../../reference/pupil-robust-edges.ts';
import { segmentSteps } from './robust-memory.ts';
import { median } from '../../../src/image/numbers.ts';
import { pupilParameters } from '../../../src/pupil/parameters.ts';
import { PreparedFrame } from '../../../src/pupil/preparation/prepared-frame.ts';
import { RobustSearch } from '../../../src/pupil/robust/robust.ts';
import { robustWeights } from '../../../src/pupil/robust/weights.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import { driveNow } from '../../../src/runtime/stage.ts';
import { shippedMethods, PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import { atOnce } from '../../../tools/at-once.ts';
import { itInFull, short } from '../../support/full.ts';
import { discs } from '../discs.ts';
import { makeRuntime, once, TestTracker, type Gray } from '../search-memory.ts';

const method = 'robust';

/** A picture by its level at each place, four by four samples a pixel. */
function draw(width: number, height: number, level: (x: number, y: number) => number): Gray {
  const data = Uint8Array.from({ length: width * height }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < 16; k++)
      sum += level((i % width) + ((k & 3) - 1.5) / 4, Math.floor(i / width) + ((k >> 2) - 1.5) / 4);
    return Math.round(sum / 16);
  });
  return { width, height, data };
}

const disc = (x: number, y: number, r: number) => (px: number, py: number) => Math.hypot(px - x, py - y) < r;

describe('robust pupil detector', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => {
    expect(runtime.arena.blocks, 'the scratch of the kernels alone').to.be.at.most(1);
    runtime.dispose();
  });

  describe('edge points', () => {
    it('are those of the plain reference', () => {
      const random = generator(5);
      for (const [width, height] of [
        [5, 5],
        [17, 6],
        [31, 33],
        [67, 40],
        [64, 67],
      ] as const) {
        const inside = disc(width / 2, height / 2, Math.min(width, height) / 3);
        for (const noise of [0, 3, 60]) {
          const image = draw(width, height, (x, y) => (inside(x, y) ? 40 : 130));
          image.data.forEach((v, i) => (image.data[i] = v + Math.round(noise * (random() - 0.5))));
          const { edges } = segmentSteps(runtime, image);
          const wanted = edgePoints(width, height, image.data);
          expect(
            edges.map(({ x, y, normalX, normalY }) => [x, y, normalX, normalY]),
            `${width}x${height}, noise ${noise}`,
          ).to.deep.equal(wanted.x.map((x, i) => [x, wanted.y[i], wanted.normalX[i], wanted.normalY[i]]));
        }
      }
    });

    it('of a step halfway between two pixels are one line, not one on each', () => {
      const { edges } = segmentSteps(
        runtime,
        draw(40, 30, (x) => (x < 19.5 ? 50 : 150)),
      );
      expect(edges.length).to.equal(26);
    });

    it('of a straight step are one thin line with its normal', () => {
      const { edges, segments } = segmentSteps(
        runtime,
        draw(40, 30, (x) => (x < 20.3 ? 50 : 150)),
      );
      expect(edges.length).to.equal(26);
      for (const [k, { x, y, normalX, normalY }] of edges.entries()) {
        expect([y, normalX, normalY]).to.deep.equal([k + 2, 1, 0]);
        expect(x).to.be.closeTo(20.3, 0.1);
      }
      expect(segments, 'it turns around nothing').to.deep.equal([]);
    });
  });

  describe('segments', () => {
    it('of a dark disc go around it once', () => {
      const { segments, ellipses } = segmentSteps(
        runtime,
        draw(96, 90, (x, y) => (disc(44.4, 40.7, 21)(x, y) ? 40 : 120)),
      );
      const turns = segments.reduce((sum, { turn }) => sum + turn, 0);
      expect(turns).to.be.within(0.9 * 2 * Math.PI, 1.1 * 2 * Math.PI);
      for (const { points } of segments)
        for (const p of points) expect(Math.hypot(p.x - 44.4, p.y - 40.7)).to.be.within(20.6, 21.2);
      const [best] = ellipses;
      expect(Math.hypot(best!.x - 44.4, best!.y - 40.7)).to.be.below(0.1);
      expect(best!.a).to.be.within(20.7, 21.1);
      expect(best!.b).to.be.within(20.7, 21.1);
    });

    it('of a wave end where it bends away from the dark', () => {
      const { segments } = segmentSteps(
        runtime,
        draw(190, 90, (x, y) => (y < 45 + 15 * Math.sin(x / 12) ? 40 : 150)),
      );
      expect(segments.length).to.be.within(2, 3);
      for (const { turn } of segments) expect(turn).to.be.within(1.2, 2.2);
    });

    it('of a bright disc, a square and noise propose nothing', () => {
      const random = generator(3);
      const bright = draw(96, 90, (x, y) => (disc(44, 40, 21)(x, y) ? 160 : 60));
      const square = draw(240, 190, (x, y) => (Math.max(Math.abs(x - 104), Math.abs(y - 90)) < 39 ? 40 : 160));
      const noise = { width: 96, height: 90, data: Uint8Array.from({ length: 96 * 90 }, () => 255 * random()) };
      expect(segmentSteps(runtime, bright).segments).to.deep.equal([]);
      expect(
        segmentSteps(runtime, square).segments.filter(({ turn }) => turn > 1.5),
        'no piece goes round a corner',
      ).to.deep.equal([]);
      for (const { score } of segmentSteps(runtime, noise).ellipses) expect(score).to.be.below(0.6);
    });

    it('end where a lid cuts the disc; the arc alone proposes the whole', () => {
      const whole = disc(110, 96, 50);
      const { segments, ellipses } = segmentSteps(
        runtime,
        draw(230, 190, (x, y) => (y < 92 ? 170 : whole(x, y) ? 30 : 110)),
      );
      const arc = segments.reduce((a, b) => (b.turn > a.turn ? b : a));
      const off = arc.points.map((p) => Math.abs(Math.hypot(p.x - 110, p.y - 96) - 50));
      expect(arc.turn).to.be.within(2.5, 4.2);
      expect(off.filter((d) => d > 1.5).length, 'points of the corner').to.be.at.most(6);
      const near = ellipses.filter(({ x, y, a, b }) => Math.hypot(x - 110, y - 96) < 6 && Math.abs(a + b - 100) < 14);
      expect(near.length).to.be.at.least(1);
    });

    it('two arcs that face each other are combined, two that do not are not', () => {
      // The disc behind a broad bright bar: neither side alone is half of it.
      const { ellipses } = segmentSteps(
        runtime,
        draw(128, 120, (x, y) => (Math.abs(x - 62) < 17 ? 150 : disc(62, 58, 33)(x, y) ? 40 : 150)),
      );
      const [best] = ellipses.filter(({ a, b }) => a > 29 && b > 29);
      expect(Math.hypot(best!.x - 62, best!.y - 58)).to.be.below(1);
      expect((best!.a + best!.b) / 2).to.be.within(32, 34);
    });
  });

  const distance = (pupil: Pupil, { truth }: EyeFrame<unknown>) =>
    pupil.found ? Math.hypot(pupil.x - truth.ellipse!.x, pupil.y - truth.ellipse!.y) : Infinity;
  const size = ({ ellipse, circle }: Pupil) => (ellipse ? (ellipse.major + ellipse.minor) / 2 : 2 * circle.r);
  const relative = (pupil: Pupil, { truth }: EyeFrame<unknown>) =>
    pupil.found ? Math.abs(size(pupil) / (2 * truth.circle!.r) - 1) : Infinity;

  describe('on rendered eyes', () => {
    it('finds the hard set to a seventh of a pixel and 0.3 %, the missed ones counted', () => {
      const errors: number[] = [];
      const sizes: number[] = [];
      let alarms = 0;
      for (let i = 0; i < 120; i += short ? 3 : 1) {
        const frame = hardFrame(i);
        const pupil = once(runtime, frame, { method }).pupils[0]!;
        if (!frame.truth.present) {
          alarms += Number(pupil.found);
          continue;
        }
        errors.push(distance(pupil, frame));
        sizes.push(relative(pupil, frame));
      }
      expect(errors.length).to.equal(short ? 32 : 96);
      expect(median(errors)).to.be.at.most(0.15);
      expect(median(sizes)).to.be.at.most(0.003);
      expect(errors.filter((e) => e <= 5).length).to.be.at.least(short ? 28 : 86);
      expect(alarms).to.be.at.most(short ? 1 : 2);
    });

    it('without noise and defocus: 0.05 px and 0.1 %', () => {
      const frames = Array.from({ length: 24 }, (_, i) => hardFrame(i, 20, { noise: 0, defocus: 0 }));
      const eyes = frames.filter(({ truth }) => truth.present);
      const found = eyes.map((frame) => once(runtime, frame, { method }).pupils[0]!);
      expect(median(found.map((pupil, i) => distance(pupil, eyes[i]!)))).to.be.at.most(0.05);
      expect(median(found.map((pupil, i) => relative(pupil, eyes[i]!)))).to.be.at.most(0.001);
    });

    it("a still eye's diameter keeps within 0.2 % from frame to frame", () => {
      const tracker = new TestTracker(runtime, { method });
      const sizes = Array.from({ length: 10 }, (_, take) => {
        const frame = hardFrame(0, 20, { noise: 4, defocus: 1.5, take: 7919 * take });
        const pupil = tracker.process(frame).pupils[0]!;
        expect(pupil.found).to.equal(true);
        return size(pupil);
      });
      tracker.dispose();
      const mean = sizes.reduce((a, b) => a + b) / sizes.length;
      const deviation = Math.sqrt(sizes.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (sizes.length - 1));
      expect(deviation / mean).to.be.at.most(0.002);
      expect(deviation, 'the noise differs').to.be.above(0);
    });

    it('a pupil that no ray from a dark region leads to, by the segments of its edge', () => {
      const frame = hardFrame(10, 7001);
      expect(distance(once(runtime, frame, { method }).pupils[0]!, frame)).to.be.below(0.5);
    });

    it('the pupil in an iris that is a clearer circle, not the iris', () => {
      for (const [step, r] of [
        [10, 30],
        [16, 22],
        [24, 30],
      ] as const) {
        const [pupil, iris] = [disc(164, 118, r), disc(160, 120, 60)];
        const image = draw(320, 240, (x, y) => (pupil(x, y) ? 70 : iris(x, y) ? 70 + step : 200));
        const found = once(runtime, image, { method }).pupils[0]!;
        expect(found.diameter / 2, `${step} levels`).to.be.closeTo(r, 0.3);
        expect(Math.hypot(found.x - 164, found.y - 118), `${step} levels`).to.be.below(0.3);
      }
    });

    it('the pupil in an iris of which the search in a smaller picture is sure', () => {
      const tracker = new TestTracker(runtime, { method });
      for (const frame of hardSequences({ count: 9, length: 2, seed: 7301 }))
        if (frame.meta.sequence === 8)
          expect(relative(tracker.process(frame).pupils[0]!, frame), `frame ${frame.meta.frame}`).to.be.below(0.02);
      tracker.dispose();
    });

    itInFull('an eye far off its axis, which circles do not fit', () => {
      const frames = [...Array(60).keys()]
        .map((i) => hardFrame(i))
        .filter(({ truth, meta }) => truth.present && meta.offAxis > 34);
      expect(frames.length).to.be.at.least(4);
      let near = 0;
      for (const frame of frames) {
        const pupil = once(runtime, frame, { method }).pupils[0]!;
        if (pupil.found && distance(pupil, frame) < 2) {
          near++;
          const { major, minor } = frame.truth.ellipse!;
          expect(pupil.ellipse!.minor / pupil.ellipse!.major, `frame ${frame.meta.index}`).to.be.closeTo(
            minor / major,
            0.05,
          );
        }
      }
      expect(near, `of ${frames.length}`).to.be.at.least(frames.length - 1);
    });

    itInFull('follows the hard sequences, and is silent in their blinks', () => {
      const tracker = new TestTracker(runtime, { method });
      const errors: number[] = [];
      const counts = { shut: 0, alarms: 0 };
      for (const frame of hardSequences({ count: 1 })) {
        const pupil = tracker.process(frame, frame.meta.time).pupils[0]!;
        if (frame.truth.partial) continue;
        if (frame.truth.present) errors.push(distance(pupil, frame));
        else {
          counts.shut++;
          counts.alarms += Number(pupil.found);
        }
      }
      tracker.dispose();
      expect(counts.shut).to.be.above(3);
      expect(counts.alarms).to.be.at.most(1);
      expect(median(errors)).to.be.at.most(0.3);
      expect(errors.filter((e) => e <= 5).length / errors.length).to.be.at.least(0.9);
    });

    it('gives the same from run to run', () => {
      const frames = [0, 1, 4, 9, 6].map((i) => hardFrame(i));
      const play = () => {
        const tracker = new TestTracker(runtime, { method, outline: true });
        const results = frames.map((frame) => tracker.process(frame));
        tracker.dispose();
        return results;
      };
      expect(play()).to.deep.equal(play());
    });

    it('reads no random numbers but its own, however few sets are asked for', () => {
      const few = { method, sets: 64 };
      const tracker = new TestTracker(runtime, few);
      for (const i of [0, 9, 4]) tracker.process(hardFrame(i));
      for (const i of [1, 26]) {
        tracker.reset();
        expect(tracker.process(hardFrame(i), 0), `frame ${i}`).to.deep.equal(once(runtime, hardFrame(i), few));
      }
      tracker.dispose();
    });
  });

  describe('while the pupil is lost', () => {
    /** Widths of the pictures that are searched in each frame. */
    const watched = (frames: readonly Gray[]) => {
      const widths: number[] = [];
      const robust = (...[host, values]: Parameters<(typeof shippedMethods)['robust']>) => {
        const made = shippedMethods.robust(host, values);
        const detector = made.detector.bind(made);
        made.detector = (width, height) => {
          const one = detector(width, height);
          const find = one.find.bind(one);
          one.find = (scope, view) => {
            widths.push(view.source.width);
            return find(scope, view);
          };
          return one;
        };
        return made;
      };
      const core = new PupilTrackerCore(runtime, { method }, { ...shippedMethods, robust });
      const seen = frames.map(({ width, height, data }, i) => {
        const plane = runtime.plane(width, height, 'u8', data);
        const { found } = (core.track(plane, 16 * i) as PupilResult).pupils[0]!;
        plane.dispose();
        return { found, widths: widths.splice(0) };
      });
      atOnce(core.dispose());
      return seen;
    };
    const eye = (r: number) => discs(640, 480, 150, [{ x: 300, y: 250, r, level: 40 }]);
    const shut = discs(640, 480, 150, []);

    it('only the picture that had shown it is searched, all of them in every eighth frame, and it is found at once', () => {
      const seen = watched([eye(45), eye(45), ...Array.from({ length: 9 }, () => shut), eye(45)]);
      expect(seen.map(({ found }) => found)).to.deep.equal([
        true,
        true,
        ...Array.from({ length: 9 }, () => false),
        true,
      ]);
      for (const lost of [1, 2, 7])
        expect(seen[2 + lost]!.widths, `${lost} frames after the loss`).to.deep.equal([160]);
      for (const lost of [0, 8]) expect(seen[2 + lost]!.widths, `${lost} frames after the loss`).to.include(640);
    });

    it('a smaller one in the next larger picture', () => {
      const seen = watched([eye(25), shut, shut, eye(25)]);
      expect(seen[2]!.widths).to.deep.equal([160, 320]);
      expect(seen[3]!.found).to.equal(true);
    });
  });

  describe('confidence', () => {
    /** A dark disc whose border takes so many pixels. */
    const soft = (x: number, y: number, r: number, width: number) =>
      draw(320, 240, (px, py) => {
        const t = Math.min(1, Math.max(0, (Math.hypot(px - x, py - y) - r) / width + 0.5));
        return 40 + 80 * t * t * (3 - 2 * t);
      });
    /** What the best outline of an image is judged by. */
    const judged = ({ width, height, data }: Gray) => {
      const values = resolveParameters(pupilParameters, { method } as never, 'test');
      const plane = runtime.plane(width, height, 'u8', data);
      const frame = new PreparedFrame(runtime, width, height);
      const search = new RobustSearch(runtime, values, width, height);
      search.keepAll();
      driveNow(runtime, () => frame.begin(plane, values));
      search.begin(plane, frame, { x0: 0, y0: 0, x1: width, y1: height });
      driveNow(runtime, () => search.find(null, values.candidates));
      const best = search.judged().reduce((one, other) => (other.score > one.score ? other : one));
      for (const it of [search, frame, plane]) it.dispose();
      const at = (words: string) => best.features[robustWeights.findIndex(([name]) => name.startsWith(words))]!;
      const sum = robustWeights.reduce((z, [, weight], i) => z + weight * best.features[i]!, 0);
      expect(best.score).to.be.closeTo(Math.max(-30, Math.min(30, sum)), 1e-3);
      return { beyond: at('share of the outline'), ...best };
    };

    it('knows how much of the outline lies beyond the picture', () => {
      const [whole, cut] = [160, 6].map((x) => judged(soft(x, 120, 30, 2)));
      expect(whole!.beyond).to.equal(0);
      expect(cut!.beyond, 'of a circle').to.be.closeTo(Math.acos(6 / 30) / Math.PI, 0.05);
      expect(cut!.score).to.be.below(whole!.score - 1);
    });
  });

  describe('polarity', () => {
    it("'bright' finds in the inverted image what 'dark' finds in the image", () => {
      for (const other of ['robust', 'starburst'] as const) {
        const frame = paperFrame(3);
        const negative = { ...frame, data: frame.data.map((v) => 255 - v) };
        const dark = once(runtime, frame, { method: other });
        expect(dark.pupils[0]!.found).to.equal(true);
        expect(once(runtime, negative, { method: other, polarity: 'bright' })).to.deep.equal(dark);
      }
    });
  });

  describe('visible light', () => {
    const process = async (rgba: Uint8ClampedArray, width: number, height: number): Promise<PupilResult> => {
      const plane = await toPlane(runtime, { kind: 'rgba', width, height, data: rgba } as never, 'gray');
      const tracker = new TestTracker(runtime, { method });
      try {
        return tracker.core.track(plane, 0);
      } finally {
        tracker.dispose();
        plane.dispose();
      }
    };
    const painted = (tint: readonly [number, number, number]) => {
      const { width, height, data } = hardFrame(0);
      const rgba = new Uint8ClampedArray(4 * width * height);
      data.forEach((v, i) => rgba.set([v * tint[0], v * tint[1], v * tint[2], 255], 4 * i));
      return [rgba, width, height] as const;
    };

    it('is warned of where the picture has colors, and only there', async () => {
      expect((await process(...painted([1.15, 0.95, 0.8]))).warnings?.[0]).to.match(/visible light/);
      const gray = await process(...painted([1, 1, 1]));
      expect(gray).to.not.have.property('warnings');
      expect(await process(...painted([1.01, 1, 0.99])), 'chroma of compression').to.not.have.property('warnings');
    });
  });

  describe('faults', () => {
    it('regions of every small size, flat images and noise', () => {
      const random = generator(11);
      const tracker = new TestTracker(runtime, { method });
      for (const [width, height] of [
        [3, 3],
        [3, 67],
        [67, 3],
        [16, 16],
        [33, 21],
        [64, 65],
        [201, 30],
      ] as const)
        for (const level of [0, 128, 255, -1]) {
          const data = Uint8Array.from({ length: width * height }, () => (level < 0 ? 256 * random() : level));
          const [pupil] = tracker.process({ width, height, data }).pupils;
          expect(pupil!.confidence).to.be.within(0, 1);
          if (level >= 0) expect(pupil!.found, `${width}x${height} of ${level}`).to.equal(false);
        }
      tracker.dispose();
    });

    it('two eyes of which one is there, and a region of interest', () => {
      const frame = hardFrame(0);
      const { width, height, data } = frame;
      const both = { width: 2 * width, height, data: new Uint8Array(2 * width * height).fill(128) };
      for (let y = 0; y < height; y++) both.data.set(data.subarray(y * width, (y + 1) * width), 2 * y * width + width);
      const [left, right] = once(runtime, both, { method, eyes: 2 }).pupils;
      expect(left!.found).to.equal(false);
      expect(right!.found).to.equal(true);
      expect(Math.hypot(right!.x - width - frame.truth.ellipse!.x, right!.y - frame.truth.ellipse!.y)).to.be.below(1);
      const { x, y, r } = frame.truth.circle!;
      const roi = { x: x - 2 * r, y: y - 2 * r, width: 4 * r, height: 4 * r };
      expect(distance(once(runtime, frame, { method, roi }).pupils[0]!, frame)).to.be.below(1);
      const beside = { x: 0, y: 0, width: 60, height: 60 };
      expect(once(runtime, frame, { method, roi: beside }).pupils[0]!.found).to.equal(false);
    });
  });
});
