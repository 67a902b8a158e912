/** Medians at the border of a tile: the last tile may be narrower than the window's reach. */
import { expect } from 'chai';
import { median } from '../../src/image/index.ts';
import { references } from '../reference/index.ts';
import { generator } from '../parity/cases.ts';
import { difference, makeRuntime, onSide } from '../parity/backends.ts';

describe('medians where a tile ends', () => {
  for (const size of [3, 5, 7, 11, 13])
    it(`of ${size} replicate the right border in the tile before the last`, async () => {
      const runtime = await makeRuntime();
      const random = generator(size);
      for (let width = 254; width <= 263; width++) {
        const height = 6;
        // The samples of the plane before fill the room behind its rows.
        const data = Uint8Array.from({ length: width * height }, () => 256 * random());
        runtime.plane(512, height, 'u8', new Uint8Array(512 * height).fill(width & 1 ? 255 : 0)).dispose();
        const inputs = [{ width, height, format: 'u8' as const, data }];
        const answer = await onSide(runtime, 'wasm', median, inputs, { size });
        const [expected] = references[median.name]!(inputs, { size } as never);
        expect('value' in answer && difference(answer.value[0]!, expected!, 0), `width ${width}`).to.equal('');
      }
      runtime.dispose();
    });
});
