// Files that claim more than they hold, made in tests: what hung, starved or ended a tab before readers had budgets.
import { crc32 } from '../../src/runtime/crc32.ts';
import { ByteWriter, deflated } from './bytes.ts';
import { makeClip, steady } from './clips.ts';
import { dicomFile, losslessJpeg, pictureElements, syntaxes } from './dicom-writer.ts';
import { tiffFile } from './tiff-writer.ts';

export type Bytes = Uint8Array<ArrayBuffer>;
type Entry = readonly [tag: number, type: number, count: number, value: number];

/** A TIFF of one directory whose entries are as given, with `tail` bytes of 0 behind it. */
export function rawTiff(entries: readonly Entry[], { tail = 0, next = 0, big = false } = {}): Bytes {
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
export const with_ = (...entries: Entry[]) => [
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

export const zeros = (bytes: number) => new Uint8Array(bytes);
export const plainDicom = () => dicomFile({ elements: pictureElements(4, 4), pixels: zeros(16) });

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

export function concat(...parts: ArrayLike<number>[]): Bytes {
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

/** A deflate stream of stored blocks in which there is nothing. */
function emptyBlocks(bytes: number): Bytes {
  const out = new Uint8Array(bytes);
  out.set([0x78, 0x9c]);
  for (let at = 2; at + 5 <= bytes; at += 5) out.set([0, 0, 0, 255, 255], at);
  return out;
}

export function repeated(bytes: ArrayLike<number>, times: number): Bytes {
  const out = new Uint8Array(bytes.length * times);
  for (let i = 0; i < times; i++) out.set(bytes, i * bytes.length);
  return out;
}

/** A progressive JPEG of one component; each further scan says in some bytes that there is nothing in any of its blocks. */
export function progressiveJpeg(side: number, scans: number): Bytes {
  const out = new ByteWriter(false).bytes([0xff, 0xd8, 0xff, 0xdb, 0, 67, 0]).bytes(new Array<number>(64).fill(1));
  out.bytes([0xff, 0xc2, 0, 11, 8]).number(side, 2).number(side, 2).bytes([1, 1, 0x11, 0]);
  const oneCode = (table: number, symbol: number) => [0xff, 0xc4, 0, 20, table, 1, ...zeros(15), symbol];
  out.bytes(oneCode(0, 0)).bytes(oneCode(0x10, 0xe0));
  const blocks = Math.ceil(side / 8) ** 2;
  const first = concat([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0], zeros(Math.ceil(blocks / 8)));
  // Each code with its fourteen bits ends the band of 32,767 blocks.
  const bits = '011111111111111'.repeat(Math.ceil(blocks / 32767));
  const codes = (bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? []).map((byte) =>
    parseInt(byte, 2),
  );
  const next = [0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0, ...codes.flatMap((byte) => (byte === 255 ? [byte, 0] : [byte]))];
  return concat(out.done(), first, repeated(next, scans), [0xff, 0xd9]);
}

/** 4096 rows in one deflated strip, each row of its own; the strip becomes 1 MiB. */
async function oneBombForAll(): Promise<Bytes> {
  const rows = 4096;
  const strip = await deflated(zeros(1 << 20));
  const word = (value: number) => new ByteWriter().number(value, 4).done();
  const file = (lists: number) =>
    concat(
      rawTiff(
        with_(
          [257, 4, 1, rows],
          [278, 4, 1, 1],
          [259, 3, 1, 8],
          [273, 4, rows, lists],
          [279, 4, rows, lists + 4 * rows],
        ),
      ),
      repeated(word(lists + 8 * rows), rows),
      repeated(word(strip.length), rows),
      strip,
    );
  return file(file(0).length - 8 * rows - strip.length);
}

/** Two directories, each of which names the other as the next one. */
function twoThatLoop(): Bytes {
  const one = rawTiff(with_());
  return concat(rawTiff(with_(), { next: one.length }), rawTiff(with_(), { next: 8 }).slice(8));
}

/** A strip of a picture of 16x16 pixels. */
export const oneStrip = (compression: number, strip: Bytes): Bytes => {
  const entries = (at: number) =>
    with_(
      [256, 4, 1, 16],
      [257, 4, 1, 16],
      [278, 4, 1, 16],
      [259, 3, 1, compression],
      [273, 4, 1, at],
      [279, 4, 1, strip.length],
    );
  return concat(rawTiff(entries(rawTiff(entries(0)).length)), strip);
};

/** RLE of one frame: what its header claims, and the bytes behind it. */
const runLength = (header: readonly number[], body: Uint8Array) => {
  const out = new ByteWriter();
  for (let i = 0; i < 16; i++) out.number(header[i] ?? 0, 4);
  return dicomFile({
    syntax: syntaxes.runLength,
    elements: pictureElements(4, 4),
    pixels: [concat(out.done(), body)],
  });
};

/** A PNG of 4x4 pixels of 16 bits, with parts between its header and its end. */
export async function pngWith(
  ...parts: (readonly [type: string, content: Uint8Array, length?: number])[]
): Promise<Bytes> {
  const chunk = (type: string, content: Uint8Array, length = content.length) => {
    const body = concat(new TextEncoder().encode(type), content);
    return concat(
      new ByteWriter(false).number(length, 4).done(),
      body,
      new ByteWriter(false).number(crc32(body), 4).done(),
    );
  };
  const header = new ByteWriter(false).number(4, 4).number(4, 4).bytes([16, 0, 0, 0, 0]).done();
  const data = await deflated(zeros(36));
  return concat(
    [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10],
    chunk('IHDR', header),
    ...parts.map((part) => chunk(...part)),
    chunk('IDAT', data),
    chunk('IEND', zeros(0)),
  );
}

/** Further ones, made after what others found in readers like these. */
async function furtherImages(): Promise<[name: string, file: Bytes][]> {
  const plain = await plainDicom();
  const own = placeOf(plain, '\xe0\x7f\x10\x00');
  const items = concat(
    [0x40, 0, 0x75, 2, 0x53, 0x51, 0, 0, 0xff, 0xff, 0xff, 0xff],
    repeated([0xfe, 0xff, 0, 0xe0, 0, 0, 0, 0], 30_000),
  );
  const nothing = new Uint8Array(1 << 20).fill(128);
  return [
    ['TIFF: two directories that loop', twoThatLoop()],
    ['TIFF: a strip behind the end', rawTiff(with_([273, 4, 1, 0xfffffff0], [279, 4, 1, 0xffffffff]))],
    ['TIFF: 65535 entries in 100 bytes', changed(changed(rawTiff(with_()), 8, 255), 9, 255)],
    ['TIFF: 65535 samples side by side', rawTiff(with_([277, 3, 1, 65535], [284, 3, 1, 2]))],
    ['TIFF: deflated blocks of nothing', oneStrip(8, emptyBlocks(1 << 20))],
    ['TIFF: one bomb in 4096 strips', await oneBombForAll()],
    ['TIFF: PackBits of nothing', oneStrip(32773, nothing)],
    ['PNG: a part of 2^32 - 1 bytes', await pngWith(['tEXt', zeros(10), 0xffffffff])],
    ['PNG: a profile that grows to 16 MB', await pngWith(['iCCP', concat([97, 0, 0], await deflated(zeros(1 << 24)))])],
    ['PNG: 16 MB for 4x4 pixels', await pngWith(['IDAT', await deflated(zeros(1 << 24))])],
    ['PNG: blocks of nothing', await pngWith(['IDAT', emptyBlocks(1 << 20)])],
    ['DICOM: 30,000 empty items', concat(plain.slice(0, own), items, plain.slice(own))],
    ['DICOM: RLE whose parts are one', await runLength([15, ...new Array<number>(15).fill(64)], zeros(100))],
    ['DICOM: RLE behind the end', await runLength([1, 0xfffffff0], zeros(100))],
    ['DICOM: RLE of nothing', await runLength([1, 64], nothing)],
    [
      'DICOM: a thousand tables of codes in the JPEG',
      await lossless(
        changedJpeg((jpeg) => {
          const at = jpeg.findIndex((byte, i) => byte === 255 && jpeg[i + 1] === 0xc4);
          jpeg.splice(at, 0, ...repeated(jpeg.slice(at, at + 38), 1000));
        }),
      ),
    ],
    ['JPEG: twenty thousand scans of 6000x6000', progressiveJpeg(6000, 20_000)],
    ['JPEG: half of it', progressiveJpeg(64, 3).slice(0, 100)],
  ];
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
    ...(await furtherImages()),
  ];
}

const cutOff = () => tiffFile([{ width: 16, height: 16, data: new Array<number>(256).fill(1) }]);

/** Where these bytes stand last: an index may name them before. */
export const placeOf = (bytes: Bytes, text: string) => {
  const codes = [...text].map((letter) => letter.charCodeAt(0));
  for (let i = bytes.length - codes.length; i >= 0; i--) if (codes.every((code, k) => bytes[i + k] === code)) return i;
  throw new Error(`there is no ${text}`);
};

/** An MP4 with the number `at` bytes behind a box's name changed. */
export function boxed(bytes: Bytes, box: string, at: number, value: number): Bytes {
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
    ...furtherRecordings(mp4, webm),
  ];
}

function furtherRecordings(mp4: Bytes, webm: Bytes): [name: string, file: Bytes][] {
  const unknown = [1, 255, 255, 255, 255, 255, 255, 255];
  const head = webm.slice(0, placeOf(webm.slice(0, 2000), '\x1f\x43\xb6\x75'));
  const cluster = (body: ArrayLike<number>) => concat(head, [0x1f, 0x43, 0xb6, 0x75], unknown, [0xe7, 0x81, 0], body);
  const block = (flags: number, body: readonly number[]) => [0xa3, 0x84 + body.length, 0x81, 0, 0, flags, ...body];
  const laced = (flags: number, fill: number) =>
    repeated(block(flags, [255, ...new Array<number>(60).fill(fill)]), 2_000);
  const moov = placeOf(mp4, 'moov') - 4;
  const free = repeated([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65], 50_000);
  const wide = new ByteWriter(false).number(1, 4).text('free').number(1, 8).done();
  return [
    ['WebM: 512,000 frames in the lacing of 2,000 blocks', cluster(laced(0x84, 0))],
    ['WebM: the same in sizes of their own', cluster(laced(0x82, 0))],
    [
      'WebM: lacing that is larger than its block',
      cluster(block(0x86, [4, 1, 255, 255, 255, 255, 255, 255, 254, 1, 0, 0])),
    ],
    ['WebM: 70,000 blocks in a cluster', cluster(repeated(block(0x80, []), 70_000))],
    ['WebM: clusters in clusters', concat(head, repeated([0x1f, 0x43, 0xb6, 0x75, ...unknown], 20_000))],
    ['WebM: an element of 2^56 - 2 bytes', cluster([0xa3, 1, 255, 255, 255, 255, 255, 255, 254, 0, 0, 0])],
    ['MP4: 50,000 boxes of nothing', concat(mp4.slice(0, moov), free, mp4.slice(moov))],
    ['MP4: a box that ends before it begins', concat(mp4.slice(0, moov), wide, mp4.slice(moov))],
  ];
}

function changed(bytes: Bytes, at: number, value: number): Bytes {
  const copy = bytes.slice();
  copy[at] = value;
  return copy;
}
