// demo/bench.html measures the visitor's own device: by the keyboard, stopped at will, under the strict policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fundus, ROWS, scene } from '../../bench/door/parts/door-scene.js';
import { root } from '../../tools/serve.mjs';
import { startSite } from '../support/pages.mjs';

/* global axe, calls, picture, waves, retina, WebGL2RenderingContext */

describe('the page that measures a device', () => {
  let site;
  before(async () => (site = await startSite({ alone: true })));
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

  it('measures the rows of `npm run bench -- door`, on the same pictures', async () => {
    const { page } = await site.open('/demo/bench.html');
    const [rows, ...drawn] = await page.evaluate(() => [
      calls.map(([name, width, height]) => [name.toLowerCase(), width, height]),
      [...picture(97, 60, waves).data],
      [...picture(97, 60, retina).data],
    ]);
    // Samples that are given away are another row of the command: the same call.
    assert.deepEqual(
      rows,
      ROWS.filter(([name]) => !name.endsWith('given away')),
    );
    assert.deepEqual(drawn, [[...scene(97, 60)], [...fundus(97, 60)]]);
  });

  it('names the device, shows both sides of a graphics card, and has the profile to copy', async () => {
    // A card by its name alone, which only an engine on the page's own thread sees.
    const { page } = await site.open('/demo/bench.html?only=top-hat', {
      before: (page) =>
        page.evaluateOnNewDocument(() => {
          delete globalThis.Worker;
          const { getParameter } = WebGL2RenderingContext.prototype;
          WebGL2RenderingContext.prototype.getParameter = function (name) {
            return name === this.RENDERER ? 'NVIDIA Card' : getParameter.call(this, name);
          };
        }),
    });
    await site.browser
      .defaultBrowserContext()
      .overridePermissions(site.server.url.replace(/\/$/, ''), ['clipboard-read', 'clipboard-sanitized-write']);
    await page.click('#start');
    await page.waitForFunction(() => document.getElementById('engine').textContent === 'Done.');
    const found = await page.evaluate(() => ({
      device: document.getElementById('device').textContent,
      rows: [...document.querySelectorAll('#rows tr')].map((row) => row.innerText.replace(/[\d.]+ *$/, '').trim()),
      bars: [...document.querySelectorAll('#rows meter')].map(({ value, max }) => value / max),
    }));
    assert.match(found.device, /Graphics: NVIDIA Card\. Processor: \d+/);
    assert.equal(found.rows.length, 2);
    assert.match(found.rows[0], /^Top-hat 19 1280x1024\s+WASM, 1 thread/);
    assert.match(found.rows[1], /^Top-hat 19 1280x1024\s+graphics/);
    assert.equal(found.bars.length, 4);
    assert.equal(Math.max(...found.bars), 1);
    await page.click('#copy-result');
    await page.waitForFunction(() => document.getElementById('copied').textContent === 'Copied.');
    assert.match(
      await page.evaluate(() => navigator.clipboard.readText()),
      /NVIDIA Card[^]*\| Top-hat 19 1280x1024 \| graphics \|/,
    );
    await page.evaluate(() => (document.getElementById('copied').textContent = ''));
    await page.click('#copy');
    await page.waitForFunction(() => document.getElementById('copied').textContent === 'Copied.');
    const { device, calls: times } = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    assert.equal(device, 'NVIDIA Card, 1 threads');
    assert.ok(Object.keys(times).some((key) => key.startsWith('morphology')));
  });
});
