import { expect } from 'chai';
import { patternOf } from '../../support/bytes.ts';
import { deepPng } from '../../support/png-writer.ts';
import { failure } from '../made-frames.ts';
import { damagedCopies, faultsOf, fixture, read, samplesOf, yieldsOf } from './support.ts';
import { itInFull } from '../../support/full.ts';

const full = (width: number, height: number, channels: number) =>
  patternOf(width, height, channels, 65536).map((v) => (v * 257) % 65536);
const scaled = (white: number) => (value: number) => Math.round((value * 255) / white);

describe('PNG of 16 bits', () => {
  for (const interlaced of [false, true])
    it(`gray and RGB by all of their bits, every filter${interlaced ? ', interlaced' : ''}`, async () => {
      for (const [width, height] of [
        [1, 1],
        [3, 11],
        [13, 9],
        [2, 5],
      ] as const)
        for (const colorType of [0, 2] as const) {
          const data = full(width, height, colorType ? 3 : 1);
          data[0] = 65535;
          const file = await read(await deepPng({ width, height, data, colorType, interlaced }));
          expect(file).to.deep.include({ format: 'PNG', bits: 16, spacing: null, notes: [] });
          expect([file.image.width, file.image.height]).to.deep.equal([width, height]);
          expect(samplesOf(file)).to.deep.equal(data.map(scaled(65535)));
        }
    });

  it('alpha is kept, and what is transparent is black', async () => {
    const data = [65535, 65535, 1000, 0, 3000, 32896];
    const file = await read(await deepPng({ width: 3, height: 1, data, colorType: 4 }));
    expect([...file.image.data]).to.deep.equal([255, 255, 255, 255, 0, 0, 0, 0, 12, 12, 12, 128]);
  });

  it('the transparent color of a tRNS chunk', async () => {
    const chunks = [['tRNS', Uint8Array.of(1, 0)]] as const;
    const file = await read(await deepPng({ width: 2, height: 1, data: [256, 65535], colorType: 0, chunks }));
    expect([...file.image.data]).to.deep.equal([0, 0, 0, 0, 255, 255, 255, 255]);
  });

  it('a 12-bit camera keeps its levels, and the file says so', async () => {
    const data = patternOf(9, 7, 1, 4096);
    data[3] = 4095;
    const file = await read(await deepPng({ width: 9, height: 7, data, colorType: 0 }));
    expect(samplesOf(file)).to.deep.equal(data.map(scaled(4095)));
    expect(file.notes[0]).to.match(/lower 12 bits/);
  });

  it('the orientation of an eXIf chunk', async () => {
    const exif = Uint8Array.of(0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0);
    const data = [0, 65535, 257, 514, 771, 1028];
    const file = await read(await deepPng({ width: 3, height: 2, data, colorType: 0, chunks: [['eXIf', exif]] }));
    expect([file.image.width, file.image.height]).to.deep.equal([2, 3]);
    expect(samplesOf(file)).to.deep.equal([2, 0, 3, 255, 4, 1]);
  });

  it('as libpng writes it', async () => {
    const file = await read(await fixture('rgb-16.png'));
    expect(samplesOf(file)).to.deep.equal(
      patternOf(17, 11, 3, 65536).map((v) => Math.round(((v * 257) % 65536) / 257)),
    );
  });

  it('is refused for its size before it is decoded, and for too little data before memory is taken', async () => {
    const bytes = await deepPng({ width: 2, height: 1, data: [1, 2], colorType: 0 });
    const view = new DataView(bytes.buffer);
    view.setUint32(16, 20000);
    expect((await failure(() => read(bytes))).code).to.equal('image-too-large');
    view.setUint32(16, 16000);
    view.setUint32(20, 8000);
    const error = await failure(() => read(bytes));
    expect(error.code).to.equal('decode-failed');
    expect(error.message).to.match(/cannot hold/);
  });

  itInFull('gives the thread back between parts of any kind, and takes no more of them than there may be', async () => {
    const bytes = await deepPng({ width: 2, height: 1, data: [1, 65535], colorType: 0 });
    const withParts = (count: number) => {
      const parts = new Uint8Array(12 * count);
      for (let at = 0; at < parts.length; at += 12) parts.set([0, 0, 0, 0, 0x74, 0x65, 0x53, 0x74], at); // 'teSt'
      return Uint8Array.from([...bytes.subarray(0, 33), ...parts, ...bytes.subarray(33)]);
    };
    // The parts are walked twice: for an animation among them, and for the picture.
    expect(await yieldsOf(withParts(10_000))).to.be.within(1000, 3000);
    const error = await failure(() => read(withParts(262_150)));
    expect([error.code, /too many parts/.test(error.message)]).to.deep.equal(['decode-failed', true]);
  });

  it('a wrong checksum of the picture is found', async () => {
    const bytes = await deepPng({ width: 13, height: 9, data: full(13, 9, 3), colorType: 2 });
    bytes[bytes.length - 12 - 4 - 1]! ^= 1; // the last byte of the last IDAT, before its CRC and IEND
    expect((await failure(() => read(bytes))).code).to.equal('decode-failed');
  });

  itInFull('cut off or damaged ends with a FoveolaError, and the next one is read', async () => {
    const bytes = await deepPng({ width: 13, height: 9, data: full(13, 9, 3), colorType: 2 });
    expect((await failure(() => read(bytes.slice(0, bytes.length - 40)))).message).to.match(/cut off|damaged/);
    expect(await faultsOf(damagedCopies(bytes, 200))).to.be.above(50);
    expect((await read(bytes)).image.width).to.equal(13);
  });
});
