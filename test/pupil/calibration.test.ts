import { expect } from 'chai';
import { diameterInMillimetres, millimetresPerPixel } from '../../src/pupil/calibration.ts';
import { createEngine } from '../../src/index.ts';
import { FoveolaError } from '../../src/runtime/error.ts';

const refused = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error instanceof FoveolaError && error.code === 'invalid-argument' ? error.message : `${String(error)}`;
  }
  return null;
};

describe('calibration by a disc', () => {
  it('divides its diameter by its pixels', () => {
    expect(millimetresPerPixel(200, 10)).to.be.closeTo(0.05, 1e-15);
    // Tilted away: the longer axis is the true one.
    expect(millimetresPerPixel({ major: 200, minor: 170, angle: 1 }, 10)).to.be.closeTo(0.05, 1e-12);
  });

  it('refuses a disc of no size, and no diameter', () => {
    for (const disc of [0, -3, NaN, Infinity, { major: 0, minor: 0 }, { major: 10, minor: 0 }])
      expect(
        refused(() => millimetresPerPixel(disc, 10)),
        JSON.stringify(disc),
      ).to.include('the disc has no size');
    for (const mm of [0, -1, NaN, Infinity])
      expect(refused(() => millimetresPerPixel(100, mm))).to.include('above 0 mm');
    expect(refused(() => millimetresPerPixel(100, 10, { pixelAspect: 0 }))).to.include('pixelAspect');
    expect(refused(() => diameterInMillimetres({ major: 8, minor: 8, angle: 0 }, 0))).to.include('scale');
  });

  it('respects pixels that are not square', () => {
    // A disc of 10 mm and a pupil of 4 mm on a sensor whose pixels are 4/3 as wide as high.
    const pixelAspect = 4 / 3;
    const seen = (mm: number) => ({ major: 20 * mm, minor: (20 * mm) / pixelAspect, angle: Math.PI / 2 });
    const scale = millimetresPerPixel(seen(10), 10, { pixelAspect });
    expect(scale).to.be.closeTo(0.05, 1e-12);
    expect(diameterInMillimetres(seen(4), scale, { pixelAspect })).to.be.closeTo(4, 1e-12);
    expect(diameterInMillimetres(null, scale)).to.equal(null);
  });

  it('needs nothing of that for frames of a recording, whose pixels a browser shows square', async () => {
    // A disc of 80 pixels as it is shown, stored on pixels that are 4/3 as wide as high.
    const canvas = new OffscreenCanvas(240, 240);
    const context = canvas.getContext('2d')!;
    context.fillStyle = '#b0b0b0';
    context.fillRect(0, 0, 240, 240);
    context.filter = 'blur(1px)';
    context.fillStyle = '#202020';
    context.beginPath();
    context.ellipse(120, 120, 30, 40, 0, 0, 2 * Math.PI);
    context.fill();
    const stored = await createImageBitmap(canvas);
    const frame = new VideoFrame(stored, { timestamp: 0, displayWidth: 320, displayHeight: 240 });
    const engine = await createEngine({ backend: 'wasm', worker: false });
    try {
      const tracker = engine.createPupilTracker({ millimetresPerPixel: millimetresPerPixel(160, 8) });
      const { pupils, width, height } = await tracker.process(frame);
      expect([width, height]).to.deep.equal([320, 240]);
      expect(pupils[0]!.diameterMm).to.be.closeTo(4, 0.04);
      expect(pupils[0]!.ellipse!.minor / pupils[0]!.ellipse!.major).to.be.above(0.98);
    } finally {
      frame.close();
      await engine.dispose();
    }
  });

  it('gives the true axis of an ellipse at any angle', () => {
    // An ellipse of 6 and 5 mm at 0.7 rad, squeezed in x by 1.5: its axes in pixels from the second moments.
    const [major, minor, angle, aspect] = [60, 50, 0.7, 1.5];
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const xx = (c * c * major * major + s * s * minor * minor) / aspect / aspect;
    const yy = s * s * major * major + c * c * minor * minor;
    const xy = (c * s * (major * major - minor * minor)) / aspect;
    const half = Math.sqrt(((xx - yy) / 2) ** 2 + xy * xy);
    const squeezed = {
      major: Math.sqrt((xx + yy) / 2 + half),
      minor: Math.sqrt((xx + yy) / 2 - half),
      angle: Math.atan2(2 * xy, xx - yy) / 2,
    };
    expect(diameterInMillimetres(squeezed, 0.1, { pixelAspect: aspect })).to.be.closeTo(6, 1e-9);
  });
});
