// The rows of test/pages/image-routes.full.test.mjs: small image files of every kind, made here, each with what the three routes are to
// say of it.
//   name      of the row
//   file      () => bytes
//   of        { frames, times, size, levels } that all routes give, as far as named: levels are mean gray values
//   pixels    the picture, where it is known: gray values of the first frame, row by row
//   notes     a pattern of what the file says
//   refusal   { code, message }: all routes refuse, with this code and a message like this
//   level     gray values by which the routes may differ, where another decoder is the documented reason
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { importTs } from '../../tools/import-ts.mjs';

const [width, height] = [24, 16];
const text = (value) => new TextEncoder().encode(value);
const joined = (...parts) => Uint8Array.from(Buffer.concat(parts.map((part) => Buffer.from(part))));

/** Levels that differ in every place, so that a turn or a swap is seen. */
const gray = Array.from({ length: width * height }, (_, i) => (5 * (i % width) + 7 * Math.floor(i / width)) % 250);
const rgb = gray.flatMap((v) => [v, v, v]);
const rgba = gray.flatMap((v) => [v, v, v, 255]);
const flat = (value, count = width * height) => new Array(count).fill(value);

/** The picture as it is shown when its file says this orientation. */
function turned(orientation) {
  const [w, h] = orientation > 4 ? [height, width] : [width, height];
  const place = (x, y) =>
    [
      [x, y],
      [width - 1 - x, y],
      [width - 1 - x, height - 1 - y],
      [x, height - 1 - y],
      [y, x],
      [y, height - 1 - x],
      [width - 1 - y, height - 1 - x],
      [width - 1 - y, x],
    ][orientation - 1];
  const pixels = Array.from({ length: w * h }, (_, i) => {
    const [x, y] = place(i % w, Math.floor(i / w));
    return gray[y * width + x];
  });
  return { of: { frames: 1, size: `${w}x${h}` }, pixels };
}

const raw = (data, channels) => sharp(Uint8Array.from(data), { raw: { width, height, channels } });
const picture = () => raw(rgb, 3);
const jpegOptions = { quality: 100, chromaSubsampling: '4:4:4' };

/** Every orientation in every format that has one. */
async function orientations({ moving, tiff, png }) {
  const jpeg = await picture().jpeg(jpegOptions).toBuffer();
  const webp = await picture().webp({ lossless: true }).toBuffer();
  const avif = await picture().avif({ lossless: true, chromaSubsampling: '4:4:4' }).toBuffer();
  const whole = { width, height, data: rgba };
  const rows = [];
  for (let n = 1; n <= 8; n++) {
    const exif = moving.exifBlock(n, n % 2 === 0);
    const add = (format, file, more = {}) =>
      rows.push({ name: `${format} with orientation ${n}`, file, ...turned(n), ...more });
    add('JPEG', () => moving.jpegWithExif(jpeg, exif), { pixels: undefined });
    add('PNG', () => moving.apngFile(width, height, { still: whole, chunks: [['eXIf', exif]] }));
    add('16-bit PNG', () =>
      png.deepPng({ width, height, data: gray.map((v) => 257 * v), colorType: 0, chunks: [['eXIf', exif]] }),
    );
    add('WebP', () => moving.webpWithExif(webp, width, height, exif));
    add('TIFF', () => tiff.tiffFile([{ width, height, data: gray, tags: [[274, 3, [n]]] }]));
  }
  for (const [name, properties, n] of [
    ['a quarter', [['irot', 1]], 8],
    ['a half', [['irot', 2]], 3],
    ['three quarters', [['irot', 3]], 6],
    ['a mirror', [['imir', 1]], 2],
    [
      'both',
      [
        ['irot', 1],
        ['imir', 1],
      ],
      7,
    ],
  ])
    rows.push({ name: `AVIF turned by ${name}`, file: () => moving.turnedAvif(avif, properties), ...turned(n) });
  return rows;
}

function netpbm() {
  const bits = gray.map((v) => (v > 100 ? 1 : 0));
  const packed = [];
  for (let i = 0; i < bits.length; i += 8)
    packed.push(bits.slice(i, i + 8).reduce((byte, bit) => byte * 2 + 1 - bit, 0));
  const words = (values) => values.flatMap((v) => [v >> 8, v & 255]);
  const head = (kind, most = '\n255') => text(`P${kind}\n# made in a test\n${width} ${height}${most}\n`);
  const pam = (depth, type, most = 255) =>
    text(`P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH ${depth}\nMAXVAL ${most}\nTUPLTYPE ${type}\nENDHDR\n`);
  const of = { frames: 1, size: `${width}x${height}` };
  const plain = (values) => text(`${values.map(String).join(' ')}\n`);
  const row = (name, file, pixels = gray, more = {}) => ({ name, file: () => file, of, pixels, ...more });
  const black = bits.map((bit) => 255 * bit);
  const deep = gray.map((v) => 16 * v + 15);
  return [
    row('PBM, plain', joined(head(1, ''), plain(bits.map((bit) => 1 - bit))), black),
    row('PGM, plain', joined(head(2), plain(gray))),
    row('PPM, plain', joined(head(3), plain(rgb))),
    row('PBM', joined(head(4, ''), packed), black),
    row('PGM', joined(head(5), gray)),
    row('PPM', joined(head(6), rgb)),
    row('PGM of up to 100', joined(head(5, '\n100'), gray.map((v) => v % 101)), gray.map((v) => Math.round(((v % 101) * 255) / 100))), // prettier-ignore
    row('PGM of 12 bits', joined(head(5, '\n4095'), words(deep)), deep.map((v) => Math.round((v * 255) / 4095)), { notes: /0\.\.4095/ }), // prettier-ignore
    row('PGM of 16 bits that uses 12', joined(head(5, '\n65535'), words(deep)), deep.map((v) => Math.round((v * 255) / 4095)), { notes: /lower 12 bits/ }), // prettier-ignore
    row('PAM, gray', joined(pam(1, 'GRAYSCALE'), gray)),
    row('PAM, colors', joined(pam(3, 'RGB'), rgb)),
    row('PAM, colors and opacity', joined(pam(4, 'RGB_ALPHA'), rgba)),
    row('PAM, bits', joined(pam(1, 'BLACKANDWHITE', 1), bits), black),
    { name: 'PGM, three in a row', file: () => joined(...[1, 2, 3].flatMap((v) => [head(5), flat(v)])), of: { frames: 3, times: [0, 40, 80], levels: [1, 2, 3] } }, // prettier-ignore
    {
      name: 'PGM, cut off',
      file: () => joined(head(5), gray.slice(0, 200)),
      refusal: { code: 'decode-failed', message: /PGM file is cut off/ },
    },
    {
      name: 'PGM, plain, cut off',
      file: () => joined(head(2), plain(gray.slice(0, 200))),
      refusal: { code: 'decode-failed', message: /PGM file is cut off/ },
    },
  ];
}

function stacks({ tiff }) {
  const page = (value, more = {}) => ({ width, height, data: flat(value), ...more });
  const six = [10, 20, 30, 40, 50, 60];
  const times = six.map((_, i) => 40 * i);
  const small = { width: 8, height: 8, data: flat(99, 64) };
  const copy = page(99, { tags: [[254, 4, [1]]] });
  const deep = (value) => page(value, { bits: 16 });
  const of = { frames: 6, times, levels: six, size: `${width}x${height}` };
  return [
    { name: 'TIFF of six pages', file: () => tiff.tiffFile(six.map((v) => page(v))), of },
    { name: 'BigTIFF of six pages, deflated', file: () => tiff.tiffFile(six.map((v) => page(v, { compression: 'deflate' })), { big: true }), of }, // prettier-ignore
    { name: 'TIFF with a thumbnail', file: () => tiff.tiffFile([page(10), small]), of: { frames: 1, levels: [10] } },
    {
      name: 'TIFF of pages with thumbnails between them',
      file: () => tiff.tiffFile([page(10), small, page(20), copy, page(30)]),
      of: { frames: 3, times: [0, 40, 80], levels: [10, 20, 30] },
    },
    {
      name: 'TIFF of 16 bits whose second page uses 12',
      file: () => tiff.tiffFile([deep(255), deep(4095)]),
      of: { frames: 2, levels: [16, 255] },
      notes: /lower 12 bits/,
    },
    {
      name: 'TIFF of pages that are turned',
      file: () => tiff.tiffFile([page(10), page(20)].map((one) => ({ ...one, tags: [[274, 3, [6]]] }))),
      of: { frames: 2, size: `${height}x${width}`, levels: [10, 20] },
    },
    {
      name: 'TIFF, cut off',
      file: async () => (await tiff.tiffFile([{ width, height, data: gray }])).slice(0, 300),
      refusal: { code: 'decode-failed', message: /TIFF file is cut off/ },
    },
  ];
}

async function animations({ moving }) {
  const grays = Array.from({ length: 256 }, (_, i) => [i, i, i]).flat();
  const all = (value, more = {}) => ({ width, height, data: flat(value), ...more });
  const half = (value, more = {}) => ({
    x: 0,
    y: 0,
    width: width / 2,
    height,
    data: flat(value, (width * height) / 2),
    ...more,
  });
  const colors = ({ data, ...frame }) => ({ ...frame, data: data.flatMap((v) => [v, v, v, 255]) });
  const webp = async ({ data, width: w, height: h, ...frame }) => ({
    ...{ ...frame, width: w, height: h },
    data: await sharp(Uint8Array.from(data.flatMap((v) => [v, v, v, 255])), {
      raw: { width: w, height: h, channels: 4 },
    })
      .webp({ lossless: true })
      .toBuffer(),
  });
  // All of it, the left half over it, the right half cleared away, and all of it again.
  const frames = [
    all(100, { delay: 50 }),
    half(200, { delay: 30, over: true, dispose: 'clear' }),
    half(40, { x: width / 2, delay: 0, over: true }),
    all(60, { delay: 70 }),
  ];
  const of = { frames: 4, times: [0, 50, 80, 180], levels: [100, 150, 20, 60], size: `${width}x${height}` };
  const restored = [
    all(100, { delay: 20 }),
    half(200, { delay: 20, over: true, dispose: 'restore' }),
    half(100, { delay: 20, over: true }),
  ];
  const back = { frames: 3, times: [0, 20, 40], levels: [100, 150, 100] };
  const seen = flat(7);
  seen.fill(100, 0, width);
  const cut = (bytes) => bytes.slice(0, Math.floor(0.8 * bytes.length));
  const damaged = (format) => ({ code: 'decode-failed', message: new RegExp(`${format} (file|image).*cut off`) });
  const one = gray.map((v) => v);
  return [
    { name: 'GIF of four frames', file: () => moving.gifFile(width, height, grays, frames), of },
    { name: 'GIF whose frame is taken back', file: () => moving.gifFile(width, height, grays, restored), of: back },
    {
      name: 'GIF with a transparent color',
      file: () => moving.gifFile(width, height, grays, [all(50), all(0, { data: seen })], 7),
      of: { frames: 2, times: [0, 100], levels: [50, (50 * (height - 1) + 100) / height] },
    },
    { name: 'GIF of one frame', file: () => moving.gifFile(width, height, grays, [all(0, { data: one })]), of: { frames: 1 }, pixels: gray }, // prettier-ignore
    { name: 'GIF of four frames, cut off', file: () => cut(moving.gifFile(width, height, grays, frames)), refusal: damaged('GIF') }, // prettier-ignore
    { name: 'APNG of four frames', file: () => moving.apngFile(width, height, { frames: frames.map(colors) }), of },
    { name: 'APNG whose frame is taken back', file: () => moving.apngFile(width, height, { frames: restored.map(colors) }), of: back }, // prettier-ignore
    {
      name: 'APNG with another picture for programs without animation',
      file: () => moving.apngFile(width, height, { still: colors(all(240)), frames: frames.map(colors) }),
      of,
    },
    { name: 'APNG, cut off', file: async () => cut(await moving.apngFile(width, height, { frames: frames.map(colors) })), refusal: damaged('PNG') }, // prettier-ignore
    { name: 'WebP of four frames', file: async () => moving.movingWebp(width, height, await Promise.all(frames.map(webp))), of }, // prettier-ignore
    { name: 'WebP of four frames, cut off', file: async () => cut(moving.movingWebp(width, height, await Promise.all(frames.map(webp)))), refusal: damaged('WebP') }, // prettier-ignore
  ];
}

/** Encoders of JPEG-LS and JPEG 2000: the other half of the packages whose decoders are tested. */
async function encoders() {
  const require = createRequire(import.meta.url);
  const silent = () => ({ print() {}, printErr() {} });
  const [ls, two] = await Promise.all([
    require('@cornerstonejs/codec-charls/wasmjs')(silent()),
    require('@cornerstonejs/codec-openjpeg/wasmjs')(silent()),
  ]);
  return (kind, samples, { bits = 8, components = 1, signed = false } = {}) => {
    const encoder = kind === 'JPEG-LS' ? new ls.JpegLSEncoder() : new two.J2KEncoder();
    const data = bits > 8 ? new Uint8Array(Uint16Array.from(samples).buffer) : Uint8Array.from(samples);
    encoder
      .getDecodedBuffer({ width, height, bitsPerSample: bits, componentCount: components, isSigned: signed })
      .set(data);
    if (kind === 'JPEG-LS' && components > 1) encoder.setInterleaveMode(2);
    if (kind === 'JPEG 2000') encoder.setDecompositions(2);
    encoder.encode();
    const bytes = encoder.getEncodedBuffer().slice();
    encoder.delete();
    return Uint8Array.from(bytes);
  };
}

async function dicoms({ dicom }) {
  const { dicomFile, pictureElements, syntaxes, words, runLengthFrame, losslessJpeg } = dicom;
  const encoded = await encoders();
  const elements = (options, further) => pictureElements(width, height, options, further);
  const of = { frames: 1, size: `${width}x${height}` };
  const row = (name, options, pixels = gray, more = {}) => ({ name: `DICOM, ${name}`, file: () => dicomFile({ elements: elements(), ...options }), of, pixels, ...more }); // prettier-ignore
  const twelve = gray.map((v) => 16 * v + 15);
  const to8 = twelve.map((v) => Math.round((v * 255) / 4095));
  const in16 = { elements: elements({ bits: 16, stored: 12 }) };
  const swapped = (bytes) => bytes.map((_, i) => bytes[i ^ 1]);
  const planes = (values) => [values.map((v) => v >> 8), values.map((v) => v & 255)];
  const several = (count, further = []) => elements({}, [[0x00280008, 'IS', String(count)], ...further]);
  const three = [10, 20, 30];
  const frames = three.map((v) => flat(v));
  const lossless = frames.map((data) => losslessJpeg(width, height, 1, data));
  const even = (n) => n + (n % 2);
  const offsets = lossless.map((_, i) => lossless.slice(0, i).reduce((sum, one) => sum + 8 + even(one.length), 0));
  const recording = (name, options, times = [0, 40, 80]) => ({
    ...row(name, { elements: several(3), ...options }),
    ...{ pixels: undefined, of: { frames: 3, times, levels: three, size: `${width}x${height}` } },
  });
  const native = Uint8Array.from(frames.flat());
  const ls = { syntax: syntaxes.jpegLs };
  const two = { syntax: syntaxes.jpeg2000 };
  const colors = { elements: elements({ samples: 3 }) };
  const baseline = await raw(gray, 1).toColorspace('b-w').jpeg({ quality: 100 }).toBuffer();
  const cutLs = encoded('JPEG-LS', gray);
  return [
    row('explicit', { pixels: Uint8Array.from(gray) }),
    row('implicit', { syntax: syntaxes.implicit, pixels: Uint8Array.from(gray) }),
    row('deflated', { syntax: syntaxes.deflated, pixels: Uint8Array.from(gray) }),
    row('with the beginning of a TIFF before it', { preamble: [0x49, 0x49, 42, 0, 8, 0, 0, 0], pixels: Uint8Array.from(gray) }), // prettier-ignore
    row('with the beginning of a big-endian TIFF', { preamble: [0x4d, 0x4d, 0, 42, 0, 0, 0, 8], pixels: Uint8Array.from(gray) }), // prettier-ignore
    row('big endian, 8 bits in bytes', { syntax: syntaxes.bigEndian, vr: 'OB', pixels: Uint8Array.from(gray) }),
    row('big endian, 8 bits in words', { syntax: syntaxes.bigEndian, pixels: swapped(Uint8Array.from(gray)) }),
    row('big endian, 12 bits in 16', { ...in16, syntax: syntaxes.bigEndian, pixels: swapped(words(twelve)) }, to8),
    row('12 bits in 16', { ...in16, pixels: words(twelve) }, to8, { notes: /12 bits in 16/ }),
    row('16 bits that use 12', { elements: elements({ bits: 16 }), pixels: words(twelve) }, to8, {
      notes: /lower 12 bits/,
    }),
    row('12 bits, MONOCHROME1', { elements: elements({ bits: 16, stored: 12, photometric: 'MONOCHROME1' }), pixels: words(twelve) }, to8.map((v) => 255 - v)), // prettier-ignore
    row('RLE', { syntax: syntaxes.runLength, pixels: [runLengthFrame([gray])] }),
    row('RLE, 12 bits in 16', { ...in16, syntax: syntaxes.runLength, pixels: [runLengthFrame(planes(twelve))] }, to8),
    row('lossless JPEG', { syntax: syntaxes.lossless, pixels: [losslessJpeg(width, height, 1, gray)] }),
    row('baseline JPEG', { syntax: syntaxes.baseline, pixels: [new Uint8Array(baseline)] }, undefined),
    row('JPEG-LS', { ...ls, pixels: [encoded('JPEG-LS', gray)] }),
    row('JPEG-LS, 12 bits in 16', { ...in16, ...ls, pixels: [encoded('JPEG-LS', twelve, { bits: 12 })] }, to8),
    row('JPEG-LS, colors', { ...colors, ...ls, pixels: [encoded('JPEG-LS', rgb, { components: 3 })] }),
    row('JPEG 2000', { ...two, pixels: [encoded('JPEG 2000', gray)] }),
    row('JPEG 2000, 12 bits in 16', { ...in16, ...two, pixels: [encoded('JPEG 2000', twelve, { bits: 12 })] }, to8),
    row('JPEG 2000, colors', { elements: elements({ samples: 3, photometric: 'YBR_RCT' }), ...two, pixels: [encoded('JPEG 2000', rgb, { components: 3 })] }), // prettier-ignore
    recording('three frames', { pixels: native }),
    recording('three frames with a time', { elements: several(3, [[0x00181063, 'DS', '33.5']]), pixels: native }, [0, 33.5, 67]), // prettier-ignore
    recording('three frames with a time each', { elements: several(3, [[0x00181065, 'DS', '0\\25\\35']]), pixels: native }, [0, 25, 60]), // prettier-ignore
    recording('three frames, deflated', { syntax: syntaxes.deflated, pixels: native }),
    recording('three frames, RLE', { syntax: syntaxes.runLength, pixels: frames.map((one) => runLengthFrame([one])) }),
    recording('three frames, lossless JPEG with a table', { syntax: syntaxes.lossless, pixels: lossless, offsets }),
    recording('three frames, lossless JPEG in four fragments', {
      syntax: syntaxes.lossless,
      pixels: [lossless[0].subarray(0, 60), lossless[0].subarray(60), lossless[1], lossless[2]],
    }),
    recording('three frames, JPEG 2000', { ...two, pixels: frames.map((one) => encoded('JPEG 2000', one)) }),
    recording('three frames, JPEG-LS', { ...ls, pixels: frames.map((one) => encoded('JPEG-LS', one)) }),
    {
      name: 'DICOM, two frames of which the second alone uses 12 bits of 16',
      file: () => dicomFile({ elements: elements({ bits: 16 }, [[0x00280008, 'IS', '2']]), pixels: words([...flat(255), ...flat(4095)]) }), // prettier-ignore
      of: { frames: 2, levels: [16, 255] },
      notes: /lower 12 bits/,
    },
    {
      name: 'DICOM, cut off',
      file: async () => (await dicomFile({ elements: elements(), pixels: Uint8Array.from(gray) })).slice(0, 600),
      refusal: { code: 'decode-failed', message: /DICOM file is cut off/ },
    },
    {
      name: 'DICOM, JPEG-LS, cut off',
      file: () => dicomFile({ ...ls, elements: elements(), pixels: [cutLs.subarray(0, cutLs.length - 20)] }),
      refusal: { code: 'decode-failed', message: /DICOM file is cut off or damaged: the JPEG-LS/ },
    },
    {
      name: 'DICOM, High-Throughput JPEG 2000',
      file: () => dicomFile({ syntax: '1.2.840.10008.1.2.4.201', elements: elements(), pixels: [cutLs] }),
      refusal: { code: 'source-unsupported', message: /High-Throughput JPEG 2000 \(1\.2\.840\.10008\.1\.2\.4\.201\)/ },
    },
  ];
}

async function jpegs() {
  const jpeg = await picture().jpeg(jpegOptions).toBuffer();
  const restarts = await raw(gray, 1).toColorspace('b-w').jpeg({ quality: 90 }).toBuffer();
  const progressive = await picture()
    .jpeg({ ...jpegOptions, progressive: true })
    .toBuffer();
  const cmyk = await picture().toColorspace('cmyk').jpeg(jpegOptions).toBuffer();
  const marker = cmyk.indexOf(Buffer.from('Adobe')) - 4;
  const bare = joined(cmyk.subarray(0, marker), cmyk.subarray(marker + 2 + cmyk.readUInt16BE(marker + 2)));
  const ycck = Buffer.from(cmyk);
  ycck[marker + 15] = 2;
  const of = { frames: 1, size: `${width}x${height}` };
  const cut = { code: 'decode-failed', message: /JPEG (file|image).*cut off/ };
  return [
    { name: 'JPEG', file: () => jpeg, of },
    { name: 'JPEG without its end marker', file: () => jpeg.subarray(0, -2), of },
    { name: 'JPEG without its end marker, behind it zeros', file: () => joined(jpeg.subarray(0, -2), [0, 0, 0]), of },
    { name: 'JPEG, gray, without its end marker', file: () => restarts.subarray(0, -2), of },
    { name: 'JPEG with something behind it', file: () => joined(jpeg, text('more')), of },
    { name: 'JPEG, cut off', file: () => jpeg.subarray(0, Math.floor(0.8 * jpeg.length)), refusal: cut },
    { name: 'JPEG, cut off within its header', file: () => jpeg.subarray(0, 100), refusal: cut },
    { name: 'JPEG, progressive, without its end marker', file: () => progressive.subarray(0, -2), refusal: cut },
    { name: 'JPEG, CMYK', file: () => cmyk, of },
    { name: 'JPEG, CMYK without a marker', file: () => bare, of },
    { name: 'JPEG, YCCK', file: () => ycck, of },
  ];
}

async function others({ png, tiff }) {
  const deep = gray.map((v) => 16 * v + 15);
  const to8 = deep.map((v) => Math.round((v * 255) / 4095));
  const of = { frames: 1, size: `${width}x${height}` };
  const cut = (bytes) => bytes.subarray(0, Math.floor(0.7 * bytes.length));
  const encoded = Object.fromEntries(
    await Promise.all(
      ['png', 'webp', 'gif', 'avif'].map(async (one) => [one, await picture().toFormat(one).toBuffer()]),
    ),
  );
  const damaged = (format) => ({ code: 'decode-failed', message: new RegExp(`${format}.*cut off`) });
  return [
    { name: 'PNG of 16 bits that uses 12', file: () => png.deepPng({ width, height, data: deep, colorType: 0 }), of, pixels: to8, notes: /lower 12 bits/ }, // prettier-ignore
    { name: 'TIFF of 16 bits that uses 12', file: () => tiff.tiffFile([{ width, height, bits: 16, data: deep }]), of, pixels: to8, notes: /lower 12 bits/ }, // prettier-ignore
    { name: 'PNG, cut off', file: () => cut(encoded.png), refusal: damaged('PNG') },
    { name: 'WebP, cut off', file: () => cut(encoded.webp), refusal: damaged('WebP') },
    { name: 'GIF, cut off', file: () => cut(encoded.gif), refusal: damaged('GIF') },
    { name: 'AVIF, cut off', file: () => cut(encoded.avif), refusal: damaged("'avif'") },
    { name: '16-bit PNG, cut off', file: async () => cut(await png.deepPng({ width, height, data: deep, colorType: 0 })), refusal: damaged('PNG') }, // prettier-ignore
    { name: 'an empty file', file: () => new Uint8Array(0), refusal: { code: 'decode-failed', message: /empty/ } },
  ];
}

export async function imageRows() {
  const [moving, tiff, png, dicom] = await Promise.all(
    ['moving-writers', 'tiff-writer', 'png-writer', 'dicom-writer'].map((name) => importTs(`test/support/${name}.ts`)),
  );
  const writers = { moving, tiff, png, dicom };
  const groups = await Promise.all(
    [orientations, netpbm, stacks, animations, dicoms, jpegs, others].map((make) => make(writers)),
  );
  return groups.flat();
}
