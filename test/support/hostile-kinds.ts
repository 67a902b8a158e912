// Further files that claim more than they hold: of the kinds that the browser decodes, and of ours in other manners.
import { ByteWriter, deflated } from './bytes.ts';
import { makeClip, steady } from './clips.ts';
import { dicomFile, pictureElements, syntaxes } from './dicom-writer.ts';
import {
  boxed,
  concat,
  oneStrip,
  placeOf,
  plainDicom,
  pngWith,
  rawTiff,
  repeated,
  with_,
  zeros,
  type Bytes,
} from './hostile-files.ts';
import { crc32 } from '../../src/runtime/crc32.ts';

type Files = [name: string, file: Bytes][];

const big = () => new ByteWriter(false);
const text = (value: string): Bytes => new TextEncoder().encode(value);

/** A box of ISO media: its size, its name, what it holds. */
const box = (name: string, ...content: ArrayLike<number>[]): Bytes => {
  const body = concat(...content);
  return concat(
    big()
      .number(body.length + 8, 4)
      .text(name)
      .done(),
    body,
  );
};

/** AVIF and HEIC: a picture of these sizes as its properties say, without any. */
export function avif(
  sizes: readonly (readonly [number, number])[],
  brand = 'avif',
  before: ArrayLike<number> = [],
): Bytes {
  const size = ([width, height]: readonly [number, number]) =>
    box('ispe', zeros(4), big().number(width, 4).number(height, 4).done());
  const meta = box('meta', zeros(4), before, box('iprp', box('ipco', ...sizes.map(size))));
  return concat(box('ftyp', big().text(brand).number(0, 4).text('mif1').done()), meta, box('mdat', zeros(100)));
}

/** A GIF of so many frames of a size, each of one code that ends it, on a screen of another size. */
export function gif(screen: readonly [number, number], frame: readonly [number, number], frames = 1): Bytes {
  const head = new ByteWriter().text('GIF89a').number(screen[0], 2).number(screen[1], 2).bytes([0x80, 0, 0]);
  head.bytes([0, 0, 0, 255, 255, 255]);
  const loop = [0x21, 0xff, 11, ...text('NETSCAPE2.0'), 3, 1, 0, 0, 0];
  const one = new ByteWriter().bytes([0x21, 0xf9, 4, 4, 2, 0, 0, 0, 0x2c]).number(0, 4);
  one.number(frame[0], 2).number(frame[1], 2).bytes([0, 2, 2, 0x4c, 0x01, 0]);
  return concat(head.done(), frames > 1 ? loop : [], repeated(one.done(), frames), [0x3b]);
}

/** WebP with a canvas of its own and so many frames, or one picture, of a lossless header. */
function webp(canvas: number, picture: number, frames = 0): Bytes {
  const part = (name: string, ...content: ArrayLike<number>[]) => {
    const body = concat(...content);
    return concat(new ByteWriter().text(name).number(body.length, 4).done(), body, zeros(body.length % 2));
  };
  const lossless = part('VP8L', [0x2f], new ByteWriter().number((picture - 1) * (1 + 2 ** 14), 4).done(), zeros(5));
  const header = part(
    'VP8X',
    [frames ? 2 : 0, 0, 0, 0],
    new ByteWriter()
      .number(canvas - 1, 3)
      .number(canvas - 1, 3)
      .done(),
  );
  const frame = part(
    'ANMF',
    zeros(6),
    new ByteWriter()
      .number(picture - 1, 3)
      .number(picture - 1, 3)
      .done(),
    zeros(4),
    lossless,
  );
  const body = concat(
    text('WEBP'),
    header,
    frames ? concat(part('ANIM', zeros(6)), repeated(frame, frames)) : lossless,
  );
  return concat(new ByteWriter().text('RIFF').number(body.length, 4).done(), body);
}

/** BMP of 8 bits in run lengths that end at once; `core`: with the short header of OS/2, of 24 bits. */
export function bmp(width: number, height: number, core = false): Bytes {
  const out = new ByteWriter().text('BM').number(0, 4).number(0, 4);
  if (core)
    return concat(
      out.number(26, 4).number(12, 4).number(width, 2).number(height, 2).number(1, 2).number(24, 2).done(),
      zeros(Math.min(1000, 4 * width * height)),
    );
  out
    .number(54 + 1024, 4)
    .number(40, 4)
    .number(width, 4)
    .number(height, 4)
    .number(1, 2)
    .number(8, 2)
    .number(1, 4);
  return concat(out.number(0, 4).number(0, 4).number(0, 4).number(256, 4).number(0, 4).done(), zeros(1024), [0, 1]);
}

/** A baseline JPEG of a size, whose picture is missing, behind so many comments of 64 KB. */
export function jpeg(width: number, height: number, comments = 0): Bytes {
  const comment = concat([0xff, 0xfe, 0xff, 0xff], zeros(65533));
  const table = [0xff, 0xdb, 0, 67, 0, ...new Array<number>(64).fill(1)];
  const frame = big().bytes([0xff, 0xc0, 0, 11, 8]).number(height, 2).number(width, 2).bytes([1, 1, 0x11, 0]).done();
  const codes = (which: number) => [0xff, 0xc4, 0, 20, which, 1, ...zeros(15), 0];
  const scan = [...codes(0), ...codes(0x10), 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0];
  return concat([0xff, 0xd8], repeated(comment, comments), table, frame, scan, [0xff, 0xd9]);
}

const chunk = (type: string, content: Uint8Array) => {
  const body = concat(text(type), content);
  return concat(big().number(content.length, 4).done(), body, big().number(crc32(body), 4).done());
};

/** A PNG of 8 bits and one pixel, with parts before its picture. */
async function smallPng(...parts: (readonly [type: string, content: Uint8Array])[]): Promise<Bytes> {
  const header = big().number(1, 4).number(1, 4).bytes([8, 0, 0, 0, 0]).done();
  return concat(
    [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10],
    chunk('IHDR', header),
    ...parts.map(([type, content]) => chunk(type, content)),
    chunk('IDAT', await deflated(zeros(2))),
    chunk('IEND', zeros(0)),
  );
}

const svg = (body: string) => text(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${body}</svg>`);
/** Each group shows the one before ten times. */
const laughs = (levels: number) =>
  `<defs><g id="g0"><rect width="1" height="1"/></g>${Array.from(
    { length: levels },
    (_, i) => `<g id="g${i + 1}">${`<use href="#g${i}"/>`.repeat(10)}</g>`,
  ).join('')}</defs><use href="#g${levels}"/>`;

/** An icon whose directory says one pixel and whose PNG says more. */
function icon(entries: number, png: Bytes): Bytes {
  const out = new ByteWriter().number(0, 2).number(1, 2).number(entries, 2);
  const one = new ByteWriter()
    .bytes([1, 1, 0, 0])
    .number(1, 2)
    .number(32, 2)
    .number(png.length, 4)
    .number(6 + 16 * entries, 4);
  return concat(out.done(), repeated(one.done(), entries), png);
}

/** Of the kinds that are left to the browser. */
export async function hostilePictures(): Promise<Files> {
  const profile = async (bytes: number) => concat([97, 0, 0], await deflated(zeros(bytes)));
  const huge = concat(
    [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10],
    chunk('IHDR', big().number(16384, 4).number(8192, 4).bytes([8, 0, 0, 0, 0]).done()),
    chunk('IDAT', await deflated(zeros(1 << 20))),
    chunk('IEND', zeros(0)),
  );
  const manyTexts = async () => {
    const one = ['zTXt', concat([97, 0, 0], await deflated(zeros(1 << 23)))] as const;
    return smallPng(...Array.from({ length: 64 }, () => one));
  };
  /** One pixel, moving. */
  const frames = async (count: number) => {
    const control = (number: number) =>
      chunk('fcTL', concat(big().number(number, 4).number(1, 4).number(1, 4).number(0, 8).done(), [0, 1, 0, 1, 0, 0]));
    const data = await deflated(zeros(2));
    const more = Array.from({ length: count - 1 }, (_, i) =>
      concat(
        control(2 * i + 1),
        chunk(
          'fdAT',
          concat(
            big()
              .number(2 * i + 2, 4)
              .done(),
            data,
          ),
        ),
      ),
    );
    const first = await smallPng(
      ['acTL', big().number(count, 4).number(0, 4).done()],
      ['fcTL', control(0).slice(8, -4)],
    );
    return concat(first.slice(0, -12), ...more, first.slice(-12));
  };
  return [
    ['AVIF: 65536x65536', avif([[65536, 65536]])],
    ['AVIF: HEIC of 30000x30000', avif([[30000, 30000]], 'heic')],
    [
      'AVIF: ten thousand sizes, the last large',
      avif([...Array.from({ length: 10_000 }, () => [8, 8] as const), [60000, 60000]]),
    ],
    [
      'AVIF: a box that ends before it begins',
      avif([[8, 8]], 'avif', [0, 0, 0, 1, 0x66, 0x72, 0x65, 0x65, 0, 0, 0, 0, 0, 0, 0, 1]),
    ],
    [
      'AVIF: boxes in boxes',
      concat(avif([]).slice(0, 24), repeated([0, 0, 255, 255, ...text('meta'), 0, 0, 0, 0], 20_000)),
    ],
    ['GIF: a frame of 65535x65535 on a screen of one pixel', gif([1, 1], [65535, 65535])],
    ['GIF: 65535 frames of one pixel', gif([1, 1], [1, 1], 65535)],
    ['GIF: ten thousand frames of 5000x5000', gif([5000, 5000], [5000, 5000], 10_000)],
    ['GIF: 2 MB of extensions', concat(gif([1, 1], [1, 1]).slice(0, 19), repeated([0x21, 0xfe, 1, 65, 0], 400_000))],
    ['WebP: a canvas of 16777216x16777216', webp(1 << 24, 1)],
    ['WebP: a picture of 16384x16384 on a canvas of one pixel', webp(1, 16384)],
    ['WebP: 65535 frames of one pixel', webp(1, 1, 65535)],
    ['BMP: 65500x65500 in 1 KB', bmp(65500, 65500)],
    ['BMP: 6000x6000 in 1 KB', bmp(6000, 6000)],
    ['BMP: two thousand million rows', bmp(1, 2 ** 31 - 1)],
    ['BMP: an OS/2 bitmap of 65535x65535', bmp(65535, 65535, true)],
    ['JPEG: 65500x65500', jpeg(65500, 65500)],
    ['JPEG: 20000x13000 behind 300 KB of comments', jpeg(20000, 13000, 5)],
    ['JPEG: 6000x6000 without a picture', jpeg(6000, 6000)],
    ['JPEG: no height', jpeg(100, 0)],
    ['PNG: 8 bits of 16384x8192', huge],
    ['PNG: 8 bits with a profile that grows to 256 MB', await smallPng(['iCCP', await profile(1 << 28)])],
    ['PNG: 8 bits with 64 texts that grow to 8 MB', await manyTexts()],
    ['PNG: 8 bits in 65535 frames', await frames(65535)],
    ['PNG: 16 bits with a text of 64 MB', await pngWith(['zTXt', await profile(1 << 26)])],
    ['SVG: ten thousand million rectangles', svg(laughs(10))],
    ['SVG: a hundred thousand groups in groups', svg('<g>'.repeat(100_000) + '</g>'.repeat(100_000))],
    [
      'SVG: entities that grow',
      text(
        `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a0 "ha">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&a9;</text></svg>`,
      ),
    ],
    [
      'SVG: a million pixels a side',
      text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="1000000" height="1000000"><rect width="9" height="9"/></svg>',
      ),
    ],
    ['ICO: 16384x8192 in an icon of one pixel', icon(1, huge)],
    ['ICO: 65535 icons', icon(65535, await smallPng())],
  ];
}

/** A sequence in a sequence, of undefined length and closed, before the pixels. */
async function closedSequences(levels: number): Promise<Bytes> {
  const plain = await plainDicom();
  const own = placeOf(plain, '\xe0\x7f\x10\x00');
  const undefinedLength = [255, 255, 255, 255];
  const open = [0x40, 0, 0x75, 2, 0x53, 0x51, 0, 0, ...undefinedLength, 0xfe, 0xff, 0, 0xe0, ...undefinedLength];
  const close = [0xfe, 0xff, 0x0d, 0xe0, 0, 0, 0, 0, 0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0];
  return concat(plain.slice(0, own), repeated(open, levels), repeated(close, levels), plain.slice(own));
}

/** Of the kinds that are read here. */
export async function hostileScans(): Promise<Files> {
  const scan = (further: Parameters<typeof pictureElements>[3], bits = 8, pixels: Uint8Array = zeros(16)) =>
    dicomFile({ elements: pictureElements(4, 4, { bits }, further), pixels });
  const page = rawTiff(with_());
  const chain = (pages: number) => {
    const one = (next: number) => rawTiff(with_(), { next }).slice(8);
    const length = one(0).length;
    const tail = Array.from({ length: pages }, (_, i) => one(i === pages - 1 ? 0 : 8 + (i + 1) * length));
    return concat(page.slice(0, 8), ...tail);
  };
  const fragments = concat(repeated([0xfe, 0xff, 0, 0xe0, 0, 0, 0, 0], 100_000));
  const jpegDicom = await dicomFile({ syntax: syntaxes.baseline, elements: pictureElements(4, 4), pixels: [zeros(8)] });
  const inside = placeOf(jpegDicom, '\xfe\xff\xdd\xe0');
  const garbage = Uint8Array.from({ length: 1 << 20 }, (_, i) => (i * 2654435761) >>> 24);
  return [
    ['TIFF: directories below that name the one above', rawTiff(with_([330, 4, 1, 8]))],
    ['TIFF: a million directories below', rawTiff(with_([330, 4, 1_000_000, 8]), { tail: 4_000_000 })],
    [
      'TIFF: BigTIFF whose directory lies at 2^63',
      concat(rawTiff([], { big: true }).slice(0, 8), [0, 0, 0, 0, 0, 0, 0, 128], zeros(64)),
    ],
    [
      'TIFF: a tile of 2^31 columns',
      rawTiff(with_([322, 4, 1, 2 ** 31], [323, 4, 1, 2 ** 31], [324, 4, 1, 8], [325, 4, 1, 9])),
    ],
    ['TIFF: strips of 2^32 - 1 rows', rawTiff(with_([278, 4, 1, 2 ** 32 - 1]))],
    ['TIFF: a JPEG of 65500x65500 in a strip', oneStrip(7, jpeg(65500, 65500))],
    [
      'TIFF: LZW that only clears',
      oneStrip(5, repeated([0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01, 0x00], 60_000)),
    ],
    ['TIFF: 20,000 pages', chain(20_000)],
    ['TIFF: samples of 65535 bits', rawTiff(with_([258, 3, 1, 65535]))],
    ['TIFF: YCbCr whose colors are 0 apart', rawTiff(with_([262, 3, 1, 6], [277, 3, 1, 3], [530, 3, 2, 0]))],
    ['DICOM: a thousand sequences in each other, closed', await closedSequences(1000)],
    ['DICOM: ten sequences in each other, closed', await closedSequences(10)],
    ['DICOM: two thousand million frames', await scan([[0x00280008, 'IS', '2147483647']])],
    ['DICOM: one bit a sample', await scan([], 1)],
    ['DICOM: 64 bits a sample', await scan([], 64, zeros(128))],
    [
      'DICOM: a window of a megabyte',
      await scan([
        [0x00281050, 'UT', '1\\'.repeat(500_000)],
        [0x00281051, 'UT', '0\\'.repeat(500_000)],
      ]),
    ],
    ['DICOM: pixels of 1e308 millimetres', await scan([[0x00280030, 'DS', '1e308\\1e-308']])],
    ['DICOM: 100,000 empty fragments', concat(jpegDicom.slice(0, inside), fragments, jpegDicom.slice(inside))],
    [
      'DICOM: deflated, and a megabyte of nonsense',
      concat((await dicomFile({ syntax: syntaxes.deflated, elements: [] })).slice(0, 300), garbage),
    ],
    [
      'DICOM: a JPEG of 65500x65500',
      await dicomFile({ syntax: syntaxes.baseline, elements: pictureElements(4, 4), pixels: [jpeg(65500, 65500)] }),
    ],
  ];
}

/** Matroska: an element of known length. */
const element = (id: readonly number[], ...content: ArrayLike<number>[]): Bytes => {
  const body = concat(...content);
  return concat(id, big().number(1, 1).number(body.length, 7).done(), body);
};
const unknownLength = [1, 255, 255, 255, 255, 255, 255, 255];

export async function hostileFilms(): Promise<Files> {
  const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());
  const mp4 = await bytesOf(await makeClip({ times: steady(12), format: 'mp4' }));
  const webm = await bytesOf(await makeClip({ times: steady(12) }));
  const moov = placeOf(mp4, 'moov') - 4;
  const inMoov = (...boxes: Bytes[]) => {
    const more = concat(...boxes);
    const out = concat(mp4.slice(0, moov + 8), more, mp4.slice(moov + 8));
    new DataView(out.buffer).setUint32(moov, new DataView(mp4.buffer).getUint32(moov) + more.length);
    return out;
  };
  const inTrak = (more: Bytes) => {
    const trak = placeOf(mp4, 'trak') - 4;
    const out = concat(mp4.slice(0, trak + 8), more, mp4.slice(trak + 8));
    const view = new DataView(out.buffer);
    view.setUint32(moov, view.getUint32(moov) + more.length);
    view.setUint32(trak, view.getUint32(trak) + more.length);
    return out;
  };
  const edits = (count: number, entry: readonly number[], entries: number) =>
    box('edts', box('elst', big().number(0, 4).number(count, 4).done(), repeated(entry, entries)));
  const edit = [0, 0, 0, 1, 255, 255, 255, 254, 0, 1, 0, 0];
  const nested = (name: string, levels: number, length: number) =>
    concat(
      ...Array.from({ length: levels }, (_, i) =>
        big()
          .number(length - 8 * i, 4)
          .text(name)
          .done(),
      ),
    );
  const deep = nested('trak', 20_000, 160_000);
  const segment = placeOf(webm, '\x18\x53\x80\x67') + 4;
  const inside = segment + Math.clz32(webm[segment]!) - 23;
  const withIndex = (...parts: Bytes[]) => concat(webm.slice(0, segment), unknownLength, ...parts, webm.slice(inside));
  const seek = (id: readonly number[], at: number) =>
    element([0x4d, 0xbb], element([0x53, 0xab], id), element([0x53, 0xac], big().number(at, 8).done()));
  const cue = (at: number) =>
    element(
      [0xbb],
      element([0xb3], [1]),
      element([0xb7], element([0xf7], [1]), element([0xf1], big().number(at, 8).done())),
    );
  const tags = repeated([0x67, 0xc8, ...unknownLength], 20_000);
  const cluster = [0x1f, 0x43, 0xb6, 0x75];
  const head = webm.slice(0, placeOf(webm.slice(0, 2000), '\x1f\x43\xb6\x75'));
  return [
    ['MP4: 2^32 - 1 edits', inTrak(edits(2 ** 32 - 1, edit, 1))],
    ['MP4: 100,000 edits before the beginning', inTrak(edits(100_000, edit, 100_000))],
    ['MP4: an edit of rate 0', inTrak(edits(1, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], 1))],
    [
      'MP4: 2^32 - 1 offsets of times',
      inTrak(
        box(
          'ctts',
          big()
            .number(0, 4)
            .number(2 ** 32 - 1, 4)
            .done(),
        ),
      ),
    ],
    [
      'MP4: an index of 2^63 bytes',
      concat(
        mp4.slice(0, moov),
        big()
          .number(1, 4)
          .text('moov')
          .number(2 ** 63, 8)
          .done(),
        mp4.slice(moov + 8),
      ),
    ],
    ['MP4: an index of 3 bytes', boxed(mp4, 'moov', -4, 3)],
    ['MP4: tracks in tracks', inMoov(deep)],
    ['MP4: 20,000 tracks of nothing', inMoov(repeated(box('trak'), 20_000))],
    [
      'MP4: the same track five hundred times',
      inMoov(
        ...Array.from({ length: 500 }, () =>
          mp4.slice(
            placeOf(mp4, 'trak') - 4,
            placeOf(mp4, 'trak') - 4 + new DataView(mp4.buffer).getUint32(placeOf(mp4, 'trak') - 4),
          ),
        ),
      ),
    ],
    [
      'MP4: fragments that name themselves',
      concat(
        mp4,
        box(
          'mfra',
          box(
            'tfra',
            zeros(4),
            big().number(1, 4).number(0, 4).number(1, 4).number(0, 4).number(mp4.length, 4).bytes([1, 1, 1]).done(),
          ),
          box('mfro', zeros(4), [0, 0, 0, 67]),
        ),
      ),
    ],
    [
      'MP4: 20,000 fragments of nothing',
      inMoov(box('mvex', box('trex', zeros(4), [0, 0, 0, 1], [0, 0, 0, 1], zeros(12)))).length
        ? concat(
            inMoov(box('mvex', box('trex', zeros(4), [0, 0, 0, 1], [0, 0, 0, 1], zeros(12)))),
            repeated(box('moof', box('mfhd', zeros(8))), 20_000),
          )
        : mp4,
    ],
    ['MP4: a matrix of no size', boxed(mp4, 'tkhd', 44, 0)],
    [
      'WebM: an index that names itself',
      withIndex(
        element([0x11, 0x4d, 0x9b, 0x74], seek([0x11, 0x4d, 0x9b, 0x74], 0), seek([0x1c, 0x53, 0xbb, 0x6b], 0)),
      ),
    ],
    ['WebM: cues that name themselves', withIndex(element([0x1c, 0x53, 0xbb, 0x6b], cue(0), cue(2 ** 40)))],
    ['WebM: 20,000 cues at one time', withIndex(element([0x1c, 0x53, 0xbb, 0x6b], repeated(cue(0), 20_000)))],
    ['WebM: tags in tags', concat(head, [0x12, 0x54, 0xc3, 0x67], unknownLength, [0x73, 0x73], unknownLength, tags)],
    [
      'WebM: groups in groups',
      concat(head, cluster, unknownLength, [0xe7, 0x81, 0], repeated([0xa0, ...unknownLength], 20_000)),
    ],
    [
      'WebM: a header of 2^56 - 2 bytes',
      concat([0x1a, 0x45, 0xdf, 0xa3, 1, 255, 255, 255, 255, 255, 255, 254], webm.slice(4)),
    ],
    [
      'WebM: 5,000 tracks',
      withIndex(
        element(
          [0x16, 0x54, 0xae, 0x6b],
          repeated(element([0xae], element([0xd7], [1]), element([0x83], [1]), element([0x86], text('V_VP8'))), 5_000),
        ),
      ),
    ],
    ['WebM: no time scale', withIndex(element([0x15, 0x49, 0xa9, 0x66], element([0x2a, 0xd7, 0xb1], [0])))],
    [
      'WebM: a scale of 2^63',
      withIndex(
        element([0x15, 0x49, 0xa9, 0x66], element([0x2a, 0xd7, 0xb1], [127, 255, 255, 255, 255, 255, 255, 255])),
      ),
    ],
    [
      'WebM: attachments of a megabyte',
      withIndex(element([0x19, 0x41, 0xa4, 0x69], element([0x61, 0xa7], element([0x46, 0x5c], zeros(1 << 20))))),
    ],
  ];
}

/** Texts for `loadSettings` of an element of this name, and for readers of JSON. */
export function hostileTexts(tag: string): [name: string, text: string][] {
  const settings = (parameters: string) => `{"software":"foveola","element":"${tag}","parameters":${parameters}}`;
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  return [
    ['lists in lists', settings(`{"sigma":${deep}}`)],
    ['objects in objects', settings(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
    ['nothing but lists', deep],
    ['a million names', settings(`{${Array.from({ length: 1_000_000 }, (_, i) => `"n${i}":1`).join()}}`)],
    ['a text of 64 MB', settings(`{"method":"${'x'.repeat(1 << 26)}"}`)],
    ['a name of 64 MB', settings(`{"${'x'.repeat(1 << 26)}":1}`)],
    ['names of the language', settings('{"__proto__":{"method":"robust"},"constructor":1,"toString":2}')],
    ['numbers beyond all', settings('{"sigma":1e999,"roi":{"x":-1e999}}')],
  ];
}
