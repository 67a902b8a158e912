/** Vessels of a drawn fundus with known lines, of the photographs in ../shared, and of pictures that are none. */
import { expect } from 'chai';
import { createEngine } from '../../src/index.ts';
import type { Engine } from '../../src/api.ts';
import type { VesselResult } from '../../src/results/types.ts';
import { generator } from '../parity/cases.ts';
import { sharedFile, describeShared } from '../support/shared.ts';
import { prune, traceSkeleton } from '../../src/vessels/segment/trace.ts';
import type { WorkingPlane } from '../../src/vessels/segment/working-plane.ts';
import { scalesOf } from '../../src/vessels/segment/find-vessels.ts';
import { itInFull } from '../support/full.ts';

interface Picture {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** A reddish disc on black with dark lines of the given widths, and which pixels they cover. */
function drawnFundus(side: number, widths: readonly number[]): { picture: Picture; truth: Uint8Array } {
  const random = generator(17);
  const data = new Uint8ClampedArray(4 * side * side);
  const truth = new Uint8Array(side * side);
  const radius = 0.48 * side;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const i = y * side + x;
      const [u, v] = [x - side / 2, y - side / 2];
      data[4 * i + 3] = 255;
      if (Math.hypot(u, v) > radius) continue;
      let depth = 0;
      widths.forEach((w, k) => {
        const line = side * (0.25 + (0.5 * k) / Math.max(1, widths.length - 1)) + 0.04 * side * Math.sin(x / 60);
        const d = Math.abs(y - line);
        if (d <= w / 2) truth[i] = 1;
        depth = Math.max(depth, Math.min(1, Math.max(0, w / 2 + 0.5 - d)));
      });
      const shade = 1 - 0.4 * (Math.hypot(u, v) / radius) ** 2;
      const gray = (base: number, contrast: number) =>
        shade * base * (1 - contrast * depth) + 3 * (random() + random() - 1);
      data[4 * i] = gray(200, 0.1);
      data[4 * i + 1] = gray(110, 0.3);
      data[4 * i + 2] = gray(50, 0.1);
    }
  return { picture: { width: side, height: side, data }, truth };
}

const score = ({ mask }: VesselResult, truth: ArrayLike<number>, field: ArrayLike<number>) => {
  let [tp, fp, fn, n] = [0, 0, 0, 0];
  for (let i = 0; i < truth.length; i++) {
    if (!field[i]) continue;
    n++;
    if (mask.data[i] && truth[i]) tp++;
    else if (mask.data[i]) fp++;
    else if (truth[i]) fn++;
  }
  return { accuracy: (n - fp - fn) / n, dice: (2 * tp) / (2 * tp + fp + fn) };
};

describe('vessels', () => {
  let engine: Engine;
  before(async () => void (engine = await createEngine({ worker: false, backend: 'wasm', threads: 1 })));
  after(() => engine.dispose());

  for (const variant of ['default', 'lines'] as const)
    it(`finds drawn vessels, the field of view and nothing on its rim: ${variant}`, async () => {
      const { picture, truth } = drawnFundus(420, [4, 7, 3, 6]);
      const result = await engine.vessels(picture as ImageData, { variant });
      const field = Uint8Array.from(truth, (_, i) =>
        Number(Math.hypot((i % 420) - 210, Math.floor(i / 420) - 210) < 0.48 * 420 - 6),
      );
      expect(score(result, truth, field).dice).to.be.above(0.8);
      const area = result.fieldOfView.data.reduce((s, v) => s + v / 255, 0);
      expect(area / (Math.PI * (0.48 * 420) ** 2)).to.be.closeTo(1, 0.03);
      for (let i = 0; i < truth.length; i++) if (!result.fieldOfView.data[i]) expect(result.mask.data[i]).to.equal(0);
      expect(result.confidence).to.be.above(0.6);
      const { get } = Object.getOwnPropertyDescriptor(result, 'response')!;
      expect(get, 'made when it is read').to.be.a('function');
      expect(result.response).to.have.length(truth.length).and.equal(result.response);
    });

  it('finds the field of view of an underexposed picture, whose middle is hardly brighter than its corners', async () => {
    const { picture } = drawnFundus(420, [4, 7, 3, 6]);
    const bright = await engine.vessels(picture as ImageData, { scales: 'all' });
    const data = picture.data.map((v, i) => (i % 4 === 3 ? 255 : v / 10));
    const dark = await engine.vessels({ ...picture, data } as ImageData, { scales: 'all' });
    const area = ({ fieldOfView }: VesselResult) => fieldOfView.data.reduce((s, v) => s + v / 255, 0);
    expect(area(dark) / area(bright)).to.be.closeTo(1, 0.02);
    const black = { ...picture, data: picture.data.map((v, i) => (i % 4 === 3 ? 255 : v / 90)) };
    expect((await engine.vessels(black as ImageData)).warnings).not.to.be.empty;
  });

  itInFull('finds wide ones from the eigenvalues as well, on either side', async () => {
    const { picture, truth } = drawnFundus(420, [9, 8]);
    const field = Uint8Array.from(truth, (_, i) =>
      Number(Math.hypot((i % 420) - 210, Math.floor(i / 420) - 210) < 0.48 * 420 - 10),
    );
    const gpu = await createEngine({ worker: false, backend: 'gpu', threads: 1 });
    const [own, paper, onGpu] = [
      await engine.vessels(picture as ImageData, { scales: 'thick' }),
      await engine.vessels(picture as ImageData, { scales: 'thick', variant: 'paper' }),
      await gpu.vessels(picture as ImageData, { scales: 'thick', variant: 'paper' }),
    ];
    await gpu.dispose();
    expect(score(paper, truth, field).dice).to.be.above(0.75);
    expect(paper.response).to.not.deep.equal(own.response);
    expect([paper.backend, onGpu.backend]).to.deep.equal(['wasm', 'both']);
    let unlike = 0;
    paper.mask.data.forEach((v, i) => (unlike += Number(v !== onGpu.mask.data[i])));
    expect(unlike / truth.length).to.be.below(1e-3);
    const flat = { width: 90, height: 70, data: new Uint8Array(6300).fill(128) };
    expect((await engine.vessels(flat, { variant: 'paper' })).mask.data.some((v) => v > 0)).to.equal(false);
  });

  it('measures them: width in pixels and micrometres, length, one segment a line', async () => {
    const { picture } = drawnFundus(420, [8]);
    const options = { scales: 'thick', measures: true, micrometresPerPixel: 10 } as const;
    const { segments, skeleton, branchPoints } = await engine.vessels(picture as ImageData, options);
    const longest = segments!.reduce((a, b) => (b.length > a.length ? b : a));
    let drawn = 0;
    const line = (x: number) => 105 + 0.04 * 420 * Math.sin(x / 60);
    for (let x = 0; x < 420; x++)
      if (Math.hypot(x - 210, line(x) - 210) < 0.48 * 420) drawn += Math.hypot(1, line(x + 1) - line(x));
    expect(longest.length / drawn).to.be.closeTo(1, 0.04);
    expect(longest.width).to.be.closeTo(8, 0.3);
    expect(longest.widthMicrometres).to.be.closeTo(10 * longest.width!, 1e-3);
    expect(longest.points.length).to.equal(2 * longest.widths.length);
    expect(skeleton!.data.some((v) => v === 255)).to.equal(true);
    expect(branchPoints!.length).to.be.at.most(2);
  });

  it('traces a cross into four segments and one branch point', () => {
    const side = 21;
    const lines = Uint8Array.from({ length: side * side }, (_, i) =>
      Number(i % side === 10 || Math.floor(i / side) === 10),
    );
    const radiusAt = () => 1;
    const { junctions, arms } = prune(traceSkeleton(lines, side, side, radiusAt), { width: side, radiusAt });
    expect(junctions).to.deep.equal([{ x: 10, y: 10, radius: 1 }]);
    expect(arms.map(({ length }) => length)).to.deep.equal([10, 10, 10, 10]);
  });

  it('are sought from sigma on, in pixels of the photograph, else in proportion to the field', () => {
    const params = { variant: 'default', thresholdFactor: 1, measures: false, micrometresPerPixel: 0 } as const;
    for (const scales of ['thick', 'all'] as const) {
      for (const block of [1, 2]) {
        const [narrowest] = scalesOf({ diameter: 540, block } as WorkingPlane, { ...params, scales, sigma: 4 });
        expect(narrowest!.sigma * block, `${scales}, blocks of ${block}`).to.be.closeTo(4, 1e-9);
      }
      const of = (diameter: number) =>
        scalesOf({ diameter, block: 1 } as WorkingPlane, { ...params, scales, sigma: 0 });
      // A vessel of twice its sigma on either side: the widest of a retina are about 14 px of 540.
      expect(4 * of(540).at(-1)!.sigma).to.be.within(10, 15);
      of(540).forEach(({ sigma }, k) => expect(of(1080)[k]!.sigma / sigma).to.be.closeTo(2, 1e-9));
    }
  });

  it('gives one result with one engine and with another, byte for byte', async () => {
    const { picture } = drawnFundus(300, [5, 3]);
    const other = await createEngine({ backend: 'wasm' });
    expect(other.capabilities.worker, 'the other one computes in a worker').to.equal(true);
    const [a, b] = [await engine.vessels(picture as ImageData), await other.vessels(picture as ImageData)];
    await other.dispose();
    expect(a.mask.data.some((v) => v > 0)).to.equal(true);
    expect(a.mask.data).to.deep.equal(b.mask.data);
    expect(a.response).to.deep.equal(b.response);
  });

  describe('faults', () => {
    const flat = (width: number, height: number, value: number) => ({
      width,
      height,
      data: new Uint8Array(width * height).fill(value),
    });

    it('an all-black, an evenly gray and a 1 x N picture have no vessels, no confidence and a warning', async () => {
      for (const picture of [flat(64, 48, 0), flat(64, 48, 128), flat(1, 200, 90), flat(200, 1, 90), flat(1, 1, 7)]) {
        const result = await engine.vessels(picture, { measures: true, scales: 'all' });
        expect(result.mask.data.some((v) => v > 0)).to.equal(false);
        expect(result.confidence).to.equal(0);
        expect(result.warnings.join(' ')).to.match(/no structure/);
        expect(result.fraction).to.equal(0);
        expect(result.segments).to.deep.equal([]);
      }
    });

    it('noise and a checkerboard get little confidence and warnings', async () => {
      const random = generator(3);
      const noise = { ...flat(300, 300, 0), data: Uint8Array.from({ length: 90000 }, () => 256 * random()) };
      const board = {
        ...flat(300, 300, 0),
        data: Uint8Array.from({ length: 90000 }, (_, i) => (((i >> 4) + (Math.floor(i / 300) >> 4)) % 2 ? 200 : 40)),
      };
      for (const picture of [noise, board]) {
        const { confidence, warnings } = await engine.vessels(picture, { scales: 'all' });
        expect(confidence).to.be.below(0.4);
        expect(warnings.length).to.be.above(1);
      }
    });

    it('a blurred or a small photograph gets little confidence, a warning that says which, and no widths that are guessed', async () => {
      const { picture } = drawnFundus(420, [4, 7, 3, 6]);
      const draw = (side: number, filter: string) => {
        const source = new OffscreenCanvas(420, 420);
        source.getContext('2d')!.putImageData(new ImageData(picture.data as never, 420, 420), 0, 0);
        const context = new OffscreenCanvas(side, side).getContext('2d')!;
        context.filter = filter;
        context.drawImage(source, 0, 0, side, side);
        return context.getImageData(0, 0, side, side);
      };
      for (const [image, text] of [
        [draw(420, 'blur(9px)'), /blurred/],
        [draw(90, 'none'), /too small/],
      ] as const) {
        const { confidence, warnings, segments } = await engine.vessels(image, { scales: 'all', measures: true });
        expect(confidence, String(text)).to.be.below(0.5);
        expect(warnings.join(' ')).to.match(text);
        for (const { width, widths } of segments!)
          if (width === undefined) expect(widths.filter((v) => !Number.isNaN(v)).length).to.be.below(widths.length);
          else expect(width).to.be.above(0);
      }
    });

    it('refuses a sigma out of range or larger than the image; the next call works', async () => {
      for (const sigma of [-1, 33, 20]) {
        const error = (await engine.vessels(flat(12, 9, 50), { sigma }).catch((e: unknown) => e)) as { code: string };
        expect(error.code).to.equal('invalid-argument');
      }
      expect((await engine.vessels(flat(12, 9, 50))).mask.data).to.have.length(108);
    });

    it('refuses a damaged file', async () => {
      const error = await engine
        .vessels(new Blob([new Uint8Array([0x89, 80, 78, 71, 13, 10, 26, 10, 1, 2])]))
        .catch((e) => e);
      expect(error.code).to.equal('decode-failed');
    });

    it('can be cancelled', async () => {
      const stop = new AbortController();
      const { picture } = drawnFundus(500, [5]);
      const call = engine.vessels(picture as ImageData, { signal: stop.signal, onProgress: () => stop.abort() });
      expect(((await call.catch((e: unknown) => e)) as { code: string }).code).to.equal('aborted');
    });
  });
});

// What needs no truth is tested on the photographs of test/media: vessels-photographs.test.ts.
describeShared('vessels of the photographs in ../shared', () => {
  let engine: Engine;
  before(async () => void (engine = await createEngine({ worker: false, backend: 'wasm', threads: 1 })));
  after(() => engine.dispose());
  const channelOf = async (path: string, channel: 0 | 1) => {
    const bitmap = await createImageBitmap(await (await sharedFile(path)).blob());
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const rgba = context.getImageData(0, 0, width, height).data;
    const data = Uint8Array.from({ length: width * height }, (_, i) => rgba[4 * i + channel]!);
    return { width, height, data };
  };

  it('DRIVE 19 and STARE 0077: accuracy and Dice, and the confidence in gray', async () => {
    for (const [image, truth, accuracy, dice] of [
      ['drive/19_test.png', 'drive/19_manual1.png', 0.955, 0.78],
      ['stare/im0077.png', 'stare/im0077_ah.png', 0.96, 0.8],
    ] as const) {
      const blob = await (await sharedFile(`data/fundus/${image}`)).blob();
      const result = await engine.vessels(blob, { scales: 'all' });
      const found = score(result, (await channelOf(`data/fundus/${truth}`, 0)).data, result.fieldOfView.data);
      expect(found.accuracy, image).to.be.above(accuracy);
      expect(found.dice, image).to.be.above(dice);
      expect(result.confidence).to.be.above(0.6);
    }
    const green = await channelOf('data/fundus/drive/19_test.png', 1);
    const { confidence, warnings } = await engine.vessels(green, { scales: 'all' });
    expect(confidence).to.be.above(0.7);
    expect(warnings.join(' ')).to.match(/gray/);
  });

  itInFull('photographs of faces and things get little confidence and a warning', async () => {
    const names = [
      'faces/helen/images/3004338997_1.jpg',
      'faces/afw/images/2437602091_1.jpg',
      'filters/images/fruits.jpg',
    ];
    names.push('filters/images/baboon.jpg', 'flow/RubberWhale/frame10.png');
    let found = 0;
    for (const name of names) {
      const answer = await fetch(`/shared/data/${name}`);
      if (!answer.ok) continue;
      found++;
      const { confidence, warnings } = await engine.vessels(await answer.blob(), { scales: 'all' });
      expect(confidence, name).to.be.below(0.35);
      expect(warnings.length, name).to.be.above(0);
    }
    expect(found).to.be.above(2);
  });
});
