// Blink lists, tables, charts and exports of rendered recordings say the same: three of those of `npm run lab -- agreement pupil`.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { page as content } from '../../lab/pupil/agreement.mjs';
import { bundleForPage } from '../../tools/import-ts.mjs';
import { short } from '../support/full.mjs';
import { startSite } from '../support/pages.mjs';

/* global lab */

describe('blinks of a recording', () => {
  let site;
  before(async () => {
    site = await startSite({ routes: { '/agreement.html': content } });
  });
  after(() => site?.close());

  it('are the same in every list, table, chart and export', async () => {
    const { page, errors } = await site.open('/agreement.html');
    await page.addScriptTag({ content: await bundleForPage('lab/pupil/parts/agreement-page.ts', { name: 'lab' }) });
    for (let i = 0; i < (short ? 1 : 3); i++) {
      const { faults, listed } = await page.evaluate((index) => lab.agreement(index), i);
      assert.deepEqual(faults, [], `recording ${i}`);
      assert.ok(listed > 0, `recording ${i} has blinks`);
    }
    assert.deepEqual(errors, []);
    await page.close();
  });
});
