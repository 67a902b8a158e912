/** Image files as sources of engine calls; the browser's own formats with their orientation. */
import { expect } from 'chai';
import { createEngine, frames } from '../../../src/index.ts';
import { readImage } from '../../../src/frames/read-image.ts';
import type { Engine } from '../../../src/api.ts';
import type { GrayImage } from '../../../src/results/types.ts';
import { patternOf } from '../../support/bytes.ts';
import { dicomFile, pictureElements, type DicomElement } from '../../support/dicom-writer.ts';
import { tiffFile } from '../../support/tiff-writer.ts';
import { failure } from '../made-frames.ts';
import { read } from './support.ts';

const blobOf = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]);
const [width, height] = [40, 30];
const picture: GrayImage = { width, height, data: Uint8Array.from(patternOf(width, height, 1)) };

/** A disc of even light with four dark lines, as a DICOM file. */
async function fundusFile(further: DicomElement[]): Promise<Blob> {
  const side = 320;
  const data = new Uint8Array(side * side);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      if (Math.hypot(x - side / 2, y - side / 2) < 0.48 * side) data[y * side + x] = (y + 20) % 70 < 6 ? 90 : 130;
  return blobOf(await dicomFile({ elements: pictureElements(side, side, {}, further), pixels: data }));
}

describe('image files as sources', () => {
  let engine: Engine;
  before(async () => void (engine = await createEngine({ worker: false, backend: 'wasm', threads: 1 })));
  after(() => engine.dispose());

  it('of operations and trackers, TIFF as DICOM as the pixels themselves', async () => {
    const wanted = await engine.gaussian(picture, { sigma: 1 });
    const files = [
      blobOf(await tiffFile([{ ...picture, data: [...picture.data], compression: 'lzw' }])),
      blobOf(await dicomFile({ elements: pictureElements(width, height), pixels: picture.data })),
    ];
    for (const file of files) {
      expect(await engine.gaussian(file, { sigma: 1 })).to.deep.equal(wanted);
      const tracker = engine.createPupilTracker();
      expect((await tracker.process(file)).width).to.equal(width);
      await tracker.dispose();
    }
  });

  it('vessels are measured by the pixel spacing of the file, unless the caller says another', async () => {
    const file = await fundusFile([[0x00280030, 'DS', '0.008\\0.008']]);
    const found = await engine.vessels(file, { measures: true });
    expect(found.scale).to.deep.equal({ micrometresPerPixel: 8, from: 'file' });
    const wide = found.segments!.filter(({ width }) => width !== undefined);
    expect(wide.length).to.be.above(0);
    for (const { width: px, widthMicrometres } of wide) expect(widthMicrometres).to.be.closeTo(8 * px!, 1e-3);
    const heard = await engine.vessels(file, { measures: true, micrometresPerPixel: 5 });
    expect(heard.scale).to.deep.equal({ micrometresPerPixel: 5, from: 'option' });
    const { width, widthMicrometres } = heard.segments!.find((segment) => segment.width !== undefined)!;
    expect(widthMicrometres).to.be.closeTo(5 * width!, 1e-3);
  });

  it('images of readImage carry what their file said', async () => {
    const further: DicomElement[] = [[0x00280030, 'DS', '0.006\\0.006']];
    const gray = dicomFile({ elements: pictureElements(width, height, {}, further), pixels: picture.data });
    const colors = Uint8Array.from(patternOf(width, height, 3));
    const rgb = dicomFile({ elements: pictureElements(width, height, { samples: 3 }, further), pixels: colors });
    for (const bytes of [await gray, await rgb]) {
      const { scale } = await engine.vessels((await read(bytes)).image);
      expect(scale).to.deep.equal({ micrometresPerPixel: 6, from: 'file' });
    }
  });

  it('vessels say so where the scale is not known, odd, or of pixels that are not square', async () => {
    const plain = await engine.vessels(await fundusFile([]), { measures: true });
    expect(plain.scale).to.equal(null);
    expect(plain.segments![0]).to.not.have.property('widthMicrometres');
    const odd = await engine.vessels(await fundusFile([[0x00280030, 'DS', '25.4\\25.4']]));
    expect(odd.scale).to.equal(null);
    expect(odd.warnings.join()).to.match(/does not fit a photograph of the eye/);
    const oblong = await engine.vessels(await fundusFile([[0x00280030, 'DS', '0.009\\0.004']]));
    expect(oblong.scale!.micrometresPerPixel).to.be.closeTo(6, 1e-9);
    expect(oblong.warnings.join()).to.match(/not square/);
  });

  it('notes of the file are warnings of the result', async () => {
    const page = { width: 64, height: 64, data: patternOf(64, 64, 1) };
    const { warnings } = await engine.vessels(blobOf(await tiffFile([page, page])));
    expect(warnings.join()).to.match(/Page 1 of the file's 2/);
  });

  it('a cancel ends the reading', async () => {
    const large = blobOf(
      await tiffFile([{ width: 900, height: 700, data: patternOf(900, 700, 1), compression: 'lzw', rowsPerStrip: 4 }]),
    );
    const controller = new AbortController();
    const reading = failure(() => readImage(large, { signal: controller.signal }));
    controller.abort();
    expect((await reading).code).to.equal('aborted');
    const second = new AbortController();
    const seen: number[] = [];
    const onProgress = (done: number) => {
      seen.push(done);
      second.abort();
    };
    const end = await readImage(large, { signal: second.signal, onProgress }).catch((error: { code: string }) => error);
    // A fast machine may be done within its first slice.
    if (seen.length) expect(end).to.have.property('code', 'aborted');
    const third = new AbortController();
    const calling = failure(() => engine.gaussian(large, { signal: third.signal }));
    third.abort();
    expect((await calling).code).to.equal('aborted');
    expect((await read(large)).image.width).to.equal(900);
  });

  it('a damaged file fails its call, and the next one works', async () => {
    const bytes = await dicomFile({ elements: pictureElements(width, height), pixels: picture.data });
    const error = await failure(() => engine.gaussian(blobOf(bytes.slice(0, bytes.length - 10))));
    expect(error.code).to.equal('decode-failed');
    expect(error.message).to.match(/cut off/);
    expect((await engine.gaussian(blobOf(bytes))).width).to.equal(width);
  });

  it('readImage refuses what is no file', async () => {
    expect((await failure(() => readImage('eye.tif' as never))).code).to.equal('invalid-argument');
    expect((await failure(() => readImage(new Blob([])))).message).to.match(/empty/);
    expect((await failure(() => readImage(new Blob(['some words'])))).message).to.match(/a text file/);
  });
});

describe('JPEG with each EXIF orientation', () => {
  /** APP1 with one entry, behind the start of the file. */
  const withOrientation = (jpeg: Uint8Array, orientation: number) => {
    const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
    const exif = [0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, ...entry];
    return Uint8Array.of(0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2, ...exif, ...jpeg.subarray(2));
  };

  it('comes the right way up, pixel by pixel', async () => {
    const [w, h] = [24, 16];
    const context = new OffscreenCanvas(w, h).getContext('2d')!;
    ['#c02020', '#20c020', '#2020c0', '#c0c020', '#20c0c0', '#a0a0a0'].forEach((color, i) => {
      context.fillStyle = color;
      context.fillRect(8 * (i % 3), 8 * Math.floor(i / 3), 8, 8);
    });
    const file = await context.canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
    const jpeg = new Uint8Array(await file.arrayBuffer());
    const plain = await read(jpeg);
    expect(plain).to.deep.include({ format: 'JPEG', bits: 8, spacing: null, notes: [] });
    const from: Record<number, (x: number, y: number) => [number, number]> = {
      1: (x, y) => [x, y],
      2: (x, y) => [w - 1 - x, y],
      3: (x, y) => [w - 1 - x, h - 1 - y],
      4: (x, y) => [x, h - 1 - y],
      5: (x, y) => [y, x],
      6: (x, y) => [y, h - 1 - x],
      7: (x, y) => [w - 1 - y, h - 1 - x],
      8: (x, y) => [w - 1 - y, x],
    };
    for (const [orientation, place] of Object.entries(from)) {
      const { image } = await read(withOrientation(jpeg, Number(orientation)));
      expect([image.width, image.height]).to.deep.equal(Number(orientation) > 4 ? [h, w] : [w, h]);
      const wanted = new Uint8ClampedArray(image.data.length);
      for (let y = 0; y < image.height; y++)
        for (let x = 0; x < image.width; x++) {
          const [sx, sy] = place(x, y);
          for (let c = 0; c < 4; c++) wanted[4 * (y * image.width + x) + c] = plain.image.data[4 * (sy * w + sx) + c]!;
        }
      expect(image.data, `orientation ${orientation}`).to.deep.equal(wanted);
    }
  });

  for (const everyFrame of [true, false])
    it(`that are stacks come from their address as from their file: ${everyFrame ? 'every frame' : 'played'}`, async () => {
      const page = { width, height, data: patternOf(width, height, 1) };
      const address = URL.createObjectURL(blobOf(await tiffFile([page, page, page])));
      let count = 0;
      for await (const { frame, file } of frames(address, { everyFrame })) {
        expect('width' in frame ? frame.width : frame.displayWidth).to.equal(width);
        expect(file!.pages).to.equal(3);
        count++;
      }
      expect(count).to.equal(3);
      URL.revokeObjectURL(address);
    });
});
