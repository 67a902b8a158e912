/** Priorities of the GPU as 64-bit keys: the product of the two terms to the last bit, carries and all. */
import { expect } from 'chai';
import { inverseLengths } from '../../src/inpaint/picture.ts';
import { keyPass, begin, drawRows, rowsTexture, termsGpu } from '../../src/inpaint/passes.gpu.ts';
import { drive } from '../../src/runtime/stage.ts';
import { makeRuntime } from '../parity/backends.ts';
import { picture, rectangles } from './pictures.ts';

it('keys of the front are confidence times data plus 2^32, or the confidence alone', async () => {
  const runtime = await makeRuntime();
  const [width, height, patch] = [61, 43, 9];
  let [products, alone, carries] = [0, 0, 0];
  for (const [seed, content] of (['noise', 'waves', 'tiles'] as const).entries()) {
    const image = picture(width, height, content, seed + 1);
    const holes = rectangles(width, height, 6, 12, seed + 1);
    const { keys, confidences, data } = await drive(runtime, function* (scope) {
      const source = scope.own(runtime.plane(width, height, 'rgba8', image.data));
      const mask = scope.own(runtime.plane(width, height, 'u8', holes.data));
      const state = begin(scope, source, mask);
      const target = scope.texture(width, height, 'rgba32ui');
      const box = { x: 0, y: 0, width, height };
      const rows = rowsTexture(scope, box, patch);
      drawRows(scope, { ...state, rows }, box, patch);
      scope.draw(keyPass, {
        targets: [target],
        textures: { image: state.image, rows },
        uniforms: { reach: patch >> 1, inverse: inverseLengths, corner: [0, 0] },
      });
      const terms = termsGpu(scope, source, mask, patch);
      const bytes = yield* scope.wait(runtime.gpu!.read(target));
      return {
        keys: new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2),
        confidences: (yield* scope.read(terms[0])) as Uint32Array,
        data: (yield* scope.read(terms[1])) as Uint32Array,
      };
    });
    for (let i = 0; i < width * height; i++) {
      const [a, b] = [BigInt(confidences[i]!), BigInt(data[i]!)];
      const key = (BigInt(keys[4 * i]!) << 32n) | BigInt(keys[4 * i + 1]!);
      expect(key, `${content}, pixel ${i}`).to.equal(a * b ? a * b + (1n << 32n) : a);
      if (a) expect(keys[4 * i + 2]).to.equal(i);
      if (a * b) products++;
      else if (a) alone++;
      // What the lower halves carry into the middle, and the middle into the upper half.
      const low = (a & 0xffffn) * (b & 0xffffn);
      if (low >> 16n) carries++;
    }
  }
  expect(Math.min(products, carries)).to.be.above(50);
  expect(alone).to.be.above(0);
  runtime.dispose();
});
