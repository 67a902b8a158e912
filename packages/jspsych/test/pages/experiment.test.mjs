// Full run only: it builds or packs projects, up to a minute.
// The example with jsPsych itself, as it is built for pages, in a browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startSite, strictPolicy } from '../../../../test/support/pages.mjs';
import { root } from '../../../../tools/serve.mjs';

const folder = path.join(root, 'packages/jspsych');
const ofJsPsych = path.join(root, 'node_modules/jspsych');

describe('@foveola/jspsych in a browser', () => {
  let site;
  before(async () => {
    execFileSync(process.execPath, [path.join(folder, 'build.mjs')], { stdio: 'pipe' });
    const text = (file) => (_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(readFileSync(file));
    site = await startSite({
      mounts: { '/example/foveola/': path.join(root, 'dist'), '/example/': path.join(folder, 'example') },
      routes: {
        '/example/jspsych.js': text(path.join(ofJsPsych, 'dist/index.browser.js')),
        '/example/jspsych.css': (_, response) =>
          response
            .writeHead(200, { 'Content-Type': 'text/css' })
            .end(readFileSync(path.join(ofJsPsych, 'css/jspsych.css'))),
        '/example/jspsych-foveola.js': text(path.join(folder, 'dist/index.browser.js')),
      },
      // jsPsych itself writes style attributes, and its style sheet has fonts and icons as data.
      headers: {
        'Content-Security-Policy': `${strictPolicy
          .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
          .replace("img-src 'self'", "img-src 'self' data:")}; font-src data:`,
      },
    });
  });
  after(() => site?.close());

  async function dataOf(page) {
    await page.waitForSelector('#data');
    return JSON.parse(await page.$eval('#data', (element) => element.textContent));
  }

  it('has complete data of 100 simulated trials', async () => {
    const { page, errors } = await site.open('/example/?simulate&repetitions=50');
    const trials = (await dataOf(page)).filter(({ trial_type }) => trial_type === 'screen');
    assert.equal(trials.length, 100);
    for (const trial of trials) {
      assert.deepEqual(trial.extension_type, ['foveola-pupil']);
      assert.ok(trial.pupil_samples.length >= 29);
      assert.deepEqual([trial.pupil_clock, trial.pupil_complete], ['simulated', true]);
      assert.ok(trial.pupil_diameter > 0);
    }
    assert.deepEqual(errors, []);
    await page.close();
  });

  it('measures the pupil that a camera sees', async () => {
    const { page, errors } = await site.open('/example/?demo');
    await page.waitForSelector('button:not([disabled])');
    await page.waitForFunction(() => document.querySelector('[role=status]').textContent === 'Good.');
    await page.click('button');
    const [preview, ...trials] = await dataOf(page);
    assert.deepEqual([preview.error, preview.found > 0.9], [null, true]);
    assert.equal(trials.length, 4);
    for (const trial of trials) {
      assert.ok(trial.pupil_frames > 3 && trial.pupil_found > 0.9, JSON.stringify(trial).slice(0, 200));
      assert.deepEqual([trial.pupil_error, trial.pupil_unit], [null, 'px']);
    }
    const last = ({ pupil_samples }) => pupil_samples.at(-1).diameter;
    assert.ok(last(trials[1]) > last(trials[0]) + 10, 'the pupil is larger in the dark');
    assert.deepEqual(errors, []);
    await page.close();
  });

  it('has less than 30 kB in each script', () => {
    for (const file of ['index.js', 'index.browser.js'])
      assert.ok(statSync(path.join(folder, 'dist', file)).size < 30_000);
  });
});
