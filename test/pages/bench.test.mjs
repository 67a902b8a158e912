// demo/bench.html measures the visitor's own device: by the keyboard, stopped at will, under the strict policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { startSite } from '../support/pages.mjs';

/* global axe */

describe('the page that measures a device', () => {
  let site;
  before(async () => (site = await startSite({})));
  after(() => site?.close());

  it('shows times of calls as they come, stops, and can begin again', async () => {
    const { page, problems = [] } = await site.open('/demo/bench.html');
    const says = (words) =>
      page.waitForFunction((words) => document.getElementById('engine').textContent.includes(words), {}, words);
    await page.focus('#start');
    for (let turn = 0; turn < 2; turn++) {
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelectorAll('#rows meter').length >= 2);
      const [first, labels] = await page.evaluate(() => [
        Number(document.querySelector('#rows meter').value),
        [...document.querySelectorAll('#rows meter')].map((bar) => bar.getAttribute('aria-label')),
      ]);
      assert.ok(first > 0, `${first}`);
      assert.match(labels[0], /^Gaussian 1280x1024, WASM, \d threads?, Samples in and out: [\d.]+ milliseconds$/);
      await page.keyboard.press('Enter'); // the focus is on Stop
      await says('Stopped.');
    }
    await page.evaluate(readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8'));
    const { violations } = await page.evaluate(() => axe.run());
    assert.deepEqual(
      violations.map(({ id }) => id),
      [],
    );
    assert.deepEqual(problems, []);
  });
});
