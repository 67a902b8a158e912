// Inpainting in Node where the right answer is known: textures that repeat, and straight borders (the bench's pictures).
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { exactCases, squareMask } from '../../lab/inpaint/parts/exact.mjs';
import { within } from '../../lab/inpaint/parts/measures.mjs';
import { importTs } from '../../tools/import-ts.mjs';

describe('inpainting where the answer is known', () => {
  let engine;
  before(async () => {
    const { createEngine } = await importTs('src/index.ts');
    engine = await createEngine();
  });
  after(() => engine?.dispose());

  for (const { name, image, hole } of exactCases())
    it(name, async () => {
      const mask = squareMask(image.width, image.height, hole);
      const damaged = { ...image, data: image.data.slice() };
      mask.data.forEach((v, i) => v && damaged.data.fill(0, 4 * i, 4 * i + 4));
      const filled = await engine.inpaint(damaged, mask);
      assert.equal(filled.width, image.width);
      assert.ok(within(filled, image, mask.data, 8) >= 0.95);
      for (let i = 0; i < mask.data.length; i++)
        if (!mask.data[i]) assert.equal(filled.data[4 * i], image.data[4 * i], 'outside the mask nothing changes');
    });
});
