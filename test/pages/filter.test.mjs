// <foveola-filter> as it is built, on a page with a strict policy: every operation on the real engine, by keyboard and by
// mouse, and what axe says of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { itInFull, itKept } from '../support/full.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';
import { disc, heard, inBothSchemes, settingsShown } from './element-support.mjs';

/* global axe, createImageBitmap, OffscreenCanvas */

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const pageOf = (attributes, lang = 'en') =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>test</title>
   <script src="/heard.js"></script><script src="/dist/foveola.cdn.js"></script></head>
   <body><main><h1>Test</h1><foveola-filter ${attributes}></foveola-filter></main></body></html>`;

const element = (page, work, argument) => page.$eval('foveola-filter', work, argument);
const settled = (page) =>
  page.waitForFunction(() => heard.results.length > 0 && !document.querySelector('foveola-filter[filling]'));

/** A picture of stripes with a blot, as the source. */
const stripes = (page) =>
  element(page, async (filter) => {
    const canvas = new OffscreenCanvas(240, 180);
    const context = canvas.getContext('2d');
    for (let x = 0; x < 240; x++) {
      context.fillStyle = `rgb(${120 + 100 * Math.sin(x / 3)} ${90 + 60 * Math.cos(x / 5)} 80)`;
      context.fillRect(x, 0, 1, 180);
    }
    context.fillStyle = '#000';
    context.fillRect(100, 70, 30, 30);
    filter.source = context.getImageData(0, 0, 240, 180);
  });

/** How many pixels of the blot are still black in the result. */
const black = (page) =>
  element(page, async (filter) => {
    const bitmap = await createImageBitmap(await filter.exportImage());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(100, 70, 30, 30);
    return data.filter((v, i) => i % 4 === 0 && v === 0 && data[i + 1] === 0).length;
  });

describe('foveola-filter under a strict policy', () => {
  let site;
  before(async () => {
    site = await startSite({
      routes: {
        '/heard.js': heard,
        '/video.html': pageOf(`src="${disc}" controls loop`),
        '/empty.html': pageOf('controls'),
        '/inpaint.html': pageOf('operation="inpaint" controls'),
        '/german.html': pageOf(`src="${disc}" operation="inpaint" controls paused settings-open`, 'de'),
        '/threshold.html': pageOf(`src="${disc}" operation="threshold" compare="50" controls settings-open`, 'de'),
      },
      headers: (page) =>
        page.endsWith('.html')
          ? { 'Content-Security-Policy': `${strictPolicy}; require-trusted-types-for 'script'` }
          : {},
    });
  });
  after(() => site?.close());

  itInFull('runs every operation on a video', async () => {
    const { page, errors } = await site.open('/video.html');
    const of = (part) => page.waitForFunction((name) => heard.results.some((r) => r[name]), { polling: 50 }, part);
    await of('edges');
    await element(page, (filter) => (filter.operation = 'hough'));
    await of('lines');
    await element(page, (filter) => (filter.operation = 'flow'));
    await of('flow');
    const flow = await page.evaluate(() => {
      const { width, height, u, valid } = heard.results.findLast((r) => r.flow).flow;
      return [width, height, u.length, valid.some((v) => v === 1)];
    });
    assert.deepEqual(flow, [320, 240, 320 * 240, true]);
    const further = await element(page, (filter) =>
      [...filter.shadowRoot.querySelector('.filter select').options].map(({ value }) => value),
    );
    assert.ok(further.includes('gaussian') && further.includes('threshold'), further.join(', '));
    for (const name of further.filter(Boolean)) {
      await element(page, (filter, operation) => (filter.operation = operation), name);
      await page.waitForFunction(
        (operation) => heard.results.some((r) => r.operation === operation && r.image?.data.length === 320 * 240),
        { polling: 50 },
        name,
      );
    }
    await element(page, (filter) => filter.stop());
    assert.deepEqual(errors, []);
    assert.deepEqual(await page.evaluate(() => heard.errors), []);
    await page.close();
  });

  itInFull('fills what the mouse painted, and takes it back by the keyboard', async () => {
    const { page, errors } = await site.open('/inpaint.html');
    await stripes(page);
    await settled(page);
    await page.waitForFunction(
      () => document.querySelector('foveola-filter').shadowRoot.querySelector('.brush')?.ariaLabel,
    );
    const place = await element(page, (filter) => {
      const { left, top, width, height } = filter.shadowRoot.querySelector('canvas.media').getBoundingClientRect();
      const scale = Math.min(width / 240, height / 180);
      return { scale, left: left + (width - 240 * scale) / 2, top: top + (height - 180 * scale) / 2 };
    });
    const at = (x, y) => [place.left + x * place.scale, place.top + y * place.scale];
    await page.mouse.move(...at(98, 68));
    await page.mouse.down();
    for (let y = 68; y <= 104; y += 4) {
      await page.mouse.move(...at(y % 8 ? 98 : 132, y), { steps: 6 });
      await page.mouse.move(...at(y % 8 ? 132 : 98, y), { steps: 6 });
    }
    await page.mouse.up();
    assert.equal(await black(page), 900);
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => heard.results.length > 0 && document.querySelector('foveola-filter').mask.data.every((v) => !v),
    );
    assert.equal(await black(page), 0);
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    assert.equal(await black(page), 900);
    await page.keyboard.down('Control');
    await page.keyboard.press('y');
    await page.keyboard.up('Control');
    assert.equal(await black(page), 0);
    assert.deepEqual(errors, []);
    assert.deepEqual(await page.evaluate(() => heard.errors), []);
    await page.close();
  });

  it('is worked by the keyboard alone', async () => {
    const { page } = await site.open('/inpaint.html');
    await stripes(page);
    await settled(page);
    const focused = () =>
      page.evaluate(() => {
        const active = document.activeElement?.shadowRoot?.activeElement;
        return active?.getAttribute('aria-label') ?? active?.textContent.trim() ?? '';
      });
    const order = [];
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press('Tab');
      order.push(await focused());
      if (/^Brush of/.test(order.at(-1))) break;
    }
    await page.keyboard.press('Space');
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowLeft', 'ArrowUp']) await page.keyboard.press(key);
    await page.keyboard.press('Space');
    assert.ok(await element(page, (filter) => filter.mask.data.some((v) => v > 0)), order.join(', '));
    for (let i = 0; i < 20; i++) {
      // The tools of the brush are one stop.
      await page.keyboard.press(/^(Eraser|Clear|Mask|Open a mask)/.test(order.at(-1)) ? 'ArrowRight' : 'Tab');
      order.push(await focused());
    }
    for (const name of [
      'Inpaint',
      'Eraser',
      'Clear the painted area',
      'Fill',
      'Open file', // the toolbar, which is one stop
    ])
      assert.ok(order.includes(name), `${name} is reached: ${order.join(', ')}`);
    await page.close();
  });

  // prettier-ignore
  for (const [name, address, prepare] of [
    ['empty', '/empty.html', () => {}],
    ['with edges', '/video.html', settled],
    ['with the brush', '/inpaint.html', async (page) => { await stripes(page); await settled(page); }],
    ['in German with its settings', '/german.html', settled],
    ['with another filter and its settings', '/threshold.html', settled],
  ])
    itKept(name.includes('another'))(`passes axe ${name}, light and dark`, async () => {
      const { page } = await site.open(address);
      await page.evaluate(() => (document.documentElement.style.colorScheme = 'light dark'));
      await prepare(page);
      await settingsShown(page);
      await element(page, async (filter) => { filter.stop(); await filter.updateComplete; });
      await page.evaluate(axeSource);
      await inBothSchemes(page, async (scheme) => {
        const found = await page.evaluate(async () => (await axe.run()).violations
          .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.flat().join(' ')} ${node.html}`)));
        assert.deepEqual(found, [], scheme);
      });
      await page.close();
    });

  itInFull('fills a photograph', async () => {
    const { page, errors } = await site.open('/inpaint.html');
    await element(page, (filter) => (filter.src = '/test/media/portrait.png'));
    await settled(page);
    const { marked, known, rest } = await element(page, async (filter) => {
      const [width, height] = [512, 512];
      // A place with a strap and badges on it.
      const inHole = (i) => Math.hypot((i % width) - 230, Math.floor(i / width) - 390) < 14;
      filter.mask = {
        width,
        height,
        data: Uint8Array.from({ length: width * height }, (_, i) => (inHole(i) ? 255 : 0)),
      };
      const shown = async () => {
        const bitmap = await createImageBitmap(await filter.exportImage());
        const context = new OffscreenCanvas(width, height).getContext('2d');
        context.drawImage(bitmap, 0, 0);
        return context.getImageData(0, 0, width, height).data;
      };
      const before = await shown();
      await filter.fill();
      const after = await shown();
      const count = { marked: 0, known: 0, rest: filter.mask.data.filter((v) => v !== 0).length };
      for (let i = 0; i < width * height; i++)
        if (before[4 * i] !== after[4 * i]) count[inHole(i) ? 'marked' : 'known']++;
      return count;
    });
    assert.equal(rest, 0);
    assert.ok(marked > 300, `${marked} of 615 pixels in the hole are others`);
    assert.equal(known, 0);
    assert.deepEqual(errors, []);
    await page.close();
  });

  itInFull('has a demo page without errors', async () => {
    const { page, errors } = await site.open('/demo/filter.html');
    await page.waitForSelector('foveola-filter[running]');
    assert.deepEqual(errors, []);
    await page.close();
  });
});
