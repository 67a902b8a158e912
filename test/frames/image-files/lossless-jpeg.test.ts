import { expect } from 'chai';
import { Decoder } from 'jpeg-lossless-decoder-js';
import { losslessJpeg } from '../../../src/frames/image-files/lossless-jpeg.ts';
import { Pace } from '../../../src/frames/image-files/pace.ts';
import { losslessJpeg as encoded } from '../../support/dicom-writer.ts';
import { failure } from '../made-frames.ts';

const [width, height] = [37, 23];
/** Repeatable noise, with jumps over the whole range in it. */
function samplesOf(count: number, limit: number): number[] {
  let state = 9;
  return Array.from({ length: count }, (_, i) => {
    state = (state * 48271) % 2147483647;
    return i % 11 === 0 ? (i % 2) * (limit - 1) : state % limit;
  });
}
const decode = async (file: Uint8Array, samples: number, allocated: number) => [
  ...(await losslessJpeg(file, { width, height, samples, allocated }, new Pace({}))),
];

describe('lossless JPEG', () => {
  for (const [samples, precision] of [
    [1, 8],
    [3, 8],
    [1, 12],
    [1, 16],
    [3, 16],
  ] as const)
    it(`${samples} samples of ${precision} bits, with every predictor and with restarts`, async () => {
      const data = samplesOf(width * height * samples, 2 ** precision);
      for (let predictor = 1; predictor <= 7; predictor++)
        for (const restart of [0, 1, 5]) {
          const file = encoded(width, height, samples, data, precision, { predictor, restart });
          const got = await decode(file, samples, precision > 8 ? 16 : 8);
          expect(got, `predictor ${predictor}, restart ${restart}`).to.deep.equal(data);
        }
    });

  it('agrees with another decoder', async () => {
    const data = samplesOf(width * height, 4096);
    for (let predictor = 1; predictor <= 6; predictor++) {
      const file = encoded(width, height, 1, data, 12, { predictor });
      const other = new Decoder().decode(file.buffer, 0, file.length)!;
      expect(await decode(file, 1, 16)).to.deep.equal([...other]);
    }
  });

  it('of what is not there or not of its size is damaged', async () => {
    const file = encoded(width, height, 1, samplesOf(width * height, 256));
    const format = { width, height, samples: 1, allocated: 8 };
    const code = async (bytes: Uint8Array, other = {}) =>
      (await failure(() => losslessJpeg(bytes, { ...format, ...other }, new Pace({})))).code;
    for (const other of [{ height: height + 1 }, { width: 1 }, { samples: 3 }])
      expect(await code(file, other), JSON.stringify(other)).to.equal('decode-failed');
    for (let length = 2; length < file.length - 4; length += 13)
      expect(await code(file.slice(0, length)), `${length} bytes`).to.equal('decode-failed');
  });
});
