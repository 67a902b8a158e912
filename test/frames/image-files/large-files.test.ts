// Full run only: rare faults and limits, up to a minute.
import { expect } from 'chai';
import { FileBytes } from '../../../src/frames/image-files/file-bytes.ts';
import { readImageFile } from '../../../src/frames/image-files/read.ts';
import { readImage } from '../../../src/frames/read-image.ts';
import { ByteWriter } from '../../support/bytes.ts';
import { dicomFile, losslessJpeg, pictureElements, runLengthFrame, syntaxes } from '../../support/dicom-writer.ts';
import { failure, noise, pngHeader } from '../made-frames.ts';
import { fixture, read } from './support.ts';

const MiB = 1 << 20;
const zeros = new Uint8Array(MiB);

/** Made once: of a blob in a blob no byte is copied. */
const behind = new Blob(Array.from({ length: 100 }, () => zeros));

/** A file that counts what is read of it. */
class Counted extends Blob {
  seen = 0;
  override slice(from?: number, to?: number): Blob {
    const part = super.slice(from, to);
    part.arrayBuffer = () => {
      this.seen += part.size;
      return Blob.prototype.arrayBuffer.call(part);
    };
    return part;
  }
  override arrayBuffer(): Promise<ArrayBuffer> {
    this.seen += this.size;
    return super.arrayBuffer();
  }
}

async function readCounted(parts: BlobPart[]) {
  const file = new Counted(parts);
  const header = new Uint8Array(await new Blob(parts).slice(0, 4096).arrayBuffer());
  const result = await readImageFile(file, header);
  return { result, bytes: file.seen, size: file.size };
}

/** RGB of 16 bits in one strip: the beginning of the file. */
function deepTiff(width: number, height: number, compression = 1, length = 6 * width * height) {
  const entries: [tag: number, value: number][] = [
    [256, width],
    [257, height],
    [258, 16],
    [259, compression],
    [262, 2],
    [273, 1024],
    [277, 3],
    [278, height],
    [279, length],
  ];
  const out = new ByteWriter().text('II').number(42, 2).number(8, 4).number(entries.length, 2);
  for (const [tag, value] of entries) out.number(tag, 2).number(4, 2).number(1, 4).number(value, 4);
  const head = new Uint8Array(1024);
  head.set(out.number(0, 4).done());
  return head;
}

describe('large image files', () => {
  for (const [width, height] of [
    [6000, 4000],
    [6000, 6000],
  ] as const)
    it(`TIFF of ${width}x${height} in 48 bits is read`, async () => {
      const file = new Blob([deepTiff(width, height), new Uint8Array(6 * width * height).fill(255, 0, 6)]);
      const { image } = await readImage(file);
      expect([image.width, image.height, ...image.data.subarray(0, 5)]).to.deep.equal([
        ...[width, height],
        ...[255, 255, 255, 255, 0],
      ]);
    });

  it('TIFF in pieces is what it is as a whole', async () => {
    for (const name of ['bilevel', 'gray-packbits', 'rgb-16-lzw', 'rgb-deflate', 'rgb-jpeg', 'rgb-lzw-predictor']) {
      const bytes = await fixture(`${name}.tif`);
      const { result } = await readCounted([bytes, behind]);
      expect(result, name).to.deep.equal(await read(bytes));
    }
  });

  it('bytes are the same wherever pieces begin', async () => {
    const bytes = noise(MiB);
    const large = await FileBytes.of(new Blob([bytes, behind]));
    const small = await FileBytes.of(new Blob([bytes]));
    for (const from of [0, 65_533, 65_536, 131_069, 999_999])
      for (const size of [1, 2, 4, 8])
        for (const little of [true, false]) {
          const wanted = small.number(from, size, little);
          expect(await large.look(() => large.number(from, size, little))).to.equal(wanted);
          const list = await large.look(() => large.list(from, size, 5000, little));
          expect([list[0], list]).to.deep.equal([wanted, small.list(from, size, 5000, little)]);
        }
    for (const [from, to] of [
      [3, 3],
      [65_000, 66_000],
      [1, 200_000],
    ] as const)
      expect(await large.part(from, to)).to.deep.equal(bytes.subarray(from, to));
  });

  it('of a stack of pages only that is read that is shown', async () => {
    const [width, height] = [300, 200];
    const first = new Uint8Array(6 * width * height).fill(255);
    const { result, bytes, size } = await readCounted([deepTiff(width, height), first, behind]);
    expect([...new Set(result.image.data)]).to.deep.equal([255]);
    expect(size).to.be.greaterThan(100 * MiB);
    expect(bytes).to.be.lessThan(2 * MiB);
  });

  it('compressed TIFF counts its longest strip among what is held', async () => {
    const [width, height, length] = [6000, 6000, 100 * MiB];
    const file = new Blob([deepTiff(width, height, 5, length), behind]);
    const { code, message } = await failure(() => readImage(file));
    expect([code, message.split('.')[0]]).to.deep.equal([
      'image-too-large',
      'Reading the image would need 528 MiB at once, including the file',
    ]);
  });

  it('PNG over the budget is not even opened', async () => {
    const png = pngHeader(8, 8);
    png[24] = 16;
    const file = new Counted([png]);
    Object.defineProperty(file, 'size', { value: 500 * MiB });
    expect((await failure(() => readImageFile(file, png))).code).to.equal('image-too-large');
    expect(file.seen).to.equal(0);
  });

  it('what the browser decodes has a limit as well', async () => {
    const canvas = new OffscreenCanvas(2, 2);
    canvas.getContext('2d');
    for (const [size, wanted] of [
      [257 * MiB, 'image-too-large'],
      [256 * MiB, 'read'],
    ] as const) {
      const file = await canvas.convertToBlob();
      Object.defineProperty(file, 'size', { value: size });
      expect(await readImage(file).then(() => 'read', ({ code }: { code: string }) => code)).to.equal(wanted); // prettier-ignore
    }
  });

  const frames = 400;
  const several = (width: number, height: number) =>
    pictureElements(width, height, {}, [[0x00280008, 'IS', String(frames)]]);
  const isFirst = ({ result, bytes, size }: Awaited<ReturnType<typeof readCounted>>, wanted: ArrayLike<number>) => {
    expect(result.image.data).to.deep.equal(Uint8Array.from(wanted));
    expect(result.notes[0]).to.equal(`The first of the file's ${frames} frames was read.`);
    expect(size).to.be.greaterThan(100 * MiB);
    expect(bytes).to.be.lessThan(2 * MiB);
  };

  it('of a DICOM volume the first frame alone is read', async () => {
    const picture = Uint8Array.from({ length: 256 * 512 }, (_, i) => i % 251); // more than is read at first
    const pixels = new Uint8Array(picture.length);
    pixels.set(picture);
    for (const syntax of [syntaxes.explicit, syntaxes.implicit]) {
      const file = await dicomFile({ syntax, elements: several(512, 256), pixels });
      new DataView(file.buffer).setUint32(file.length - pixels.length - 4, pixels.length + 100 * MiB, true);
      isFirst(await readCounted([file, behind]), picture);
    }
  });

  it('of compressed ones as well: JPEG and run lengths, with and without a table of offsets', async () => {
    const values = Array.from({ length: 40 * 30 }, (_, i) => i % 251);
    const jpeg = losslessJpeg(40, 30, 1, values);
    const second = 8 + jpeg.length + (jpeg.length % 2);
    const runs = runLengthFrame([values]);
    for (const [syntax, frame, offsets] of [
      [syntaxes.lossless, jpeg, []],
      [syntaxes.lossless, jpeg, [0, second]],
      [syntaxes.runLength, runs, []],
    ] as const) {
      const file = await dicomFile({ syntax, elements: several(40, 30), pixels: [frame, frame], offsets });
      isFirst(await readCounted([file, behind]), values);
    }
  });

  it('a DICOM file whose picture comes late is read to there', async () => {
    const own = Uint8Array.from({ length: 16 }, (_, i) => 200 + i);
    const elements = pictureElements(2, 2, {}, [[0x00291010, 'OB', own]]);
    const file = await dicomFile({ elements, pixels: Uint8Array.of(1, 2, 3, 4) });
    const at = file.findIndex((_, i) => own.every((value, k) => file[i + k] === value));
    new DataView(file.buffer).setUint32(at - 4, 40 * MiB, true);
    const parts = [file.slice(0, at), behind.slice(0, 40 * MiB), file.slice(at + own.length)];
    expect((await readCounted(parts)).result.image.data).to.deep.equal(Uint8Array.of(1, 2, 3, 4));
  });
});
