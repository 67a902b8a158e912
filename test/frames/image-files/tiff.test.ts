import { expect } from 'chai';
import { patternOf } from '../../support/bytes.ts';
import { full, itInFull } from '../../support/full.ts';
import { tiffFile, type TiffPageOptions } from '../../support/tiff-writer.ts';
import { failure } from '../made-frames.ts';
import { damagedCopies, faultsOf, fixture, read, samplesOf } from './support.ts';

const [width, height] = [21, 13];
const gray: TiffPageOptions = { width, height, data: patternOf(width, height, 1) };
const rgb: TiffPageOptions = { width, height, samples: 3, data: patternOf(width, height, 3) };
const one = async (page: TiffPageOptions, options = {}) => read(await tiffFile([page], options));

describe('TIFF', () => {
  for (const compression of ['none', 'lzw', 'packBits', 'deflate'] as const)
    (compression === 'lzw' ? it : itInFull)(
      `${compression}: gray and RGB, strips and tiles, in pixels and planes, with and without differences`,
      async () => {
        for (const page of [gray, rgb])
          for (const layout of [
            {},
            { rowsPerStrip: 4 },
            { rowsPerStrip: 1 },
            { tile: [16, 16] as const },
            { tile: [16, 32] as const },
          ])
            for (const predictor of [false, true])
              for (const planar of page.samples ? [false, true] : [false]) {
                const file = await one({ ...page, ...layout, compression, predictor, planar });
                expect(samplesOf(file), JSON.stringify({ ...layout, predictor, planar })).to.deep.equal(page.data);
                expect(file).to.deep.include({ format: 'TIFF', bits: 8, spacing: null, notes: [] });
              }
      },
    );

  it('16 bits, both byte orders and BigTIFF', async () => {
    for (const samples of [1, 3])
      for (const little of [true, false])
        for (const big of [true, false]) {
          const data = patternOf(width, height, samples, 65536).map((v) => (v * 257) % 65536);
          data[0] = 65535;
          const page = { width, height, samples, bits: 16, data, compression: 'lzw', predictor: true } as const;
          const file = await one(page, { little, big });
          expect(samplesOf(file)).to.deep.equal(data.map((value) => Math.round(value / 257)));
          expect(file.bits).to.equal(16);
        }
  });

  it('LZW long enough for all widths of its codes and a full table', async () => {
    let state = 7;
    const data = Array.from({ length: 300 * 200 }, () => (state = (state * 48271) % 2147483647) & 15);
    expect(samplesOf(await one({ width: 300, height: 200, data, compression: 'lzw' }))).to.deep.equal(data);
    const flat = new Array<number>(300 * 200).fill(9);
    expect(samplesOf(await one({ width: 300, height: 200, data: flat, compression: 'lzw' }))).to.deep.equal(flat);
  });

  it('1, 2 and 4 bits, white as zero, palettes', async () => {
    for (const bits of [1, 2, 4]) {
      const levels = 2 ** bits;
      const data = patternOf(width, height, 1, levels);
      const light = data.map((value) => Math.round((value * 255) / (levels - 1)));
      expect(samplesOf(await one({ width, height, bits, data }))).to.deep.equal(light);
      const white = await one({ width, height, bits, data, photometric: 0 });
      expect(samplesOf(white)).to.deep.equal(light.map((value) => 255 - value));
      const colors = Array.from({ length: 3 * levels }, (_, i) => ((i * 5081) % 256) * 257);
      const palette = await one({ width, height, bits, data, photometric: 3, tags: [[320, 3, colors]] });
      const wanted = data.flatMap((value) => [0, 1, 2].map((c) => colors[c * levels + value]! >> 8));
      expect(samplesOf(palette)).to.deep.equal(wanted);
    }
    expect(samplesOf(await one({ ...gray, photometric: 0 }))).to.deep.equal(gray.data.map((value) => 255 - value));
  });

  it('alpha, on its own, multiplied in, and of no meaning', async () => {
    const page = { width: 3, height: 1, samples: 4, data: [200, 100, 50, 255, 20, 40, 60, 51, 9, 9, 9, 0] };
    const values = async (kind: number) => [...(await one({ ...page, tags: [[338, 3, [kind]]] })).image.data];
    expect(await values(2)).to.deep.equal([200, 100, 50, 255, 20, 40, 60, 51, 0, 0, 0, 0]);
    expect(await values(1)).to.deep.equal([200, 100, 50, 255, 100, 200, 255, 51, 0, 0, 0, 0]);
    expect(await values(0)).to.deep.equal([200, 100, 50, 255, 20, 40, 60, 255, 9, 9, 9, 255]);
  });

  it('each orientation', async () => {
    const data = [1, 2, 3, 4, 5, 6]; // 1 2 3 / 4 5 6
    const wanted: Record<number, number[][]> = {
      1: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      2: [
        [3, 2, 1],
        [6, 5, 4],
      ],
      3: [
        [6, 5, 4],
        [3, 2, 1],
      ],
      4: [
        [4, 5, 6],
        [1, 2, 3],
      ],
      5: [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
      6: [
        [4, 1],
        [5, 2],
        [6, 3],
      ],
      7: [
        [6, 3],
        [5, 2],
        [4, 1],
      ],
      8: [
        [3, 6],
        [2, 5],
        [1, 4],
      ],
    };
    for (const [orientation, rows] of Object.entries(wanted)) {
      const tags = [[274, 3, [Number(orientation)]]] as const;
      const file = await one({ width: 3, height: 2, data, tags });
      expect([file.image.width, file.image.height]).to.deep.equal([rows[0]!.length, rows.length]);
      expect(samplesOf(file)).to.deep.equal(rows.flat());
      const color = await one({
        width: 3,
        height: 2,
        samples: 3,
        data: data.flatMap((v) => [v, 10 * v, 20 * v]),
        tags,
      });
      expect(samplesOf(color)).to.deep.equal(rows.flat().flatMap((v) => [v, 10 * v, 20 * v]));
    }
  });

  it('the first page that is no small copy of another, with a note', async () => {
    const small = { width: 2, height: 2, data: [1, 2, 3, 4], tags: [[254, 4, [1]]] } as const;
    const file = await read(await tiffFile([small, gray, rgb]));
    expect(samplesOf(file)).to.deep.equal(gray.data);
    expect(file.notes[0]).to.match(/^Page 2 of the file's 3/);
  });

  it('a 12-bit camera in 16 bits keeps its levels', async () => {
    const data = patternOf(width, height, 1, 4096);
    data[0] = 4095;
    const file = await one({ width, height, bits: 16, data });
    expect(samplesOf(file)).to.deep.equal(data.map((value) => Math.round((value * 255) / 4095)));
    expect(file.notes[0]).to.match(/lower 12 bits/);
  });

  it('as libtiff writes it', async () => {
    const [w, h] = [17, 11];
    for (const name of ['rgb-lzw', 'rgb-lzw-predictor', 'rgb-deflate'])
      expect(samplesOf(await read(await fixture(`${name}.tif`))), name).to.deep.equal(patternOf(w, h, 3));
    const plain = patternOf(w, h, 1);
    expect(samplesOf(await read(await fixture('gray-packbits.tif')))).to.deep.equal(plain);
    expect(samplesOf(await read(await fixture('bilevel.tif')))).to.deep.equal(plain.map((v) => (v > 127 ? 255 : 0)));
    const deep = patternOf(w, h, 3, 65536).map((v) => Math.round(((v * 257) % 65536) / 257));
    expect(samplesOf(await read(await fixture('rgb-16-lzw.tif')))).to.deep.equal(deep);
  });

  it('JPEG inside, with its tables in a tag of their own', async () => {
    const samples = samplesOf(await read(await fixture('rgb-jpeg.tif')));
    for (const [x, y] of [
      [0, 0],
      [39, 23],
      [20, 5],
      [7, 19],
    ] as const) {
      const wanted = [x * 6, y * 10, 255 - x * 3 - y * 5];
      wanted.forEach((value, c) => expect(samples[3 * (y * 40 + x) + c]).to.be.closeTo(value, 8));
    }
  });

  it('what is not read is named, with what to save it as', async () => {
    const refused = async (tags: TiffPageOptions['tags']) => {
      const error = await failure(() => one({ ...gray, tags }));
      expect(error.code).to.equal('source-unsupported');
      return error.message;
    };
    expect(await refused([[259, 3, [4]]])).to.match(/CCITT fax.*Save it as/);
    expect(await refused([[259, 3, [34712]]])).to.match(/JPEG 2000/);
    expect(await refused([[262, 3, [5]]])).to.match(/colors of the kind 5/);
    expect(await refused([[258, 3, [32]]])).to.match(/32 bits/);
    expect(await refused([[339, 3, [3]]])).to.match(/unsigned integers/);
  });

  it('absurd sizes are refused before memory is taken', async () => {
    const big = async (w: number, h: number, rest = {}) =>
      (
        await failure(() =>
          one({
            ...gray,
            ...rest,
            tags: [
              [256, 4, [w]],
              [257, 4, [h]],
            ],
          }),
        )
      ).code;
    expect(await big(20000, 20000)).to.equal('image-too-large');
    expect(await big(16000, 8000)).to.equal('decode-failed');
    expect(await big(16000, 8000, { compression: 'deflate', rowsPerStrip: 1 })).to.equal('decode-failed');
    expect(await big(0, 5)).to.equal('decode-failed');
  });

  it('cut off says where', async () => {
    const bytes = await tiffFile([gray]);
    const view = new DataView(bytes.buffer);
    view.setUint32(4, 8); // the directory where the picture is
    expect((await failure(() => read(bytes))).code).to.equal('decode-failed');
    const cut = (await tiffFile([{ ...rgb, compression: 'lzw' }])).slice(0, 200);
    expect((await failure(() => read(cut))).message).to.match(/cut off: it has 200 bytes/);
  });

  itInFull('damaged files end with a FoveolaError, and the next one is read', async () => {
    for (const page of [
      { ...rgb, compression: 'lzw', predictor: true },
      { ...gray, compression: 'packBits', tile: [16, 16] },
      { ...rgb, compression: 'deflate', rowsPerStrip: 3 },
      { ...gray, bits: 16 },
    ] as TiffPageOptions[]) {
      const bytes = await tiffFile([page, gray]);
      expect(await faultsOf(damagedCopies(bytes, full ? 100 : 30, 5))).to.be.above(full ? 20 : 6);
    }
    expect(await faultsOf(damagedCopies(await fixture('rgb-jpeg.tif'), full ? 60 : 20))).to.be.above(full ? 10 : 3);
    expect(samplesOf(await one(gray))).to.deep.equal(gray.data);
  });
});
