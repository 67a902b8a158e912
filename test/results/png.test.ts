import { expect } from 'chai';
import { encodePng } from '../../src/results/png.ts';
import type { GrayImage, VesselResult } from '../../src/results/types.ts';
import { crc32 } from '../../src/runtime/crc32.ts';
import { maskPng, overlayPng } from '../../src/vessels/export-png.ts';
import { failure, noise } from '../frames/made-frames.ts';

interface Chunk {
  type: string;
  data: Uint8Array;
}

/** The chunks of a PNG, their CRCs checked. */
async function chunksOf(blob: Blob): Promise<Chunk[]> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const view = new DataView(bytes.buffer);
  expect([...bytes.subarray(0, 8)]).to.deep.equal([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  const chunks: Chunk[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = view.getUint32(at);
    expect(view.getUint32(at + 8 + length)).to.equal(crc32(bytes, at + 4, at + 8 + length));
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    chunks.push({ type, data: bytes.slice(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

async function decoded(blob: Blob): Promise<ImageData> {
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

const texts = (chunks: Chunk[]) =>
  Object.fromEntries(
    chunks
      .filter(({ type }) => type === 'iTXt')
      .map(({ data }) => new TextDecoder().decode(data).split('\0\0\0\0\0') as [string, string]),
  );

const mask: GrayImage = { width: 3, height: 2, data: Uint8Array.of(0, 255, 0, 255, 0, 0) };
const result: VesselResult = {
  ...{ mask, fieldOfView: mask, response: new Float32Array(6), fraction: 0.5, confidence: 0.25, warnings: ['odd'] },
  scale: { micrometresPerPixel: 12.5, from: 'file' },
};
const header = {
  version: '1',
  source: { name: 'Auge ä.dcm', sha256: 'ab' },
  parameters: { scales: 'all' },
  backend: 'wasm',
  renderer: null,
  threads: 1,
};

describe('PNG writer', () => {
  it('knows the CRC of the standard', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).to.equal(0xcbf43926);
    expect(crc32(new TextEncoder().encode('IEND'))).to.equal(0xae426082);
  });

  for (const channels of [1, 3, 4] as const)
    it(`gives back what went in, ${channels} samples a pixel, sizes of one and many bands`, async () => {
      for (const [width, height] of [
        [1, 1],
        [1, 9],
        [13, 1],
        [67, 31],
        [600, 700],
      ] as const) {
        const data = noise(width * height * channels, 7 + width);
        if (channels === 4) for (let i = 3; i < data.length; i += 4) data[i] = 255;
        const { data: read } = await decoded(await encodePng({ width, height, channels, data }));
        const wanted = new Uint8ClampedArray(4 * width * height);
        for (let i = 0; i < width * height; i++)
          for (let c = 0; c < 4; c++)
            wanted[4 * i + c] = c === 3 ? 255 : data[i * channels + (channels === 1 ? 0 : c)]!;
        expect(read).to.deep.equal(wanted);
      }
    });

  it('refuses samples of another number', async () => {
    const error = await failure(() => encodePng({ width: 2, height: 2, channels: 1, data: new Uint8Array(5) }));
    expect(error.code).to.equal('invalid-argument');
  });
});

describe('vessels as PNG', () => {
  it('the mask, gray, with scale, version, source and parameters', async () => {
    const png = await maskPng(result, { header });
    expect(png.type).to.equal('image/png');
    const { data } = await decoded(png);
    expect([...data].filter((_, i) => i % 4 === 0)).to.deep.equal([...mask.data]);
    const chunks = await chunksOf(png);
    expect(chunks[0]!.data[9], 'gray').to.equal(0);
    expect([...chunks.find(({ type }) => type === 'pHYs')!.data]).to.deep.equal([
      0, 1, 0x38, 0x80, 0, 1, 0x38, 0x80, 1,
    ]);
    const { Software, Disclaimer, Comment } = texts(chunks);
    expect(Software).to.equal('foveola 1');
    expect(Disclaimer).to.match(/not a medical device/);
    expect(JSON.parse(Comment!)).to.deep.include({ parameters: { scales: 'all' }, backend: 'wasm', fraction: 0.5 });
    expect(JSON.parse(Comment!).source).to.deep.equal({ name: 'Auge ä.dcm', sha256: 'ab', width: 3, height: 2 });
  });

  it('says nothing of a scale that is not known', async () => {
    const types = (await chunksOf(await maskPng({ ...result, scale: null }))).map(({ type }) => type);
    expect([...new Set(types)]).to.deep.equal(['IHDR', 'IDAT', 'IEND']);
  });

  it('the overlay: the color mixed into the photograph where the mask is, all else untouched', async () => {
    const gray = { width: 3, height: 2, data: Uint8Array.of(10, 20, 30, 40, 50, 60) };
    const color = [200, 0, 100] as const;
    const wanted = [10, 10, 10, 110, 10, 60, 30, 30, 30, 120, 20, 70, 50, 50, 50, 60, 60, 60];
    const rgb = async (blob: Blob) => [...(await decoded(blob)).data].filter((_, i) => i % 4 < 3);
    expect(await rgb(await overlayPng(gray, result, { color, opacity: 0.5 }))).to.deep.equal(wanted);
    const picture = new ImageData(3, 2);
    gray.data.forEach((value, i) => picture.data.set([value, value, value, 255], 4 * i));
    expect(await rgb(await overlayPng(picture, result, { color, opacity: 0.5 }))).to.deep.equal(wanted);
    const file = await encodePng({ ...gray, channels: 1 });
    expect(await rgb(await overlayPng(file, result, { color, opacity: 0.5 }))).to.deep.equal(wanted);
  });

  it('the overlay alone, transparent where there is no vessel', async () => {
    const chunks = await chunksOf(await overlayPng(null, result));
    expect(chunks[0]!.data[9], 'RGBA').to.equal(6);
    const { data } = await decoded(await overlayPng(null, result, { color: [255, 0, 0], opacity: 1 }));
    expect([...data.subarray(0, 8)]).to.deep.equal([0, 0, 0, 0, 255, 0, 0, 255]);
  });

  it('refuses a photograph of another size, a color and an opacity out of range', async () => {
    const small = { width: 1, height: 1, data: new Uint8Array(1) };
    expect((await failure(() => overlayPng(small, result))).message).to.match(/1x1 .* 3x2/);
    expect((await failure(() => overlayPng(null, result, { opacity: 2 }))).code).to.equal('invalid-argument');
    expect((await failure(() => overlayPng(null, result, { color: [0, 0, 256] }))).code).to.equal('invalid-argument');
  });
});
