/** What is fuzzed: for each reader its good files and how a file is read; for the engine, calls with random arguments. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { checkBlob, isForReader, isJpeg, readHeader, sizeOf } from '../../src/frames/blob-header.ts';
import { jpegHeader } from '../../src/frames/image-files/jpeg.ts';
import { readImageFile, readPages } from '../../src/frames/image-files/read.ts';
import { rgbaImage } from '../../src/frames/size.ts';
import { missingOf } from '../../src/frames/containers.ts';
import { encodedPackets } from '../../src/frames/read-recording.ts';
import { readCascade } from '../../src/models/cascades.ts';
import { readLandmarks } from '../../src/models/landmark-models.ts';
import { readTruth } from '../../src/objects/box-score.ts';
import { readProtocol } from '../../src/protocols/protocol.ts';
import { protocols } from '../../src/protocols/shipped-protocols.ts';
import {
  dicomFile,
  losslessJpeg,
  pictureElements,
  syntaxes,
  type DicomElement,
} from '../../test/support/dicom-writer.ts';
import { apngFile, exifBlock, gifFile, movingWebp } from '../../test/support/moving-writers.ts';
import { deepPng } from '../../test/support/png-writer.ts';
import { progressiveJpeg } from '../../test/support/hostile-files.ts';
import { avif, gif, jpeg as jpegFile } from '../../test/support/hostile-kinds.ts';
import { tiffFile } from '../../test/support/tiff-writer.ts';
import { readJournal } from '../../src/recordings/journal-reader.ts';
import { calls, trackersTarget } from './calls.ts';
import { identity } from './identity.ts';
import { objectModels } from './object-models.ts';
import { cascades, inOtherContainers, journals, landmarks } from './good-files.ts';
import { changed, changesOf, oneOf, type Bytes, type Change, type Random } from './mutation.ts';
import { repairedJournal, repairedModel } from './repair.ts';

/** One input, made again from its number. */
export interface Trial {
  run(): Promise<void>;
  /** The changes that it is made of, each of which can be left out; none of a call. */
  changes: Change[];
  with(changes: readonly Change[]): Trial;
  /** What to keep of a failure. */
  shown(): Bytes | string;
}

export type Target = (root: string) => Promise<(random: Random) => Trial>;

export interface Reader {
  files(root: string): Promise<Bytes[]> | Bytes[];
  read(bytes: Bytes): Promise<unknown> | unknown;
  /** Gives changed bytes their right checksums: else every change ends there, and nothing behind it is reached. */
  repair?(bytes: Bytes): Bytes;
}

const reader =
  ({ files, read, repair = (bytes) => bytes }: Reader): Target =>
  async (root) => {
    const good = await files(root);
    const trial = (file: Bytes, repaired: boolean, changes: Change[]): Trial => {
      const input = () => (repaired ? repair(changed(file, changes)) : changed(file, changes));
      return {
        run: async () => void (await read(input())),
        changes,
        with: (fewer) => trial(file, repaired, [...fewer]),
        shown: input,
      };
    };
    return (random) => trial(oneOf(random, good), random() < 0.8, changesOf(random));
  };

const asImage = async (bytes: Bytes) => {
  const file = new Blob([bytes]);
  if (!bytes.length) return;
  const header = await readHeader(file);
  if (isForReader(header)) await readImageFile(file, header);
};

const [width, height] = [13, 9];
const data = Array.from({ length: width * height }, (_, i) => (i * 37) % 256);
const colors = data.flatMap((value) => [value, 255 - value, 7]);
const file = (root: string, name: string) => new Uint8Array(readFileSync(path.join(root, name)));

const tiffs = async (): Promise<Bytes[]> => {
  const list: Bytes[] = [];
  for (const compression of ['none', 'lzw', 'packBits', 'deflate'] as const) {
    list.push(await tiffFile([{ width, height, data, compression }]));
    list.push(
      await tiffFile([{ width, height, samples: 3, data: colors, compression, predictor: compression === 'lzw' }]),
    );
    list.push(await tiffFile([{ width, height, data, compression, tile: [16, 16] }]));
  }
  list.push(await tiffFile([{ width, height, bits: 16, data: data.map((value) => value * 200) }]));
  list.push(
    await tiffFile([
      { width, height, data },
      { width: 4, height: 4, data: data.slice(0, 16) },
    ]),
  );
  return list;
};

const dicoms = async (): Promise<Bytes[]> => {
  const elements = pictureElements(width, height);
  const pixels = Uint8Array.from(data);
  const plain = [syntaxes.implicit, syntaxes.explicit, syntaxes.deflated].map((syntax) =>
    dicomFile({ syntax, elements, pixels }),
  );
  const jpeg = losslessJpeg(width, height, 1, data);
  return Promise.all([...plain, dicomFile({ syntax: syntaxes.lossless, elements, pixels: [jpeg] })]);
};

const pngs = (): Promise<Bytes[]> =>
  Promise.all(
    ([0, 2, 4, 6] as const).map((colorType) => {
      const samples = { 0: 1, 2: 3, 4: 2, 6: 4 }[colorType];
      const list = Array.from({ length: width * height * samples }, (_, i) => (i * 997) & 0xffff);
      return deepPng({ width, height, data: list, colorType, interlaced: colorType === 2 });
    }),
  );

/** Stacks, animations, Netpbm, and a JPEG without its end: what is read frame by frame. */
const stacks = async (): Promise<Bytes[]> => {
  const text = (value: string) => new TextEncoder().encode(value);
  const page = { width, height, data };
  const rgba = { width, height, data: data.flatMap((value) => [value, value, value, 255]) };
  const frames = [rgba, { ...rgba, x: 0, y: 0, delay: 20, over: true, dispose: 'restore' as const }];
  const several: DicomElement[] = [[0x00280008, 'IS', '2']];
  const lossless = losslessJpeg(width, height, 1, data);
  // A frame of WebP is not looked into here.
  const webp = { width: 12, height: 8, data: [...text('RIFF0000WEBPVP8L'), 8, 0, 0, 0, 0x2f, 11, 0xc0, 1, 0, 0, 0, 0] };
  return [
    Uint8Array.from([...text(`P5 # a comment\n${width} ${height} 255\n`), ...data]),
    Uint8Array.from([...text(`P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH 1\nMAXVAL 255\nENDHDR\n`), ...data]),
    text(`P2 ${width} ${height} 4095 ${data.join(' ')}`) as Bytes,
    gifFile(width, height, data, [page, { ...page, delay: 20, dispose: 'clear' }], 7),
    await apngFile(width, height, { frames }),
    await apngFile(width, height, { still: rgba, chunks: [['eXIf', exifBlock(6)]] }),
    movingWebp(12, 8, [webp, { ...webp, delay: 20 }]),
    await tiffFile([page, { ...page, bits: 16 }, page]),
    await dicomFile({
      elements: pictureElements(width, height, {}, several),
      pixels: Uint8Array.from([...data, ...data]),
    }),
    await dicomFile({
      syntax: syntaxes.lossless,
      elements: pictureElements(width, height, {}, several),
      pixels: [lossless.subarray(0, 60), lossless.subarray(60), lossless],
    }),
    jpegFile(width, height).slice(0, -2),
  ];
};

/** As a browser would decode it, of the size that its header says, and black. */
const blackPicture = async (bytes: Uint8Array): Promise<ImageData> => {
  const { width: w, height: h } = jpegHeader(bytes) ?? sizeOf(bytes) ?? { width: 1, height: 1 };
  return rgbaImage(w, h, new Uint8ClampedArray(4 * w * h));
};

const asStack = async (bytes: Bytes) => {
  const blob = new Blob([bytes]);
  if (!bytes.length) return;
  const header = await readHeader(blob);
  if (!isForReader(header) && !isJpeg(header)) return;
  const { frames } = await readImageFile(blob, header, { decode: blackPicture });
  if (frames > 1) for await (const _ of readPages(blob, header, { decode: blackPicture }));
};

/** The beginning of a recording: some frames as WebM, cut off, and the same as MP4 and QuickTime. */
const recordings = async (root: string): Promise<Bytes[]> => {
  const webm = file(root, 'demo/media/sample.webm').slice(0, 12_000);
  return [webm, ...(await inOtherContainers(webm))];
};

/** What is looked at of pictures that the browser decodes. */
const headers = (): Bytes[] => {
  const text = (value: string) => [...new TextEncoder().encode(value)];
  const webp = [...text('RIFF'), 60, 0, 0, 0, ...text('WEBPVP8X'), 10, 0, 0, 0, 16, 0, 0, 0, 8, 0, 0, 8, 0, 0];
  const part = [...text('ANMF'), 4, 0, 0, 0, 1, 2, 3, 4];
  const bmp = [...text('BM'), ...Array<number>(16).fill(0), 8, 0, 0, 0, 8, 0, 0, 0, 1, 0, 24, 0, 0, 0];
  const small = [avif([[8, 8]]), gif([4, 4], [4, 4], 2), progressiveJpeg(16, 3)];
  return [...small, Uint8Array.from([...webp, ...part, ...part]), Uint8Array.from(bmp)] as Bytes[];
};

/** The tracks of a target in each of the formats. */
const truthTexts = (): Bytes[] =>
  ['1,2,30,40\n2,2,30,40\nNaN,NaN,NaN,NaN\n', '10 20 40 60\n11 20 41 60\n', '1\t2\t30\t40\n3\t4\t30\t41\n'].map(
    (value) => new TextEncoder().encode(value),
  );

const protocolTexts = (): Bytes[] => {
  return Object.values(protocols).map((protocol) => new TextEncoder().encode(JSON.stringify(protocol)));
};

export const targets: Readonly<Record<string, Target>> = {
  tiff: reader({ files: tiffs, read: asImage }),
  dicom: reader({ files: dicoms, read: asImage }),
  png: reader({ files: pngs, read: asImage }),
  stack: reader({ files: stacks, read: asStack }),
  recording: reader({
    files: recordings,
    async read(bytes) {
      for await (const _ of encodedPackets(new Blob([bytes])));
      await missingOf(new Blob([bytes]));
    },
  }),
  cascade: reader({
    files: cascades,
    read: (bytes) => readCascade(bytes),
    repair: repairedModel,
  }),
  landmarks: reader({
    files: landmarks,
    read: (bytes) => readLandmarks(bytes),
    repair: repairedModel,
  }),
  journal: reader({
    files: journals,
    async read(bytes) {
      const stored = await readJournal(function* () {
        yield bytes;
      });
      await stored.recording();
    },
    repair: repairedJournal,
  }),
  header: reader({
    files: headers,
    async read(bytes) {
      if (bytes.length) await checkBlob(new Blob([bytes]));
    },
  }),
  truth: reader({
    files: truthTexts,
    read: (bytes) => readTruth(new TextDecoder().decode(bytes), { width: 100, height: 80 }),
  }),
  protocol: reader({
    files: protocolTexts,
    read: (bytes) => readProtocol(new TextDecoder().decode(bytes)),
  }),
  /** What a target learned, then a frame that is searched with it, under guard zones. */
  objects: async (root) => reader(await objectModels(root))(root),
  calls,
  trackers: trackersTarget,
  /** Runs of the command between which files are renamed, exchanged and changed. */
  identity,
  /** Shows that a fault is found: reads anything but a 0 in its first half. */
  self: reader({
    files: () => [new Uint8Array(1000).fill(9)],
    read(bytes) {
      if (bytes.indexOf(0) >= 0 && bytes.indexOf(0) < 500) throw new TypeError('a 0');
    },
  }),
};
