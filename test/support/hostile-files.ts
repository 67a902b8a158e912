// Files that claim more than they hold, made in tests: what hung, starved or ended a tab before readers had budgets.
import { crc32 } from '../../src/runtime/crc32.ts';
import { ByteWriter, deflated } from './bytes.ts';
import { makeClip, steady } from './clips.ts';
import { dicomFile, losslessJpeg, pictureElements, syntaxes } from './dicom-writer.ts';
import { tiffFile } from './tiff-writer.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Entry = readonly [tag: number, type: number, count: number, value: number];

/** A TIFF of one directory whose entries are as given, with `tail` bytes of 0 behind it. */
function rawTiff(entries: readonly Entry[], { tail = 0, next = 0, big = false } = {}): Bytes {
  const wide = big ? 8 : 4;
  const out = new ByteWriter(true).text('II').number(big ? 43 : 42, 2);
  if (big) out.number(8, 2).number(0, 2);
  out.number(2 * wide, wide).number(entries.length, big ? 8 : 2);
  for (const [tag, type, count, value] of entries)
    out.number(tag, 2).number(type, 2).number(count, wide).number(value, wide);
  return out.number(next, wide).bytes(new Uint8Array(tail)).done();
}

const gray: readonly Entry[] = [
  [256, 4, 1, 1],
  [257, 4, 1, 1],
  [258, 3, 1, 8],
  [259, 3, 1, 1],
  [262, 3, 1, 1],
];
const strip: readonly Entry[] = [
  [273, 4, 1, 8],
  [279, 4, 1, 1],
];
const with_ = (...entries: Entry[]) => [
  ...gray.filter(([tag]) => !entries.some(([other]) => other === tag)),
  ...strip.filter(([tag]) => !entries.some(([other]) => other === tag)),
  ...entries,
];
const tiles = (side: number, further: readonly Entry[] = []) =>
  with_(...further, [322, 4, 1, side], [323, 4, 1, side / 2], [324, 4, 1, 8], [325, 4, 1, 1000]);

/** By name; each is a picture of 1x1 pixels unless its name says other. */
const tiffs: Readonly<Record<string, () => Bytes>> = {
  'a tag twenty thousand times': () =>
    rawTiff(
      Array.from({ length: 20_000 }, () => [273, 4, 25_000, 8] as const),
      { tail: 150_000 },
    ),
  'a tag twice': () => rawTiff(with_([256, 4, 1, 1]).concat([[256, 4, 1, 1]])),
  'a list of a million bits': () => rawTiff(with_([258, 1, 1_000_000, 8]), { tail: 1_000_000 }),
  'a palette of a million colors': () => rawTiff(with_([320, 3, 500_000, 8]), { tail: 1_000_000 }),
  'tables of a million bytes': () => rawTiff(with_([347, 7, 1_000_000, 8]), { tail: 1_000_000 }),
  'places of 250,000 strips': () => rawTiff(with_([273, 4, 250_000, 8], [279, 4, 250_000, 8]), { tail: 1_000_000 }),
  'a list of 2^60 places': () => rawTiff(with_([273, 16, 2 ** 60, 8]), { big: true }),
  'a tile of 16384x8192, deflated': () => rawTiff(tiles(16384, [[259, 3, 1, 8]]), { tail: 1000 }),
  'a tile of 16384x8192 in sixteen samples': () => rawTiff(tiles(16384, [[277, 3, 1, 16]]), { tail: 1000 }),
  'a tile of 16384x8192, LZW': () => rawTiff(tiles(16384, [[259, 3, 1, 5]]), { tail: 1000 }),
  'a tile of no size': () => rawTiff(tiles(0)),
  'a column of 16384 pixels in one tile': () =>
    rawTiff(
      tiles(16384, [
        [257, 4, 1, 16384],
        [258, 3, 1, 16],
        [277, 3, 1, 16],
        [259, 3, 1, 8],
      ]),
      { tail: 1000 },
    ),
  'a directory that names itself': () => rawTiff(with_([254, 4, 1, 1]), { next: 8 }),
  'a picture of no width': () => rawTiff(with_([256, 4, 1, 0])),
  'strips of no rows': () => rawTiff(with_([278, 4, 1, 0])),
  'a JPEG strip that is none': () => rawTiff(with_([259, 3, 1, 7])),
};

/** PNG of 16 bits: `width` x `height`, all 0. */
async function deepPng(width: number, height: number, colorType: 0 | 2 | 6, interlaced = 0): Promise<Bytes> {
  const out = new ByteWriter(false).bytes([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  const chunk = (type: string, content: Uint8Array) => {
    const body = new ByteWriter(false).text(type).bytes(content).done();
    out.number(content.length, 4).bytes(body).number(crc32(body), 4);
  };
  const channels = { 0: 1, 2: 3, 6: 4 }[colorType];
  const header = new ByteWriter(false).number(width, 4).number(height, 4);
  chunk('IHDR', header.bytes([16, colorType, 0, 0, interlaced]).done());
  // Some rows, so that what is refused is refused for what it claims.
  chunk('IDAT', await deflated(new Uint8Array(Math.min(1 << 22, height * (1 + 2 * channels * width)))));
  chunk('IEND', new Uint8Array(0));
  return out.done();
}

/** Bytes of a JPEG with a marker's part changed or put in. */
function changedJpeg(change: (jpeg: number[]) => void): Bytes {
  const jpeg = [...losslessJpeg(4, 4, 1, new Array<number>(16).fill(7))];
  change(jpeg);
  return Uint8Array.from(jpeg);
}

const lossless = (jpeg: Bytes) =>
  dicomFile({ syntax: syntaxes.lossless, elements: pictureElements(4, 4), pixels: [jpeg] });

const zeros = (bytes: number) => new Uint8Array(bytes);
const plainDicom = () => dicomFile({ elements: pictureElements(4, 4), pixels: zeros(16) });

/** The same data set deflated, with `bytes` zeros in the pixels or in an element of its own before them. */
async function grown(plain: Bytes, bytes: number, tag = 0x7fe00010): Promise<Bytes> {
  const { buffer } = await dicomFile({ syntax: syntaxes.deflated, elements: [] });
  const metaEnd = (file: ArrayBuffer) => 144 + new DataView(file).getUint32(140, true);
  const own = placeOf(plain, '\xe0\x7f\x10\x00');
  const head = plain.slice(metaEnd(plain.buffer), own);
  const element = new ByteWriter()
    .number(tag >>> 16, 2)
    .number(tag & 0xffff, 2)
    .text('OB')
    .number(0, 2)
    .number(bytes, 4);
  const packed = await deflated(concat(head, element.done(), zeros(bytes), plain.slice(own)), 'deflate-raw');
  return concat(new Uint8Array(buffer, 0, metaEnd(buffer)), packed);
}

function concat(...parts: Uint8Array[]): Bytes {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A sequence in a sequence in a sequence, each of undefined length, before the pixels. */
async function deep(levels: number): Promise<Bytes> {
  const plain = await plainDicom();
  const own = placeOf(plain, '\xe0\x7f\x10\x00');
  const open = [
    0x40, 0, 0x75, 2, 0x53, 0x51, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xff, 0, 0xe0, 0xff, 0xff, 0xff, 0xff,
  ];
  const levelBytes = Uint8Array.from({ length: levels * open.length }, (_, i) => open[i % open.length]!);
  return concat(plain.slice(0, own), levelBytes, plain.slice(own));
}

export async function hostileImages(): Promise<[name: string, file: Bytes][]> {
  const sized = async (width: number, height: number) =>
    dicomFile({ elements: pictureElements(width, height), pixels: zeros(100) });
  return [
    ...Object.entries(tiffs).map(([name, make]): [string, Bytes] => [`TIFF: ${name}`, make()]),
    ['TIFF: 4 MB of one page of 16384x8192, cut off', (await cutOff()).slice(0, 100)],
    ['PNG: 16384x8192 in color', await deepPng(16384, 8192, 6)],
    ['PNG: 16384x8192, most of it missing', await deepPng(16384, 8192, 0)],
    ['PNG: no width', await deepPng(0, 8, 0)],
    ['PNG: 6000x6000 in color, interlaced, most of it missing', await deepPng(6000, 6000, 2, 1)],
    ['DICOM: 4x4 pixels that grow to 64 MB', await grown(await plainDicom(), 1 << 26)],
    ['DICOM: 64 MB before the pixels', await grown(await plainDicom(), 1 << 26, 0x00091010)],
    ['DICOM: 16000x8000, native, cut off', await sized(16000, 8000)],
    ['DICOM: no rows', await sized(4, 0)],
    ['DICOM: sequences forty deep', await deep(40)],
    ['DICOM: a JPEG part of length 0', await lossless(changedJpeg((jpeg) => jpeg.splice(2, 0, 0xff, 0xe1, 0, 0)))],
    [
      'DICOM: a second size in the JPEG',
      await lossless(
        changedJpeg((jpeg) => {
          const second = [...jpeg.slice(2, 15)];
          second.splice(5, 4, 0x75, 0x30, 0x75, 0x30);
          jpeg.splice(15, 0, ...second);
        }),
      ),
    ],
    ['DICOM: a JPEG without tables', await lossless(changedJpeg((jpeg) => jpeg.splice(15, 38)))],
  ];
}

const cutOff = () => tiffFile([{ width: 16, height: 16, data: new Array<number>(256).fill(1) }]);

/** Where these bytes stand last: an index may name them before. */
const placeOf = (bytes: Bytes, text: string) => {
  const codes = [...text].map((letter) => letter.charCodeAt(0));
  for (let i = bytes.length - codes.length; i >= 0; i--) if (codes.every((code, k) => bytes[i + k] === code)) return i;
  throw new Error(`there is no ${text}`);
};

/** An MP4 with the number `at` bytes behind a box's name changed. */
function boxed(bytes: Bytes, box: string, at: number, value: number): Bytes {
  const copy = bytes.slice();
  new DataView(copy.buffer).setUint32(placeOf(copy, box) + at, value);
  return copy;
}

export async function hostileRecordings(): Promise<[name: string, file: Bytes][]> {
  const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());
  const mp4 = await bytesOf(await makeClip({ times: steady(12), format: 'mp4' }));
  const webm = await bytesOf(await makeClip({ times: steady(12) }));
  // A segment of unknown length, as MediaRecorder writes, without an index and with zeros behind it.
  const segment = placeOf(webm, '\x18\x53\x80\x67') + 4;
  const inside = webm.slice(segment + Math.clz32(webm[segment]!) - 23, placeOf(webm, '\x1c\x53\xbb\x6b'));
  const unknown = [1, 255, 255, 255, 255, 255, 255, 255];
  const live = concat(webm.slice(0, segment), Uint8Array.from(unknown), inside, zeros(100));
  const huge = 0xffffffff;
  return [
    ['MP4: 2^32 - 1 entries of times', boxed(mp4, 'stts', 8, huge)],
    ['MP4: 2^32 - 1 samples of one duration', boxed(mp4, 'stts', 12, huge)],
    ['MP4: 2^32 - 1 sizes', boxed(mp4, 'stsz', 12, huge)],
    ['MP4: 2^32 - 1 samples of one size', boxed(boxed(mp4, 'stsz', 8, 1), 'stsz', 12, huge)],
    ['MP4: 2^32 - 1 chunks', boxed(mp4, 'stco', 8, huge)],
    ['MP4: 2^32 - 1 samples in a chunk', boxed(mp4, 'stsc', 16, huge)],
    ['MP4: no samples in a chunk', boxed(mp4, 'stsc', 16, 0)],
    ['MP4: 2^32 - 1 key frames', boxed(mp4, 'stss', 8, huge)],
    ['MP4: 2^32 - 1 descriptions', boxed(mp4, 'stsd', 8, huge)],
    ['MP4: an index of 4 GB', boxed(mp4, 'moov', -4, huge)],
    ['MP4: a picture of no size', boxed(mp4, 'vp09', 28, 0)],
    ['MP4: no time scale', boxed(mp4, 'mdhd', 16, 0)],
    ['WebM: zeros behind a segment of unknown length', live],
    ['WebM: an element that is larger than the file', changed(webm, placeOf(webm, '\x16\x54\xae\x6b') + 4, 0x08)],
    ['WebM: a cluster without a size', changed(webm, placeOf(webm, '\x1f\x43\xb6\x75') + 4, 0)],
    ['WebM: half of it', webm.slice(0, webm.length >> 1)],
  ];
}

function changed(bytes: Bytes, at: number, value: number): Bytes {
  const copy = bytes.slice();
  copy[at] = value;
  return copy;
}
