// Full run only: many rendered frames, up to a minute.
/** Frames of any size: what is found at the size of the search is given in the frame's own pixels. */
import { expect } from 'chai';
import type { Detector, Found, Method } from '../../../src/pupil/search/method.ts';
import { nothingFound } from '../../../src/pupil/search/result.ts';
import { pupilParameters } from '../../../src/pupil/parameters.ts';
import { shippedMethods, PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import { COARSE_DIAGONAL, workingSize } from '../../../src/pupil/tracker/working-size.ts';
import { resolveParameters } from '../../../src/runtime/parameters.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { Plan } from '../../../src/runtime/wasm/kernel-step.ts';
import { hardFrame } from '../../../lab/eyes/index.ts';
import { discs } from '../discs.ts';
import { makeRuntime, once, TestTracker, type Gray } from '../search-memory.ts';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'] as const;

/** So many times as large, linear between pixel centers. */
function enlarge({ width, height, data }: Gray, scale: number): Gray {
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  const out = new Uint8Array(w * h);
  const at = (v: number, size: number) => Math.min(size - 1, Math.max(0, (v + 0.5) / scale - 0.5));
  for (let y = 0; y < h; y++) {
    const v = at(y, height);
    const y0 = Math.min(height - 2, Math.floor(v));
    for (let x = 0; x < w; x++) {
      const u = at(x, width);
      const x0 = Math.min(width - 2, Math.floor(u));
      const p = y0 * width + x0;
      const top = data[p]! + (data[p + 1]! - data[p]!) * (u - x0);
      const low = data[p + width]! + (data[p + width + 1]! - data[p + width]!) * (u - x0);
      out[y * w + x] = Math.round(top + (low - top) * (v - y0));
    }
  }
  return { width: w, height: h, data: out };
}

/** Means of blocks. */
function shrink({ width, height, data }: Gray, factor: number): Gray {
  const [w, h] = [width / factor, height / factor];
  const out = Uint8Array.from({ length: w * h }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < factor * factor; k++)
      sum += data[(Math.floor(i / w) * factor + Math.floor(k / factor)) * width + (i % w) * factor + (k % factor)]!;
    return Math.round(sum / (factor * factor));
  });
  return { width: w, height: h, data: out };
}

/** Means over the pixels that each pixel of the smaller image covers. */
function resample({ width, height, data }: Gray, scale: number): Gray {
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  const out = new Uint8Array(w * h);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      let [sum, n] = [0, 0];
      const [x1, y1] = [Math.min(width, (x + 1) / scale), Math.min(height, (y + 1) / scale)];
      for (let v = Math.floor(y / scale); v < y1; v++)
        for (let u = Math.floor(x / scale); u < x1; u++, n++) sum += data[v * width + u]!;
      out[y * w + x] = Math.round(sum / n);
    }
  return { width: w, height: h, data: out };
}

/** A rendered eye that fills its square picture: the pupil is 0.385 of the width, as of a mouse. */
function closeUp(seed: number): Gray & { x: number; y: number; diameter: number } {
  for (let i = 0; ; i++) {
    const { width, height, data, truth } = hardFrame(i, seed);
    if (!truth.present) continue;
    const { x, y, major } = truth.ellipse!;
    const side = Math.round(major / 0.385);
    const [x0, y0] = [Math.round(x - side / 2), Math.round(y - side / 2)];
    if (side < 240 || x0 < 0 || y0 < 0 || x0 + side > width || y0 + side > height) continue;
    const part = Uint8Array.from(
      { length: side * side },
      (_, k) => data[(y0 + Math.floor(k / side)) * width + x0 + (k % side)]!,
    );
    return { width: side, height: side, data: part, x: x - x0, y: y - y0, diameter: major };
  }
}

describe('pupils in frames of any size', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => runtime.dispose());

  /** A tracker whose detector gives these answers, and the widths at which it was asked. */
  function asking(answer: (width: number, followed: boolean) => Found, traits: Pick<Detector, 'sameStarts'> = {}) {
    const asked: number[] = [];
    const detector: Detector = {
      ...traits,
      *find(_, { source, last }): Plan<Found> {
        asked.push(source.width);
        return answer(source.width, last !== null);
      },
      dispose() {},
    };
    const fake: Method = {
      detector: () => detector,
      onGpu: () => false,
      async prepare() {},
      dispose() {},
    };
    const core = new PupilTrackerCore(runtime, {}, { ...shippedMethods, robust: () => fake, starburst: () => fake });
    return { core, asked };
  }
  const at = (x: number, y: number, r: number, confidence: number): Found => ({
    pupil: { ...nothingFound(confidence), found: true, x, y, diameter: 2 * r, circle: { x, y, r } },
    last: { x, y, r, ellipse: null, contrast: 40, dark: 20 },
  });

  it('are asked for at two thirds of the size where a search ends unsure, and of a lost one not in each frame', () => {
    let there = 0.98;
    const { core, asked } = asking((width, followed) => {
      if (width === 213) return at(100, 80, 20, there);
      return followed ? at(150.2, 120.2, 30, 0.995) : { pupil: nothingFound(0.4), last: null };
    });
    const plane = runtime.plane(320, 240, 'u8', new Uint8Array(320 * 240));
    const [found] = core.track(plane, 0).pupils;
    expect([found!.x, found!.y, found!.diameter]).to.deep.equal([150.2, 120.2, 60]);
    expect(asked).to.deep.equal([160, 320, 106, 213, 320, 320]);
    there = 0.85; // not believed
    void core.reset(); // nothing is in flight
    const widths = Array.from({ length: 9 }, (_, i) => {
      asked.length = 0;
      expect(core.track(plane, i).pupils[0]!.found).to.equal(false);
      return asked.includes(213);
    });
    expect(widths).to.deep.equal([true, ...Array<boolean>(7).fill(false), true]);
    plane.dispose();
    void core.dispose();
  });

  it('are asked for at no further size where one has settled it, nor where the same starts saw nothing', () => {
    const plane = runtime.plane(320, 240, 'u8', new Uint8Array(320 * 240));
    const widthsOf = (third: Found, confidence: number, traits?: Pick<Detector, 'sameStarts'>) => {
      const { core, asked } = asking((width, followed) => {
        if (width === 106) return third;
        return followed ? at(150.2, 120.2, 30, 0.995) : { pupil: nothingFound(confidence), last: null };
      }, traits);
      core.track(plane, 0);
      void core.dispose();
      return asked;
    };
    const nothing: Found = { pupil: nothingFound(0), last: null };
    expect(widthsOf(at(50, 40, 10, 0.98), 0.4)).to.deep.equal([160, 320, 106, 320, 320]);
    expect(widthsOf(nothing, 0.2)).to.deep.equal([160, 320, 106, 213]);
    expect(widthsOf(nothing, 0.4, { sameStarts: true })).to.deep.equal([160, 320, 106, 213]);
    expect(widthsOf(nothing, 0.2, { sameStarts: true })).to.deep.equal([160, 320]);
    plane.dispose();
  });

  for (const method of METHODS)
    it(`are found by ${method} at twice, three times and four times the size as at their own`, () => {
      let compared = 0;
      for (let i = 0; compared < 3 && i < 20; i++) {
        const frame = hardFrame(i, 41);
        const { present, ellipse } = frame.truth;
        if (!present) continue;
        const own = once(runtime, frame, { method }).pupils[0]!;
        if (!own.found || Math.hypot(own.x - ellipse!.x, own.y - ellipse!.y) > 2) continue;
        compared++;
        for (const scale of [2, 3, 4]) {
          const { pupils, width, height } = once(runtime, enlarge(frame, scale), { method });
          const [pupil] = pupils;
          const words = `frame ${i}, x${scale}`;
          expect([width, height], words).to.deep.equal([640 * scale, 480 * scale]);
          expect(pupil!.found, words).to.equal(true);
          const place = (v: number) => (v + 0.5) * scale - 0.5;
          const off = Math.hypot(pupil!.x - place(ellipse!.x), pupil!.y - place(ellipse!.y));
          expect(off, words).to.be.below(5 * scale);
          expect(pupil!.diameter / scale / ellipse!.major, words).to.be.within(0.9, 1.1);
        }
      }
      expect(compared).to.equal(3);
    });

  it('are found in frames of 80x60, in the places they have there', () => {
    // The iris beside the pupil is narrower there than a reflection, and the blur as wide as the border.
    for (const method of METHODS) {
      let [eyes, near] = [0, 0];
      for (let i = 0; i < 20; i++) {
        const frame = hardFrame(i, 43);
        const { present, ellipse } = frame.truth;
        if (!present) continue;
        eyes++;
        const [pupil] = once(runtime, shrink(frame, 8), { method }).pupils;
        const place = (v: number) => (v + 0.5) / 8 - 0.5;
        near += Number(Math.hypot(pupil!.x - place(ellipse!.x), pupil!.y - place(ellipse!.y)) < 5 / 8);
      }
      expect(eyes).to.equal(16);
      expect(near, method).to.be.at.least(9);
    }
  });

  it('are searched at half the size, too, in every frame from 60 to 240 px', () => {
    const values = resolveParameters(pupilParameters, {}, 'sizes');
    for (let size = 60; size <= 240; size *= 1.04) {
      const frame = { width: Math.round(size), height: Math.round(size) };
      const { width, height } = workingSize(frame, values);
      expect(Math.hypot(width / 2, height / 2), `${frame.width} px`).to.be.at.least(COARSE_DIAGONAL);
    }
  });

  it('are found at every size from 60 to 240 px', () => {
    const eye = closeUp(41);
    const lost: string[] = [];
    for (let size = 60; size <= 240; size *= 1.04) {
      const scale = Math.round(size) / eye.width;
      for (const method of METHODS) {
        const [pupil] = once(runtime, resample(eye, scale), { method }).pupils;
        const off = Math.hypot(pupil!.x + 0.5 - (eye.x + 0.5) * scale, pupil!.y + 0.5 - (eye.y + 0.5) * scale);
        if (!pupil!.found || off > 0.1 * eye.diameter * scale) lost.push(`${method} ${Math.round(size)}`);
      }
    }
    expect(lost).to.deep.equal([]);
  });

  it('are measured in the pixels of a frame that is enlarged', () => {
    const image = discs(120, 90, 150, [{ x: 61.3, y: 40.7, r: 12, level: 30 }]);
    for (const roi of [null, { x: 20, y: 10, width: 80, height: 70 }]) {
      const [pupil] = once(runtime, image, { method: 'robust', outline: true, millimetresPerPixel: 0.1, roi }).pupils;
      expect(Math.hypot(pupil!.x - 61.3, pupil!.y - 40.7)).to.be.below(0.1);
      expect(pupil!.diameter).to.be.closeTo(24, 0.3);
      expect(pupil!.diameterMm).to.be.closeTo(0.1 * pupil!.diameter, 1e-9);
      for (let n = 0; n < pupil!.outline!.length; n += 2)
        expect(Math.hypot(pupil!.outline![n]! - 61.3, pupil!.outline![n + 1]! - 40.7)).to.be.closeTo(12, 0.5);
    }
  });

  it('are placed to a tenth of a pixel and measured to 0.3 %, wherever the blocks of the reduced frame begin', () => {
    for (let k = 0; k < 6; k++) {
      const [x, y, r] = [801.3 + 0.37 * k, 601.8 + 0.71 * k, 140 + k];
      const image = discs(1600, 1200, 150, [{ x, y, r, level: 30 }]);
      const [pupil] = once(runtime, image, { method: 'robust', outline: true, millimetresPerPixel: 0.01 }).pupils;
      expect(Math.hypot(pupil!.x - x, pupil!.y - y), `${k}`).to.be.below(0.1);
      expect(pupil!.diameter, `${k}`).to.be.closeTo(2 * r, 0.006 * r);
      expect(pupil!.diameterMm).to.be.closeTo(0.01 * pupil!.diameter, 1e-9);
      expect(pupil!.ellipse!.minor).to.be.closeTo(2 * r, 0.006 * r);
      expect(pupil!.circle.r).to.be.closeTo(r, 0.01 * r);
      const outline = pupil!.outline!;
      expect(outline.length).to.be.above(60);
      for (let n = 0; n < outline.length; n += 2)
        expect(Math.hypot(outline[n]! - x, outline[n + 1]! - y)).to.be.closeTo(r, 0.03 * r);
    }
  });

  it('are looked for in the region of interest and in each half, given in pixels of the frame', () => {
    const eyes = [
      { x: 500, y: 600, r: 90, level: 30 },
      { x: 1500, y: 640, r: 110, level: 30 },
    ];
    const image = discs(2000, 1200, 150, eyes);
    const both = once(runtime, image, { method: 'robust', eyes: 2 }).pupils;
    both.forEach((pupil, i) => expect(Math.hypot(pupil.x - eyes[i]!.x, pupil.y - eyes[i]!.y)).to.be.below(1));
    for (const eye of eyes) {
      const roi = { x: eye.x - 300, y: 300, width: 600, height: 600 };
      const [pupil] = once(runtime, image, { method: 'robust', roi }).pupils;
      expect(Math.hypot(pupil!.x - eye.x, pupil!.y - eye.y)).to.be.below(1);
    }
  });

  it('are searched as finely in a small region of a large frame as in a frame of its own', () => {
    const image = discs(1920, 1080, 150, [{ x: 1203.4, y: 640.6, r: 12, level: 30 }]);
    const roi = { x: 1140, y: 590, width: 120, height: 100 };
    const [pupil] = once(runtime, image, { method: 'robust', roi, minDiameter: 0.005 }).pupils;
    expect(pupil!.found).to.equal(true);
    expect(Math.hypot(pupil!.x - 1203.4, pupil!.y - 640.6)).to.be.below(0.1);
    expect(pupil!.diameter).to.be.closeTo(24, 0.5);
  });

  it('are followed when the size of the frames changes', () => {
    const tracker = new TestTracker(runtime, { method: 'robust' });
    const frame = discs(640, 480, 150, [{ x: 300, y: 220, r: 50, level: 30 }]);
    for (const scale of [1, 3, 1, 2])
      for (let i = 0; i < 2; i++) {
        const [pupil] = tracker.process(enlarge(frame, scale)).pupils;
        expect(pupil!.x, `x${scale}`).to.be.closeTo(300.5 * scale - 0.5, scale);
        expect(pupil!.diameter, `x${scale}`).to.be.closeTo(100 * scale, 2 * scale);
      }
    tracker.dispose();
  });

  it("are searched in the frame as it is in the paper's variant, and where a larger diagonal is asked for", () => {
    const image = discs(1280, 1024, 150, [{ x: 640, y: 512, r: 100, level: 30 }]);
    const same = { workingDiagonal: 20000 };
    const [reduced, whole] = [{}, same].map((params) => once(runtime, image, { method: 'robust', ...params }));
    expect(whole).to.not.deep.equal(reduced);
    const paper = [{}, same].map((params) => once(runtime, image, { variant: 'paper', ...params }));
    expect(paper[0]).to.deep.equal(paper[1]);
  });
});
