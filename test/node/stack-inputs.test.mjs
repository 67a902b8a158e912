// What the command opens of a stack, and what its results say of the pages.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { importTs } from '../../tools/import-ts.mjs';
import { folder } from '../command/support.mjs';

describe('stacks as inputs of the command', () => {
  let opening, tiff, made;
  const [width, height] = [12, 9];
  const page = (value) => ({ width, height, data: new Array(width * height).fill(value) });
  before(async () => {
    opening = await importTs('src/command/analyses/analysis.ts');
    tiff = await importTs('test/support/tiff-writer.ts');
    made = folder();
  });
  after(() => made?.remove());

  async function noted(takes, pages) {
    const path = made.at('a.tif');
    writeFileSync(path, await tiff.tiffFile(pages));
    const input = await opening.openInput('test', { takes }, path, { bytes: null });
    let last = null;
    if (input.kind === 'recording') for await (const { mediaTime } of input.frames) last = mediaTime;
    return { kind: input.kind, ...opening.readOf(input, { lastMediaTime: last }).analysis };
  }
  const six = [1, 2, 3, 4, 5, 6].map(page);
  const small = { width: 4, height: 4, data: new Array(16).fill(9) };

  it('are read to their last page by what takes recordings', async () => {
    const { kind, complete, pages, reason, lastMediaTime } = await noted(['recording', 'image'], six);
    assert.deepEqual([kind, complete, pages, reason, lastMediaTime], ['recording', true, '6 of 6', null, 200]);
    assert.equal((await noted(['recording'], six)).pages, '6 of 6');
  });

  it('are counted where one page is taken', async () => {
    const { kind, complete, pages, reason } = await noted(['image'], six);
    assert.deepEqual([kind, complete, pages], ['image', false, '1 of 6']);
    assert.match(reason, /5 of 6 pages/);
  });

  it('count their thumbnails as left out', async () => {
    const { kind, complete, pages } = await noted(['recording', 'image'], [page(1), small, page(2)]);
    assert.deepEqual([kind, complete, pages], ['recording', false, '2 of 3']);
    assert.deepEqual((await noted(['recording', 'image'], [page(1), small])).pages, '1 of 2');
  });

  it('of one page are no recording', async () => {
    await assert.rejects(noted(['recording'], [page(1)]), { code: 'source-unsupported', message: /needs a recording/ });
  });
});
