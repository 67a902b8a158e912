// <foveola-track> as it is built, on a page with a strict policy: targets by attribute, keyboard and mouse on the real
// engine, correction, removal, export, and what axe says of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { itInFull, itKept } from '../support/full.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';
import { clip, disc, heard, settingsShown } from './element-support.mjs';

/* global axe */

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const pageOf = (attributes, lang = 'en') =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>test</title>
   <script src="/heard.js"></script><script src="/dist/foveola.cdn.js"></script></head>
   <body><main><h1>Test</h1><foveola-track ${attributes}></foveola-track></main></body></html>`;

const element = (page, work, argument) => page.$eval('foveola-track', work, argument);
const shown = (page) =>
  page
    .waitForFunction(() => heard.results.length > 0, { polling: 50 })
    .catch(async (cause) => {
      const state = await element(page, (e) => ({
        attributes: e.getAttributeNames(),
        visibility: document.visibilityState,
        readyState: e.shadowRoot.querySelector('video')?.readyState,
        states: heard.states,
        errors: heard.errors,
      }));
      throw new Error(`No result came: ${JSON.stringify(state)}`, { cause });
    });
const targets = (page, count) =>
  page.waitForFunction((n) => heard.results.at(-1)?.targets.length === n, { polling: 50 }, count);
const press = (page, label) =>
  element(page, (e, name) => e.shadowRoot.querySelector(`button[aria-label="${name}"]`).click(), label);

describe('foveola-track under a strict policy', () => {
  let site;
  before(async () => {
    site = await startSite({
      routes: {
        '/short.html': pageOf(`src="${disc}" controls paused`),
        '/heard.js': heard,
        '/box.html': pageOf(`src="${disc}" box="32 32 56 56" controls loop`),
        '/paused.html': pageOf(`src="${clip}" controls paused`),
        '/empty.html': pageOf('controls'),
        '/german.html': pageOf(`src="${clip}" controls paused settings-open`, 'de'),
      },
      headers: (page) =>
        page.endsWith('.html')
          ? { 'Content-Security-Policy': `${strictPolicy}; require-trusted-types-for 'script'` }
          : {},
    });
  });
  after(() => site?.close());

  itInFull('follows the box of its attribute, and exports the track', async () => {
    const { page, errors } = await site.open('/box.html');
    await targets(page, 1);
    assert.equal(await element(page, (e) => e.record()), true);
    await page.waitForFunction(() => heard.results.filter(({ box }) => box).length > 20, {
      polling: 50,
      timeout: 60_000,
    });
    await element(page, (e) => e.record());
    assert.ok(await element(page, (e) => e.hasAttribute('tracking')));
    const { csv, json, mot } = await element(page, async (e) => ({
      csv: await e.exportCsv(),
      json: JSON.parse(await e.exportJson()),
      mot: e.exportMot(),
    }));
    assert.match(csv, /^frame,timestamp,clock,mediaTime,target,found,x,y,width,height,confidence,by,learning/m);
    assert.equal(json.parameters.seed, 1);
    assert.match(mot, /^\d+,1,[\d.]+,[\d.]+,[\d.]+,[\d.]+,[\d.]+,-1,-1,-1$/m);
    assert.deepEqual(errors, []);
    await page.close();
  });

  it('is given targets by the keyboard alone, corrects, takes back and removes them', async () => {
    const { page, errors } = await site.open('/paused.html');
    await shown(page);
    await press(page, 'Draw a box around a target');
    await page.waitForFunction(() =>
      document.querySelector('foveola-track').shadowRoot.activeElement?.matches('.shape'),
    );
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.up('Shift');
    await page.keyboard.press('Enter');
    await targets(page, 1);
    const buttons = () =>
      element(page, (e) =>
        [...e.shadowRoot.querySelectorAll('.targets .target button')].map((b) => b.textContent.trim()),
      );
    await page.waitForFunction(
      () => document.querySelector('foveola-track').shadowRoot.querySelectorAll('.targets .target button').length === 2,
      { polling: 50 },
    );
    assert.match((await buttons())[0], /^1: \d+ %$/);

    const {
      timestamp,
      targets: [{ box }],
    } = await page.evaluate(() => heard.results.at(-1));
    const corrected = { ...box, x: box.x + box.width / 2 };
    await element(page, (e, to) => e.correctTarget(1, to), corrected);
    await element(page, (e) => e.step());
    await page.waitForFunction((t) => heard.results.at(-1).timestamp !== t, { polling: 50 }, timestamp);
    const followed = await page.evaluate(() => heard.results.at(-1).targets[0].box);
    const off = Math.hypot(followed?.x - corrected.x, followed?.y - corrected.y);
    assert.ok(off < box.width / 8, JSON.stringify({ box, corrected, followed }));

    await element(page, (e) => e.undo());
    await element(page, (e) => e.step());
    await targets(page, 0);
    assert.deepEqual(errors, []);
    await page.close();
  });

  itInFull('is given a target by the mouse', async () => {
    const { page, errors } = await site.open('/paused.html');
    await shown(page);
    await press(page, 'Draw a box around a target');
    const stage = await element(page, (e) => {
      const { x, y, width, height } = e.shadowRoot.querySelector('canvas.overlay').getBoundingClientRect();
      return { x, y, width, height };
    });
    await page.mouse.move(stage.x + 0.1 * stage.width, stage.y + 0.1 * stage.height);
    await page.mouse.down();
    await page.mouse.move(stage.x + 0.3 * stage.width, stage.y + 0.3 * stage.height, { steps: 4 });
    await page.mouse.up();
    await targets(page, 1);
    const { box, width, height } = await page.evaluate(() => {
      const { targets, width, height } = heard.results.at(-1);
      return { box: targets[0].box, width, height };
    });
    // The picture lies in the middle of the stage, as large as fits; what is drawn beside it is cut off.
    const scale = Math.min(stage.width / width, stage.height / height);
    const [left, top] = [(stage.width / scale - width) / 2, (stage.height / scale - height) / 2];
    const at = (share) => ({
      x: Math.max(0, (share * stage.width) / scale - left),
      y: Math.max(0, (share * stage.height) / scale - top),
    });
    const [from, to] = [at(0.1), at(0.3)];
    const drawn = { ...from, width: to.x - from.x, height: to.y - from.y };
    for (const key of ['x', 'y', 'width', 'height'])
      assert.ok(
        Math.abs(box[key] - drawn[key]) <= 2.5,
        `${JSON.stringify(box)} where ${JSON.stringify(drawn)} was drawn`,
      );
    assert.deepEqual(errors, []);
    await page.close();
  });

  itInFull('analyses every frame: what was learned finds the target, boxes by hand count in their frames', async () => {
    const { page, errors } = await site.open('/short.html');
    await shown(page);
    const none = await element(page, (e) => e.analyse().catch(({ code }) => code));
    assert.equal(none, 'source-not-ready');
    await element(page, (e) => e.addTarget({ x: 32, y: 32, width: 56, height: 56 }));
    for (let i = 0; i < 5; i++) await element(page, (e) => e.step());
    const last = await page.evaluate(() => heard.results.at(-1));
    const corrected = { x: 34, y: 36, width: 60, height: 52 };
    await element(page, (e, box) => e.correctTarget(1, box), corrected);
    await page.evaluate(() => (heard.results.length = 0));
    const result = await element(page, async (e) => {
      const { complete, everyFrame, frames } = await e.analyse();
      return { complete, everyFrame, frames, csv: await e.exportCsv(), mot: e.exportMot() };
    });
    assert.ok(result.complete && result.everyFrame, JSON.stringify(result).slice(0, 200));
    const rows = result.csv.split('\n').filter((line) => /^\d/.test(line));
    assert.equal(rows.length, result.frames);
    const at = await page.evaluate(
      (time) => heard.results.find(({ timestamp }) => timestamp >= time)?.targets,
      last.timestamp,
    );
    assert.equal(at.length, 1);
    assert.equal(at[0].id, 1);
    assert.deepEqual(at[0].box, corrected);
    assert.match(result.mot, /^\d+,1,[\d.]+,[\d.]+,[\d.]+,[\d.]+,[\d.]+,-1,-1,-1$/m);
    // The targets of before are still there.
    await element(page, (e) => e.step());
    assert.equal((await page.evaluate(() => heard.results.at(-1).targets)).length, 1);
    // Seeking breaks off what the video was loading.
    assert.deepEqual(
      errors.filter((error) => !error.endsWith('net::ERR_ABORTED')),
      [],
    );
    await page.close();
  });

  // Nineteen seconds of frames. test/node/objects.test.mjs has what the tracker does when its target hides.
  itInFull('follows the patch of the demo, and finds it as soon as it has come out from behind the bar', async () => {
    const page = await site.browser.newPage();
    await page.goto(new URL('/demo/engine-status.js', site.server.url).href);
    const rows = await page.evaluate(async () => {
      const { createEngine } = await import('/dist/foveola.js');
      const { bar, canvas, draw, place, side } = await import('/demo/track-scene.js');
      const engine = await createEngine({ backend: 'wasm' });
      const tracker = engine.createObjectTracker();
      const at = (t) => (draw(t), tracker.process(canvas, { timestamp: t }));
      await at(0);
      await tracker.add({ ...place(0), width: side, height: side });
      const heard = [];
      for (let t = 33; t < 19_000; t += 33) {
        const { box } = await at(t);
        const { x, y } = place(t);
        const free = x + side <= bar.x || x >= bar.x + bar.width;
        heard.push({ t, free, error: box ? Math.hypot(box.x - x, box.y - y) : null });
      }
      await engine.dispose();
      return heard;
    });
    // Behind the bar twice, the second time the other way.
    assert.ok(rows.filter(({ error }) => error === null).length > 20);
    assert.deepEqual(
      rows.filter(({ free, error }) => free && error === null),
      [],
    );
    let hidden = 0;
    for (const [i, { t, error }] of rows.entries())
      if (error === null && (hidden ||= t)) {
        assert.ok(t - hidden < 2000, `lost from ${hidden} to ${t} ms`);
        if (rows[i + 1]?.error !== null) hidden = 0;
      }
    await page.close();
  });

  itInFull('says what is missing', async () => {
    const { page } = await site.open('/empty.html');
    const failure = await element(page, (e) =>
      e.addTarget({ x: 0, y: 0, width: 40, height: 40 }).catch(({ code, message }) => ({ code, message })),
    );
    assert.equal(failure.code, 'source-not-ready');
    assert.match(failure.message, /Open a source/);
    await page.close();
  });

  for (const at of ['/empty.html', '/german.html', '/box.html'])
    itKept(at === '/box.html')(`axe has nothing to object to on ${at}`, async () => {
      const { page } = await site.open(at);
      if (at !== '/empty.html') await shown(page);
      await settingsShown(page);
      await page.evaluate(axeSource);
      const { violations } = await page.evaluate(() => axe.run());
      assert.deepEqual(
        violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`)),
        [],
      );
      await page.close();
    });
});
