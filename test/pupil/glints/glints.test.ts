/** Glints: mirror images of lamps near a pupil, drawn with known centers. */
import { expect } from 'chai';
import { createEngine, type Engine, type GrayImage } from '../../../src/index.ts';

/** A soft-edged disc of `level` on what is there: half opacity at the radius. */
function disc({ width, data }: GrayImage, x: number, y: number, r: number, level: number, edge = 1): void {
  for (let i = 0; i < data.length; i++) {
    const inside = (r - Math.hypot((i % width) - x, Math.floor(i / width) - y)) / edge + 0.5;
    data[i] = Math.round(data[i]! + (level - data[i]!) * Math.min(1, Math.max(0, inside)));
  }
}

/** Sclera, iris and pupil of radius r at (x, y), with fixed noise. */
function eye(width: number, height: number, x: number, y: number, r: number): GrayImage {
  const image = { width, height, data: new Uint8Array(width * height).fill(150) };
  disc(image, x, y, 2.2 * r, 105, 3);
  disc(image, x, y, r, 25, 2);
  let seed = 5;
  for (let i = 0; i < image.data.length; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    image.data[i] = image.data[i]! + (seed >>> 29) - 4;
  }
  return image;
}

describe('glints', () => {
  let engine: Engine;
  before(async () => (engine = await createEngine({ worker: false })));
  after(() => engine.dispose());

  async function found(image: GrayImage, most: number) {
    const tracker = await engine.createPupilTracker({ glints: most, fit: 'circle' });
    try {
      return (await tracker.process(image)).pupils[0]!;
    } finally {
      await tracker.dispose();
    }
  }

  for (const [r, spot] of [
    [24, 2.4],
    [60, 5],
    [170, 14],
  ] as const)
    it(`lie where they were drawn to a third of a pixel or 3 % of their size, pupil of ${r} px`, async () => {
      const [width, height] = [8 * r, 6 * r];
      const [x, y] = [4 * r + 0.3, 3 * r - 0.4];
      const image = eye(width, height, x, y, r);
      const places = [
        [x - 0.5 * r + 0.27, y - 0.3 * r + 0.41],
        [x + 0.45 * r - 0.35, y + 0.6 * r + 0.12],
      ] as const;
      disc(image, ...places[0], spot, 255);
      disc(image, ...places[1], 0.8 * spot, 250);
      const pupil = await found(image, 4);
      expect(pupil.found).to.equal(true);
      expect(pupil.glints).to.have.length(2);
      pupil.glints!.forEach((glint, i) => {
        const [gx, gy] = places[i]!;
        expect(Math.hypot(glint.x - gx, glint.y - gy)).to.be.below(Math.max(0.34, 0.03 * spot));
        expect(glint.area / (Math.PI * (i ? 0.8 * spot : spot) ** 2)).to.be.within(0.7, 1.5);
      });
      // The brightest first: the larger.
      expect(pupil.glints![0]!.area).to.be.above(pupil.glints![1]!.area);
    });

  it('are neither what is large, nor gaps between lashes, nor far away', async () => {
    const image = eye(480, 360, 240, 180, 40);
    disc(image, 190, 150, 18, 255); // a window
    for (let k = 0; k < 60; k++) disc(image, 205 + k, 120 + k / 9, 0.8, 230); // a gap
    disc(image, 400, 180, 3, 255); // beyond the cornea
    disc(image, 255, 190, 3, 255);
    const { glints } = await found(image, 8);
    expect(glints).to.have.length(1);
    expect(glints![0]!.x).to.be.closeTo(255, 0.4);
    expect(glints![0]!.y).to.be.closeTo(190, 0.4);
  });

  it('shine at least half as bright as the brightest', async () => {
    const image = eye(480, 360, 240, 180, 40);
    disc(image, 228, 170, 3, 255);
    disc(image, 252, 172, 3, 160);
    expect((await found(image, 8)).glints).to.have.length(2);
    disc(image, 252, 172, 4, 25);
    disc(image, 252, 172, 3, 110);
    expect((await found(image, 8)).glints).to.have.length(1);
  });

  it('are at most as many as asked for, none without a pupil, and absent where nobody asks', async () => {
    const image = eye(480, 360, 240, 180, 40);
    for (const [x, y] of [
      [225, 170],
      [252, 172],
      [240, 195],
    ] as const)
      disc(image, x, y, 3, 255);
    expect((await found(image, 2)).glints).to.have.length(2);
    expect((await found(image, 8)).glints).to.have.length(3);
    expect(await found(image, 0)).to.not.have.property('glints');
    const empty = { width: 480, height: 360, data: new Uint8Array(480 * 360).fill(120) };
    expect((await found(empty, 2)).glints).to.deep.equal([]);
  });

  it('of a picture with a sixth of the light are those of the whole', async () => {
    const image = eye(480, 360, 240, 180, 40);
    disc(image, 228, 170, 3, 255);
    disc(image, 252, 172, 3, 240);
    const dark = { ...image, data: image.data.map((level) => Math.round(level / 6)) };
    const [whole, dim] = [await found(image, 8), await found(dark, 8)];
    expect(dim.glints).to.have.length(2);
    dim.glints!.forEach(({ x, y }, i) => {
      expect(x).to.be.closeTo(whole.glints![i]!.x, 0.3);
      expect(y).to.be.closeTo(whole.glints![i]!.y, 0.3);
    });
  });

  it('of each of two eyes belong to it', async () => {
    const both = { width: 960, height: 360, data: new Uint8Array(960 * 360) };
    for (const [side, gx] of [
      [0, 252],
      [1, 230],
    ] as const) {
      const one = eye(480, 360, 240, 180, 40);
      disc(one, gx, 185, 3, 255);
      for (let y = 0; y < 360; y++) both.data.set(one.data.subarray(480 * y, 480 * (y + 1)), 960 * y + 480 * side);
    }
    const tracker = await engine.createPupilTracker({ glints: 2, eyes: 2 });
    const { pupils } = await tracker.process(both);
    await tracker.dispose();
    expect(pupils.map(({ glints }) => glints!.map(({ x }) => Math.round(x)))).to.deep.equal([[252], [710]]);
  });
});
