/** Of matches that are alike the nearest in the picture wins, across as well as down. */
import { expect } from 'chai';
import { match } from '../../src/inpaint/stages.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { makeRuntime, onSide } from '../parity/backends.ts';

const side = 66;
const center = { x: 12, y: 12 };

/** Noise, with copies of the patch around the center at these distances. */
function pictureWith(copies: readonly (readonly [dx: number, dy: number])[]): Uint8Array {
  let seed = 5;
  const data = Uint8Array.from({ length: 4 * side * side }, (_, i) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return i % 4 === 3 ? 255 : seed >>> 24;
  });
  for (const [dx, dy] of copies)
    for (let y = center.y - 2; y <= center.y + 2; y++) {
      const from = 4 * (y * side + center.x - 2);
      data.copyWithin(from + 4 * (dy * side + dx), from, from + 20);
    }
  return data;
}

describe('the best match', () => {
  let runtime: Runtime;
  before(async () => void (runtime = await makeRuntime()));
  after(() => runtime.dispose());

  const found = async (on: 'wasm' | 'gpu', copies: readonly (readonly [number, number])[], near: boolean) => {
    const mask = new Uint8Array(side * side);
    mask[center.y * side + center.x] = 255;
    const inputs = [
      { width: side, height: side, format: 'rgba8' as const, data: pictureWith(copies) },
      { width: side, height: side, format: 'u8' as const, data: mask },
    ];
    const answer = await onSide(runtime, on, match, inputs, { patch: 5, ...center, near });
    if ('error' in answer) throw new Error(answer.error.message);
    const { data } = answer.value[0] as { data: ArrayLike<number> };
    return [data[0]! + 2 - center.x, data[1]! + 2 - center.y];
  };

  for (const on of ['wasm', 'gpu'] as const)
    it(`is the nearer one, ${on}`, async () => {
      expect(
        await found(
          on,
          [
            [20, 0],
            [0, 40],
          ],
          true,
        ),
      ).to.deep.equal([20, 0]);
      expect(
        await found(
          on,
          [
            [0, 20],
            [40, 0],
          ],
          true,
        ),
      ).to.deep.equal([0, 20]);
      expect(
        await found(
          on,
          [
            [25, 25],
            [0, 40],
            [40, 0],
          ],
          true,
        ),
      ).to.deep.equal([25, 25]);
      // Where the distance does not count, the first in the picture.
      expect(
        await found(
          on,
          [
            [0, 20],
            [40, 0],
          ],
          false,
        ),
      ).to.deep.equal([40, 0]);
    });
});
