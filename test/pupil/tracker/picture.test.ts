// Full run only: many rendered frames, up to a minute.
/** Dark and flat pictures, and black frames around them: what of a frame is searched, and with which levels. */
import { expect } from 'chai';
import { pictureOf } from '../../../src/pupil/tracker/working-size.ts';
import { PupilTrackerCore } from '../../../src/pupil/tracker/tracker.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { hardFrame, variedFrame } from '../../../lab/eyes/index.ts';
import { atOnce } from '../../../tools/at-once.ts';
import { discs } from '../discs.ts';
import { makeRuntime, once, type Gray } from '../search-memory.ts';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'] as const;

const withLevels = ({ width, height, data }: Gray, change: (v: number, i: number) => number): Gray => ({
  width,
  height,
  data: new Uint8Array(Uint8ClampedArray.from(data, change)),
});

/** In a frame of a level. */
function framed({ width, height, data }: Gray, left: number, top: number, level: number): Gray {
  const [w, h] = [width + 2 * left, height + 2 * top];
  const out = new Uint8Array(w * h).fill(level);
  for (let y = 0; y < height; y++) out.set(data.subarray(y * width, (y + 1) * width), (y + top) * w + left);
  return { width: w, height: h, data: out };
}

/** Noise of -2 to 2 from a seed. */
const noise = (i: number): number => ((Math.imul(i + 1, 2654435761) >>> 16) % 5) - 2;

describe('the picture in a frame', () => {
  let runtime: Runtime;
  before(async () => {
    runtime = await makeRuntime();
  });
  after(() => runtime.dispose());

  function picture(image: Gray, dark = true, whole = { x0: 0, y0: 0, x1: image.width, y1: image.height }) {
    const plane = runtime.plane(image.width, image.height, 'u8', image.data);
    const found = pictureOf(plane, runtime.arena.u8, whole, dark);
    plane.dispose();
    return found;
  }
  const levelsOf = (low: number, high: number, dark = true) =>
    picture(discs(160, 120, high, [{ x: 80, y: 60, r: 20, level: low }]), dark).levels;

  it('has its levels spread to 24 to 114, as far as they are closer', () => {
    expect(levelsOf(40, 150)).to.deep.equal({ from: 40, gain: 1, base: 40 });
    expect(levelsOf(40, 130)).to.deep.equal({ from: 40, gain: 1, base: 40 });
    expect(levelsOf(40, 112)).to.deep.equal({ from: 40, gain: 1.25, base: 31 });
    expect(levelsOf(10, 55)).to.deep.equal({ from: 10, gain: 2, base: 23 });
    expect(levelsOf(80, 140)).to.deep.equal({ from: 80, gain: 1.5, base: 35 });
    expect(levelsOf(3, 8)).to.deep.equal({ from: 3, gain: 8, base: 24 });
    expect(levelsOf(7, 7)).to.deep.equal({ from: 7, gain: 8, base: 24 });
  });

  it('has its levels spread until the middle one is 64 above the pupil, whatever is bright', () => {
    const skin = (ground: number) =>
      picture(
        discs(640, 480, ground, [
          { x: 320, y: 240, r: 60, level: 10 },
          { x: 120, y: 120, r: 120, level: 250 },
        ]),
      ).levels;
    expect(skin(74)).to.deep.equal({ from: 10, gain: 1, base: 10 });
    expect(skin(50)).to.deep.equal({ from: 10, gain: 1.5625, base: 22 });
    expect(skin(26)).to.deep.equal({ from: 10, gain: 4, base: 24 });
  });

  it('is inverted and spread from its brightest levels where the pupil is bright', () => {
    expect(levelsOf(200, 60, false)).to.deep.equal({ from: 200, gain: -1, base: 55 });
    expect(levelsOf(60, 15, false)).to.deep.equal({ from: 60, gain: -2, base: 35 });
  });

  it('has the levels of the smallest pupil, and not those of a lamp', () => {
    const small = discs(640, 480, 60, [{ x: 320, y: 240, r: 19.5, level: 20 }]);
    expect(picture(small).levels.from).to.equal(20);
    const lamp = discs(640, 480, 60, [
      { x: 320, y: 240, r: 60, level: 20 },
      { x: 100, y: 100, r: 60, level: 250 },
    ]);
    expect(picture(lamp).levels).to.deep.equal({ from: 20, gain: 2.25, base: 24 });
  });

  it('lies within a black frame, to the pixel', () => {
    const inner = discs(160, 120, 150, [{ x: 80, y: 60, r: 20, level: 30 }]);
    for (const level of [0, 6, 16]) {
      const { region, levels } = picture(withLevels(framed(inner, 41, 33, level), (v) => v));
      expect(region).to.deep.equal({ x0: 41, y0: 33, x1: 201, y1: 153 });
      expect(levels).to.deep.equal({ from: 30, gain: 1, base: 30 });
    }
    expect(picture(framed(inner, 30, 0, 6)).region).to.deep.equal({ x0: 30, y0: 0, x1: 190, y1: 120 });
    expect(picture(framed(inner, 0, 30, 6)).region).to.deep.equal({ x0: 0, y0: 30, x1: 160, y1: 150 });
    const coded = withLevels(framed(inner, 41, 33, 16), (v, i) => (v === 16 ? v + (i % 4) : v));
    expect(picture(coded).region).to.deep.equal({ x0: 41, y0: 33, x1: 201, y1: 153 });
    // A few lines stay.
    expect(picture(framed(inner, 1, 2, 0)).region).to.deep.equal({ x0: 0, y0: 0, x1: 162, y1: 124 });
    // Where a picture has pixels that are darker still, a frame is black.
    const deep = discs(160, 120, 150, [{ x: 80, y: 60, r: 20, level: 1 }]);
    expect(picture(framed(deep, 41, 33, 6)).region).to.deep.equal({ x0: 41, y0: 33, x1: 201, y1: 153 });
    expect(picture(framed(deep, 41, 33, 9)).region).to.deep.equal({ x0: 0, y0: 0, x1: 242, y1: 186 });
    // What is not the darkest is no frame, nor is an even ground about a pupil; what is black all over has no picture.
    expect(picture(framed(inner, 41, 33, 40)).region).to.deep.equal({ x0: 0, y0: 0, x1: 242, y1: 186 });
    const ground = discs(160, 120, 20, [{ x: 80, y: 60, r: 20, level: 4 }]);
    expect(picture(ground).region).to.deep.equal({ x0: 0, y0: 0, x1: 160, y1: 120 });
    const bright = discs(160, 120, 20, [{ x: 80, y: 60, r: 20, level: 90 }]);
    expect(picture(bright, false).region).to.deep.equal({ x0: 0, y0: 0, x1: 160, y1: 120 });
    const black = { width: 90, height: 70, data: new Uint8Array(6300) };
    expect(picture(black).region).to.deep.equal({ x0: 0, y0: 0, x1: 90, y1: 70 });
    expect(picture(framed(inner, 41, 33, 6), true, { x0: 60, y0: 50, x1: 90, y1: 90 }).region).to.deep.equal({
      ...{ x0: 60, y0: 50, x1: 90, y1: 90 },
    });
  });

  /** With levels as they are. */
  function asItIs({ width, height, data }: Gray, given: Record<string, unknown>) {
    const core = new PupilTrackerCore(runtime, given, undefined, undefined, { range: 0, middle: 0, base: 24, most: 8 });
    const plane = runtime.plane(width, height, 'u8', data);
    const result = core.track(plane, 0);
    plane.dispose();
    atOnce(core.dispose());
    return result;
  }

  it("changes nothing where there is range enough, nor in the paper's variant", () => {
    const eye = discs(320, 240, 150, [{ x: 161.3, y: 120.7, r: 30, level: 30 }]);
    for (const method of METHODS)
      for (const polarity of ['dark', 'bright'] as const) {
        const image = polarity === 'dark' ? eye : withLevels(eye, (v) => 255 - v);
        const result = once(runtime, image, { method, polarity });
        expect(result.pupils[0]!.found, method).to.equal(true);
        expect(result).to.deep.equal(asItIs(image, { method, polarity }));
      }
    const quarter = withLevels(framed(eye, 60, 40, 0), (v) => v / 4);
    const paper = { variant: 'paper', minGradient: 4 };
    expect(once(runtime, quarter, paper)).to.deep.equal(asItIs(quarter, paper));
  });

  for (const method of METHODS)
    it(`shows ${method} the pupils of dark, flat and framed pictures`, () => {
      let compared = 0;
      for (let i = 0; compared < 3 && i < 20; i++) {
        const frame = hardFrame(i, 41);
        const { present, ellipse } = frame.truth;
        const own = present && once(runtime, frame, { method }).pupils[0]!;
        if (!own || !own.found || Math.hypot(own.x - ellipse!.x, own.y - ellipse!.y) > 2) continue;
        compared++;
        const changed: [string, Gray, number, number][] = [
          ['a quarter of the light', withLevels(frame, (v, k) => v / 4 + 0.4 * noise(k)), 0, 0],
          ['80 to 150', withLevels(frame, (v) => 80 + (70 * v) / 255), 0, 0],
          ['no gamma curve', withLevels(frame, (v) => 255 * (v / 255) ** 2.2), 0, 0],
          ['a black frame', framed(frame, 256, 120, 6), 256, 120],
        ];
        for (const [name, image, left, top] of changed) {
          const [pupil] = once(runtime, image, { method }).pupils;
          const words = `frame ${i}, ${name}`;
          expect(pupil!.found, words).to.equal(true);
          expect(Math.hypot(pupil!.x - left - ellipse!.x, pupil!.y - top - ellipse!.y), words).to.be.below(5);
        }
      }
      expect(compared).to.equal(3);
    });

  it('shows no more pupils where there is none with a quarter of the light, though the sensor adds noise', () => {
    const none = Array.from({ length: 14 }, (_, i) => variedFrame(9 + 10 * i, 51));
    const found = (share: number) =>
      METHODS.flatMap((method) =>
        none.filter((frame) => {
          const changed = withLevels(frame, (v, i) => share * v + noise(i));
          return once(runtime, changed, { method }).pupils[0]!.found;
        }),
      ).length;
    expect(found(1 / 4)).to.be.at.most(found(1));
  });

  it('shows no pupil where all is black', () => {
    const black = withLevels({ width: 320, height: 240, data: new Uint8Array(320 * 240) }, (_, i) => 3 + noise(i));
    for (const method of METHODS) expect(once(runtime, black, { method }).pupils[0]!.found, method).to.equal(false);
  });
});
