// The picture of the README: the demo page with its pupil outlined. FOVEOLA_SCREENSHOT=docs/images/demo.png npm test --
// screenshot writes it again; every other run looks at the picture and throws it away.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { startSite } from '../support/pages.mjs';

describe('the picture of the demo', () => {
  let site;
  before(async () => {
    site = await startSite();
  });
  after(() => site?.close());

  it('shows the outline on the pupil', async () => {
    const { page, errors } = await site.open('/demo/');
    await page.setViewport({ width: 1120, height: 900 });
    await page.waitForSelector('foveola-pupil[tracking]');
    // Some seconds of chart, then a still frame, so that outline and picture are of the same moment.
    await new Promise((resolve) => setTimeout(resolve, 4200));
    const found = await page.$eval('foveola-pupil', async (element) => {
      element.stop();
      // The clip blinks, and it ends: on to a frame with the eye open.
      let pupils = [];
      for (let i = 0; i < 20 && !pupils[0]?.found; i++) {
        const result = await element.step();
        if (result) ({ pupils } = result);
        else {
          await element.start();
          await new Promise((resolve) => setTimeout(resolve, 300));
          element.stop();
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { pupil: pupils[0] };
    });
    assert.ok(found.pupil.found, 'the stopped frame has its pupil');
    const picture = await page.screenshot({ type: 'png' });
    assert.ok(picture.length > 50_000, `a picture of ${picture.length} bytes is not the demo`);
    if (process.env.FOVEOLA_SCREENSHOT) writeFileSync(path.resolve(root, process.env.FOVEOLA_SCREENSHOT), picture);
    assert.deepEqual(errors, []);
  });
});
