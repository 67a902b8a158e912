// The rows of test/support/image-rows.mjs in Node, against what each is known to hold; test/pages/image-routes.full.test.mjs compares
// them with the page. And what the command makes of a stack.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { folder } from '../command/support.mjs';
import { imageRows } from '../support/image-rows.mjs';

const rows = await imageRows();
const mean = (values) => values.reduce((sum, v) => sum + v, 0) / values.length;
const near = (levels) => levels.map((level) => Math.round(100 * level) / 100);

/** Gray values of an image or a frame; the pictures are gray. */
async function grays(source) {
  if (!source.copyTo) return [...source.data].filter((_, i) => source.data.length === source.width * source.height || i % 4 === 0); // prettier-ignore
  const data = new Uint8Array(source.allocationSize());
  await source.copyTo(data);
  const count = source.displayWidth * source.displayHeight;
  return source.format === 'RGBA' ? [...data].filter((_, i) => i % 4 === 0) : [...data.subarray(0, count)];
}

describe('image files, stacks and animations in Node', () => {
  let library, made;
  before(async () => {
    library = await importTs('src/node/index.ts');
    made = folder();
  });
  after(() => made?.remove());

  async function read(path) {
    const { image, notes, frames } = await library.readImage(path);
    if (frames === 1) {
      const pixels = await grays(image);
      return { frames, times: [0], levels: [mean(pixels)], size: `${image.width}x${image.height}`, pixels, notes };
    }
    const all = { frames: 0, times: [], levels: [] };
    for await (const { frame, mediaTime, file } of library.frames(path)) {
      const pixels = await grays(frame);
      if (!all.frames++) Object.assign(all, { size: `${frame.displayWidth}x${frame.displayHeight}`, pixels });
      all.times.push(mediaTime);
      all.levels.push(mean(pixels));
      all.notes = file.notes;
    }
    return all;
  }

  for (const [i, { name, file, refusal, of = {}, pixels, notes }] of rows.entries())
    it(name, async () => {
      const path = made.at(`${i}.bin`);
      writeFileSync(path, await file());
      if (refusal) return assert.rejects(read(path), refusal);
      const found = await read(path);
      const { levels, ...rest } = of;
      for (const [what, wanted] of Object.entries(rest)) assert.deepEqual(found[what], wanted, what);
      if (levels) assert.deepEqual(near(found.levels), near(levels));
      if (pixels) assert.deepEqual(found.pixels, pixels);
      if (notes) assert.match(found.notes.join(' '), notes);
    });
});
