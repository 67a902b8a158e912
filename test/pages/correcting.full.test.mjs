// <foveola-vessels> as it is built, on a page with a strict policy: a drawn fundus photograph is corrected by mouse and by
// keyboard, with undo and export; what is loaded for it, and what is said where it cannot be loaded; axe; a photograph of ../shared.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { shared, startSite, strictPolicy } from '../support/pages.mjs';
import { heard } from './element-support.mjs';

/* global axe, addEventListener */

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const cdn = 'src="/dist/foveola.cdn.js" data-assets="/dist/"';
const pageOf = (script, lang = 'en') =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>test</title>
   <meta name="viewport" content="width=device-width, initial-scale=1">
   <script src="/heard.js"></script><script ${script}></script></head>
   <body><main><h1>Test</h1><foveola-vessels controls scales="all"></foveola-vessels></main></body></html>`;
const later = '/dist/vessel-corrections.js';

const element = (page, work, argument) => page.$eval('foveola-vessels', work, argument);
/** Opens the drawn photograph, or a file of the site, and waits for its vessels. */
const photograph = async (page, address = null) => {
  await page.evaluate(async (from) => {
    await customElements.whenDefined('foveola-vessels');
    window.corrected = [];
    addEventListener('foveola-correction', ({ detail }) => window.corrected.push(detail));
    const { drawFundus } = await import('/demo/fundus.js');
    const vessels = document.querySelector('foveola-vessels');
    vessels.source = from ? await (await fetch(from)).blob() : drawFundus(600, 600);
  }, address);
  await page.waitForFunction(() => heard.results.some(({ preview }) => !preview), { polling: 30, timeout: 60_000 });
};
const corrected = (page, count) =>
  page.waitForFunction((least) => window.corrected.length >= least, { polling: 30, timeout: 60_000 }, count);
const last = (page) =>
  page.evaluate(() => {
    const { corrections, result, retina } = window.corrected.at(-1);
    const { segments, fraction } = result;
    return { corrections, segments: segments.length, fraction, retina: JSON.parse(JSON.stringify(retina)) };
  });
/** The middle of the longest segment: in the picture, and on the page. */
const middle = (page) =>
  element(page, (vessels) => {
    const { segments, width, height } = vessels.result;
    const { points } = segments.reduce((a, b) => (b.length > a.length ? b : a));
    const at = 2 * (points.length >> 2);
    const [x, y] = [points[at], points[at + 1]];
    const box = vessels.shadowRoot.querySelector('.media').getBoundingClientRect();
    const scale = Math.min(box.width / width, box.height / height);
    const side = (from, size, length, v) => from + (size - scale * length) / 2 + (v + 0.5) * scale;
    return { x, y, page: [side(box.left, box.width, width, x), side(box.top, box.height, height, y)] };
  });
const tool = (page, name) =>
  element(page, ({ shadowRoot }, value) => shadowRoot.querySelector(`[data-value=${value}]`).click(), name);
const said = (page) =>
  element(page, ({ shadowRoot }) => shadowRoot.querySelector('[role=status].visually-hidden').textContent);
const undo = async (page, key) => {
  await page.keyboard.down('Control');
  await page.keyboard.press(key);
  await page.keyboard.up('Control');
};

describe('correcting vessels on a page', () => {
  let site;
  before(async () => {
    site = await startSite({
      routes: {
        '/heard.js': heard,
        '/cdn.html': pageOf(cdn),
        '/one.html': pageOf('src="/dist/foveola-vessels.cdn.js" data-assets="/dist/"'),
        '/german.html': pageOf(cdn, 'de'),
        '/module.html': pageOf('type="module" src="/dist/foveola.elements.js"'),
      },
      headers: (page) =>
        page.endsWith('.html')
          ? // The modules' worker has a plain address.
            {
              'Content-Security-Policy':
                strictPolicy + (page.startsWith('/module') ? '' : "; require-trusted-types-for 'script'"),
            }
          : {},
    });
  });
  after(() => site?.close());

  for (const name of ['cdn', 'one', 'module'])
    it(`is done by the mouse, taken back and exported: ${name}.html`, async () => {
      const { page, errors } = await site.open(`/${name}.html`);
      const asked = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await photograph(page);
      await element(page, async (vessels) => {
        await vessels.updateComplete;
        vessels.shadowRoot.querySelector('[aria-keyshortcuts=K]').click();
      });
      await corrected(page, 1);
      assert.ok(asked.includes(later));
      const first = await last(page);
      assert.ok(first.retina.disc.confidence > 0.5 && first.retina.tortuosity.arcOverChord >= 1);
      await tool(page, 'cut');
      const { page: place } = await middle(page);
      await page.mouse.click(...place);
      await corrected(page, 2);
      const cut = await last(page);
      assert.equal(cut.segments, first.segments + 1);
      assert.equal(cut.corrections[0].action, 'cut');
      await tool(page, 'disc');
      await page.mouse.move(...place);
      await page.mouse.down();
      await page.mouse.move(place[0] + 20, place[1]);
      await page.mouse.up();
      await corrected(page, 3);
      const disc = await last(page);
      assert.notEqual(disc.retina.disc.x, first.retina.disc.x);
      assert.equal(disc.retina.disc.confidence, null);
      await undo(page, 'z');
      await corrected(page, 4);
      assert.deepEqual((await last(page)).retina, cut.retina);
      await undo(page, 'y');
      await corrected(page, 5);
      const files = await element(page, async (vessels) => ({
        beside: JSON.parse(await vessels.exportCsvJson()),
        json: JSON.parse(await vessels.exportJson()),
        html: await vessels.exportReport(),
        kept: JSON.parse(JSON.stringify(vessels.corrections)),
      }));
      assert.deepEqual(files.beside.corrections, files.json.corrections);
      assert.deepEqual(files.json.corrections, { count: { cut: 1, disc: 1 }, list: files.kept });
      assert.equal(files.json.segments.length, cut.segments);
      assert.equal(files.json.retina.disc.x, disc.retina.disc.x);
      assert.match(files.html, /2 corrections by hand/);
      // What a portal keeps does the same again.
      await page.reload();
      await photograph(page);
      await element(page, (vessels, kept) => (vessels.corrections = kept), files.kept);
      await corrected(page, 1);
      const restored = await last(page);
      assert.deepEqual(restored.corrections, files.kept);
      assert.equal(restored.segments, cut.segments);
      assert.equal(restored.fraction, disc.fraction);
      assert.deepEqual(errors, []);
      assert.deepEqual(await page.evaluate(() => heard.errors), []);
      await page.close();
    });

  it('is done by the keyboard alone', async () => {
    const { page, errors } = await site.open('/cdn.html');
    await photograph(page);
    await element(page, ({ shadowRoot }) => shadowRoot.querySelector('.stage').focus());
    await page.keyboard.press('k');
    await corrected(page, 1);
    const focused = () =>
      page.evaluate(() => document.activeElement.shadowRoot.activeElement?.getAttribute('aria-label') ?? '');
    assert.match(await focused(), /^Add: column 300, row 300\. Arrow keys move, Space or Enter acts, Escape ends\.$/);
    const at = await middle(page);
    await page.keyboard.press('x');
    assert.match(await said(page), /^Cut$/);
    await page.keyboard.down('Shift');
    const steps = [at.x - 300, at.y - 300].map(Math.round);
    for (let i = 0; i < Math.abs(steps[0]); i++) await page.keyboard.press(steps[0] > 0 ? 'ArrowRight' : 'ArrowLeft');
    for (let i = 0; i < Math.abs(steps[1]); i++) await page.keyboard.press(steps[1] > 0 ? 'ArrowDown' : 'ArrowUp');
    await page.keyboard.up('Shift');
    assert.match(await focused(), new RegExp(`^Cut: column ${300 + steps[0]}, row ${300 + steps[1]}\\.`));
    await page.keyboard.press('Enter');
    await corrected(page, 2);
    assert.equal((await last(page)).corrections[0].action, 'cut');
    assert.match(await said(page), /^Vessel cut\. Vessels cover .*branch points\. 1 correction by hand\.$/);
    await page.keyboard.press('v');
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
    await undo(page, 'z');
    await corrected(page, 3);
    assert.deepEqual((await last(page)).corrections, []);
    // The toolbar is reached by Tab, and its switch by the arrow keys.
    const order = [];
    for (let i = 0; i < 30 && !order.includes('Redo'); i++) {
      await page.keyboard.press('Tab');
      order.push(await focused());
    }
    assert.ok(order.includes('Brush size') && order.includes('Redo'), order.join(', '));
    await page.keyboard.press('Enter');
    await corrected(page, 4);
    assert.equal((await last(page)).corrections.length, 1);
    await element(page, ({ shadowRoot }) => shadowRoot.querySelector('.brush').focus());
    await page.keyboard.press('Escape');
    assert.equal(await element(page, ({ correcting }) => correcting), false);
    assert.deepEqual(errors, []);
    await page.close();
  });

  it('says what is missing where its part cannot be loaded', async () => {
    const { page } = await site.open('/cdn.html', {
      async before(opened) {
        await opened.setRequestInterception(true);
        opened.on('request', (request) =>
          request.url().endsWith(later) ? request.respond({ status: 404, body: '' }) : request.continue(),
        );
      },
    });
    await photograph(page);
    await element(page, (vessels) => (vessels.correcting = true));
    const own = () => heard.errors.filter(({ message }) => message.startsWith('Measures'));
    await page.waitForFunction(() => heard.errors.some(({ message }) => message.startsWith('Measures')), {
      polling: 50,
    });
    const errors = await page.evaluate(own);
    assert.equal(errors.length, 1);
    const [{ code, message }] = errors;
    assert.equal(code, 'asset-missing');
    await page.waitForFunction(() => !document.querySelector('foveola-vessels').correcting, { polling: 50 });
    assert.match(
      message,
      /Measures around the optic disc need their own part: .*\/dist\/vessel-corrections\.js is missing/,
    );
    await page.close();
  });

  for (const [name, address] of [
    ['in English', '/cdn.html'],
    ['in German', '/german.html'],
  ])
    for (const scheme of ['light', 'dark'])
      it(`passes axe ${name}, ${scheme}`, async () => {
        const { page } = await site.open(address, {
          before: (page) => page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]),
        });
        await page.evaluate(() => (document.documentElement.style.colorScheme = 'light dark'));
        await photograph(page);
        await element(page, (vessels) => (vessels.correcting = true));
        await corrected(page, 1);
        await tool(page, 'cut');
        await page.mouse.click(...(await middle(page)).page);
        await corrected(page, 2);
        await page.evaluate(axeSource);
        const found = await page.evaluate(async () =>
          (await axe.run()).violations.flatMap(({ id, nodes }) =>
            nodes.map((node) => `${id}: ${node.target.flat().join(' ')} ${node.html}`),
          ),
        );
        assert.deepEqual(found, []);
        await page.close();
      });

  it(
    'corrects a photograph: AVR follows what a vessel is said to be',
    { skip: !shared && 'no ../shared' },
    async () => {
      const { page, errors } = await site.open('/cdn.html');
      await photograph(page, '/shared/data/fundus/hrf/10_g.jpg');
      await element(page, (vessels) => (vessels.correcting = true));
      await corrected(page, 1);
      const { retina } = await last(page);
      assert.ok(retina.zone.crae.pixels > 15 && retina.zone.avr > 0.4, JSON.stringify(retina.zone));
      const widest = retina.zone.vessels.filter(({ kind }) => kind === 'vein').sort((a, b) => b.width - a.width)[0];
      await element(
        page,
        (vessels, segment) => {
          const { points } = vessels.result.segments[segment];
          const at = 2 * (points.length >> 2);
          vessels.corrections = [{ action: 'kind', kind: 'artery', points: [points[at], points[at + 1]] }];
        },
        widest.segment,
      );
      await corrected(page, 2);
      const { retina: changed } = await last(page);
      assert.equal(changed.zone.vessels.find(({ segment }) => segment === widest.segment).kind, 'artery');
      assert.ok(changed.zone.crve.pixels < retina.zone.crve.pixels - 0.5 && changed.zone.avr > retina.zone.avr);
      assert.deepEqual(errors, []);
      await page.close();
    },
  );
});
