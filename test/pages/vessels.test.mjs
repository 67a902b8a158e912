// <foveola-vessels> as it is built, on a page with a strict policy: a drawn fundus photograph is dropped, looked at by the
// keyboard alone, exported; faults; what axe says of it; photographs of ../shared where they are at hand.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { itInFull, itKept } from '../support/full.mjs';
import { fakeCamera, shared, startSite, strictPolicy } from '../support/pages.mjs';
import { clip, heard, inBothSchemes, settingsShown } from './element-support.mjs';

/* global axe, createImageBitmap, OffscreenCanvas, DataTransfer, DragEvent, ClipboardEvent, File */

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const pageOf = (attributes, lang = 'en') =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>test</title>
   <meta name="viewport" content="width=device-width, initial-scale=1">
   <script src="/heard.js"></script>
   <script src="/dist/foveola.cdn.js" data-assets="/dist/"></script></head>
   <body><main><h1>Test</h1><foveola-vessels ${attributes}></foveola-vessels></main></body></html>`;

const element = (page, work, argument) => page.$eval('foveola-vessels', work, argument);
const analysed = (page, count = 1) =>
  page.waitForFunction((least) => heard.results.length >= least, { polling: 30, timeout: 60_000 }, count);
const failed = (page) => page.waitForFunction(() => heard.errors.length > 0, { polling: 30, timeout: 30_000 });

/** Drops a file on the element, as a person does. `bytes`: a function that runs in the page and gives them. */
const drop = (page, name, type, bytes, argument) =>
  page.evaluate(
    async (fileName, mime, make, given) => {
      await customElements.whenDefined('foveola-vessels');
      const target = document.querySelector('foveola-vessels');
      await target.updateComplete;
      const { drawFundus } = await import('/demo/fundus.js');
      const content = await (await import(`/make-${make}.js`)).default(drawFundus, given);
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName, { type: mime }));
      const stage = target.shadowRoot.querySelector('.stage');
      for (const kind of ['dragenter', 'dragover', 'drop'])
        stage.dispatchEvent(
          new DragEvent(kind, { dataTransfer: transfer, bubbles: true, composed: true, cancelable: true }),
        );
    },
    name,
    type,
    bytes,
    argument,
  );

const png = `export default async (drawFundus, size) => {
  const canvas = drawFundus(size, size);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
};`;
const stripes = `export default async () => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 400;
  const context = canvas.getContext('2d');
  for (let x = 0; x < 400; x += 20) {
    context.fillStyle = x % 40 ? '#2040c0' : '#80ffd0';
    context.fillRect(x, 0, 20, 400);
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
};`;
const damaged = `export default async (drawFundus) => {
  const canvas = drawFundus(200, 200);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  const bytes = new Uint8Array(await blob.arrayBuffer());
  bytes.fill(7, 60);
  return bytes;
};`;
/** A DICOM photograph, 6 micrometres a pixel (explicit VR, little endian, RGB). */
const dicom = `export default async (drawFundus, size) => {
  const { data } = drawFundus(size, size).getContext('2d').getImageData(0, 0, size, size);
  const parts = [];
  const text = (value) => new TextEncoder().encode(value.length % 2 ? value + ' ' : value);
  const short = (value) => Uint8Array.of(value & 255, value >> 8);
  const element = (group, tag, vr, value) => {
    const long = vr === 'OB';
    const head = new DataView(new ArrayBuffer(long ? 12 : 8));
    head.setUint16(0, group, true);
    head.setUint16(2, tag, true);
    head.setUint8(4, vr.charCodeAt(0));
    head.setUint8(5, vr.charCodeAt(1));
    if (long) head.setUint32(8, value.length, true);
    else head.setUint16(6, value.length, true);
    parts.push(new Uint8Array(head.buffer), value);
  };
  parts.push(new Uint8Array(128), text('DICM'));
  element(2, 0x10, 'UI', text('1.2.840.10008.1.2.1'));
  element(0x28, 0x02, 'US', short(3));
  element(0x28, 0x04, 'CS', text('RGB'));
  element(0x28, 0x06, 'US', short(0));
  element(0x28, 0x10, 'US', short(size));
  element(0x28, 0x11, 'US', short(size));
  element(0x28, 0x30, 'DS', text('0.006\\\\0.006'));
  for (const [tag, value] of [[0x100, 8], [0x101, 8], [0x102, 7], [0x103, 0]]) element(0x28, tag, 'US', short(value));
  element(0x7fe0, 0x10, 'OB', data.filter((_, i) => i % 4 !== 3));
  return new Blob(parts);
};`;
/** Bent lines of five widths on a reddish disc, and white on black where they are: wider than high, so that it is letterboxed. */
const lines = `const draw = (truth) => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [700, 600];
  const context = canvas.getContext('2d');
  context.fillRect(0, 0, 700, 600);
  context.beginPath();
  context.arc(350, 300, 285, 0, 7);
  context.clip();
  context.fillStyle = truth ? '#000' : '#c87832';
  context.fillRect(0, 0, 700, 600);
  context.strokeStyle = truth ? '#fff' : '#96501e';
  [4, 7, 5, 9, 6].forEach((width, k) => {
    context.lineWidth = width;
    context.beginPath();
    for (let x = 0; x <= 700; x += 5) context.lineTo(x, 110 + 95 * k + 18 * Math.sin(x / (50 + 9 * k)));
    context.stroke();
  });
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
};
export const truth = () => draw(true);
export default () => draw(false);`;
const fetched = `export default async (drawFundus, address) => (await fetch(address)).blob();`;

const fundus = (page, size = 600) => drop(page, 'left eye.png', 'image/png', 'png', size);

describe('foveola-vessels under a strict policy', () => {
  let site;
  before(async () => {
    site = await startSite({
      routes: {
        '/heard.js': heard,
        ...Object.fromEntries(
          Object.entries({ png, stripes, damaged, dicom, lines, fetched }).map(([name, text]) => [
            `/make-${name}.js`,
            (request, response) => response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(text),
          ]),
        ),
        '/empty.html': pageOf('controls'),
        '/all.html': pageOf('controls scales="all" micrometres-per-pixel="5"'),
        '/german.html': pageOf('controls settings-open points compare="40"', 'de'),
        '/video.html': pageOf(`src="${clip}" controls loop`),
        '/camera.html': pageOf('camera controls'),
      },
      headers: (page) =>
        page.endsWith('.html')
          ? { 'Content-Security-Policy': `${strictPolicy}; require-trusted-types-for 'script'` }
          : {},
      args: fakeCamera,
    });
  });
  after(() => site?.close());

  it('finds the vessels of a photograph that is dropped, and exports them', async () => {
    const { page, errors } = await site.open('/all.html');
    await fundus(page);
    await analysed(page);
    const found = await element(page, async (vessels) => {
      const { fraction, confidence, segments, branchPoints, warnings, fieldOfView, width } = vessels.result;
      const mask = await createImageBitmap(await vessels.exportMask());
      const overlay = await createImageBitmap(await vessels.snapshot());
      const context = new OffscreenCanvas(width, width).getContext('2d');
      context.drawImage(mask, 0, 0);
      const { data } = context.getImageData(0, 0, width, width);
      const inside = fieldOfView.data.filter((v) => v).length;
      return {
        fraction,
        confidence,
        warnings,
        segments: segments.length,
        // A width that could not be measured is absent in both units.
        measured: segments.filter(({ width }) => width !== undefined).length,
        scaled: segments.every(({ width, widthMicrometres }) =>
          width === undefined ? widthMicrometres === undefined : Math.abs(widthMicrometres - 5 * width) < 1e-3,
        ),
        branches: branchPoints.length,
        sides: [mask.width, mask.height, overlay.width, overlay.height],
        share: data.filter((v, i) => i % 4 === 0 && v === 255).length / inside,
        csv: await vessels.exportCsv(),
        beside: JSON.parse(await vessels.exportCsvJson()),
        json: JSON.parse(await vessels.exportJson()),
      };
    });
    assert.ok(found.fraction > 0.05 && found.fraction < 0.2, `fraction ${found.fraction}`);
    assert.ok(found.confidence > 0.7, `confidence ${found.confidence}, ${found.warnings.join(' ')}`);
    assert.ok(found.segments > 40 && found.branches > 10 && found.scaled);
    assert.ok(found.measured >= 0.9 * found.segments, `${found.measured} of ${found.segments} have a width`);
    assert.deepEqual(found.sides, [600, 600, 600, 600]);
    assert.ok(Math.abs(found.share - found.fraction) < 0.01);
    assert.equal(found.csv.trim().split('\n').length, found.segments + 1);
    const { sha256, ...source } = found.beside.source;
    assert.deepEqual([source.name, source.width, source.height], ['left eye.png', 600, 600]);
    assert.match(sha256, /^[0-9a-f]{64}$/);
    assert.equal(found.json.parameters.scales, 'all');
    assert.equal(found.json.segments.length, found.segments);
    assert.deepEqual(errors, []);
    assert.deepEqual(await page.evaluate(() => heard.errors), []);
    await page.close();
  });

  it('is worked by the keyboard alone', async () => {
    const { page, errors } = await site.open('/empty.html');
    await fundus(page, 320);
    await analysed(page);
    const focused = () =>
      page.evaluate(() => {
        const active = document.activeElement?.shadowRoot?.activeElement;
        return active?.getAttribute('aria-label') ?? active?.textContent.trim() ?? '';
      });
    const order = [];
    await page.evaluate(() => document.activeElement?.blur());
    for (let i = 0; i < 24; i++) {
      await page.keyboard.press('Tab');
      order.push(await focused());
    }
    for (const name of [
      'Fundus photograph with its vessels',
      'All',
      'Opacity',
      'Scale, µm per pixel',
      'Open file', // the toolbar, which is one stop
    ])
      assert.ok(order.includes(name), `${name} is reached by Tab: ${order.join(', ')}`);
    await element(page, (vessels) => vessels.shadowRoot.querySelector('.stage').focus());
    const scale = () => element(page, (vessels) => Number(vessels.shadowRoot.querySelector('.media').style.scale || 1));
    for (const key of ['+', '+', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    assert.ok((await scale()) > 1.5);
    await page.keyboard.press('0');
    assert.equal(await scale(), 1);
    await page.keyboard.press('n');
    const chosen = () =>
      element(page, ({ shadowRoot }) => shadowRoot.querySelector('[role=status].visually-hidden').textContent);
    assert.match(await chosen(), /^Segment \d+: .* wide, .* long$/);
    await page.keyboard.press('c');
    await page.waitForFunction(() => document.activeElement.shadowRoot.activeElement?.role === 'slider');
    await page.keyboard.press('ArrowRight');
    assert.equal(await element(page, ({ compare }) => compare), 52);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.waitForFunction(() => document.querySelector('foveola-vessels').shadowRoot.querySelector('.help'));
    await page.keyboard.press('Escape');
    // The slider of the scale in the settings: a preview, and then the whole result.
    await element(page, (vessels) => (vessels.settingsOpen = true));
    await settingsShown(page);
    await element(page, ({ shadowRoot }) => shadowRoot.querySelectorAll('.parameter input[type=range]')[1].focus());
    for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight');
    await analysed(page, 2);
    assert.ok((await element(page, ({ sigma }) => sigma)) > 0.4);
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    await analysed(page, 3);
    assert.equal(await element(page, ({ sigma }) => sigma), null);
    assert.deepEqual(errors, []);
    await page.close();
  });

  itInFull('takes a picture from the clipboard', async () => {
    const { page } = await site.open('/empty.html');
    await page.evaluate(async () => {
      await customElements.whenDefined('foveola-vessels');
      const vessels = document.querySelector('foveola-vessels');
      await vessels.updateComplete;
      vessels.shadowRoot.querySelector('.stage').focus();
      const { drawFundus } = await import('/demo/fundus.js');
      const blob = await new Promise((resolve) => drawFundus(300, 300).toBlob(resolve));
      const data = new DataTransfer();
      data.items.add(new File([blob], 'image.png', { type: 'image/png' }));
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    });
    await analysed(page);
    assert.equal(await element(page, ({ result }) => result.width), 300);
    await page.close();
  });

  it('takes the scale of a DICOM file, unless another one is given', async () => {
    const { page, errors } = await site.open('/empty.html');
    await drop(page, 'IM000001', '', 'dicom', 320);
    await analysed(page);
    const scale = () =>
      element(page, async (vessels) => {
        await vessels.updateComplete;
        const field = vessels.shadowRoot.querySelector('.scale');
        const [{ width, widthMicrometres }] = vessels.result.segments;
        const { source } = JSON.parse(await vessels.exportCsvJson());
        return [
          field.querySelector('input').value,
          /from the file/.test(field.textContent),
          widthMicrometres / width,
          source,
        ];
      });
    const [value, fromFile, factor, source] = await scale();
    assert.deepEqual([value, fromFile], ['6', true]);
    assert.ok(Math.abs(factor - 6) < 1e-4);
    assert.deepEqual([source.name, source.width, source.height], ['IM000001', 320, 320]);
    await element(page, (vessels) => (vessels.micrometresPerPixel = 4));
    const given = await scale();
    assert.deepEqual(given.slice(0, 2), ['4', false]);
    assert.ok(Math.abs(given[2] - 4) < 1e-4);
    assert.deepEqual(errors, []);
    await page.close();
  });

  itInFull('says what is wrong with a file, and that a picture is none of a fundus; the next one works', async () => {
    const { page } = await site.open('/empty.html');
    await drop(page, 'broken.png', 'image/png', 'damaged');
    await failed(page);
    assert.deepEqual(await page.evaluate(() => heard.errors.map(({ code }) => code)), ['decode-failed']);
    await drop(page, 'stripes.png', 'image/png', 'stripes');
    await analysed(page);
    const doubt = await element(page, async (vessels) => {
      await vessels.updateComplete;
      const warning = vessels.shadowRoot.querySelector('.warning');
      return [vessels.result.confidence, warning?.role, warning?.textContent, vessels.hasAttribute('lost')];
    });
    assert.ok(doubt[0] < 0.5, `confidence ${doubt[0]}`);
    assert.equal(doubt[1], 'alert');
    assert.match(doubt[2], /does not look like a fundus photograph/);
    assert.equal(doubt[3], true);
    await fundus(page, 300);
    await analysed(page, 2);
    assert.equal(await element(page, (vessels) => vessels.error), null);
    await page.close();
  });

  itInFull('survives a large picture that is replaced, and itself being removed, during the run', async () => {
    const { page, errors } = await site.open('/all.html');
    await fundus(page, 1600);
    await page.waitForFunction(() => document.querySelector('foveola-vessels[preview]'));
    await fundus(page, 320);
    await analysed(page);
    assert.equal(await element(page, ({ result }) => result.width), 320);
    await fundus(page, 1600);
    await page.waitForFunction(() => document.querySelector('foveola-vessels[preview]'));
    await page.evaluate(async () => {
      const vessels = document.querySelector('foveola-vessels');
      vessels.remove();
      await new Promise((resolve) => setTimeout(resolve, 50));
      vessels.scales = 'thick';
      document.querySelector('main').append(vessels);
    });
    await analysed(page, 2);
    assert.equal(await element(page, ({ result }) => result.mask.width), 1600);
    assert.deepEqual(errors, []);
    assert.deepEqual(await page.evaluate(() => heard.errors), []);
    await page.close();
  });

  itInFull('analyses the frame at which a video is paused, and none while it plays', async () => {
    const { page, errors } = await site.open('/video.html');
    await page.waitForSelector('foveola-vessels[running]');
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(await page.evaluate(() => heard.results.length), 0);
    await element(page, (vessels) => vessels.stop());
    await analysed(page);
    await element(page, (vessels) => vessels.step());
    await analysed(page, 2);
    const times = await page.evaluate(() => heard.results.map(({ timestamp }) => timestamp));
    assert.ok(times[1] > times[0], times.join(', '));
    await element(page, (vessels) => vessels.start());
    await page.waitForFunction(() => !document.querySelector('foveola-vessels').result);
    await element(page, (vessels) => {
      vessels.maxFps = 10;
    });
    await analysed(page, 4);
    assert.equal(await page.evaluate(() => heard.results.at(-1).preview), true);
    assert.deepEqual(errors, []);
    await page.close();
  });

  itInFull('freezes a camera and analyses what it saw', async () => {
    const { page, errors } = await site.open('/camera.html');
    await page.evaluate(async () => {
      await customElements.whenDefined('foveola-vessels');
      await document.querySelector('foveola-vessels').start();
    });
    await page.waitForSelector('foveola-vessels[running]');
    await element(page, (vessels) => vessels.shadowRoot.querySelector('.stage').focus());
    await page.keyboard.press('Space');
    await analysed(page);
    assert.equal(await page.evaluate(() => heard.results.at(-1).preview), false);
    assert.deepEqual(errors, []);
    await page.close();
  });

  // prettier-ignore
  for (const [name, address, prepare] of [
    ['empty', '/empty.html', () => {}],
    ['with vessels and its list', '/all.html', async (page) => {
      await fundus(page, 300);
      await analysed(page);
      await element(page, async (vessels) => {
        vessels.shadowRoot.querySelector('.segments').open = true;
        await new Promise((resolve) => setTimeout(resolve, 100));
        vessels.shadowRoot.querySelector('[data-menu=exports]').click();
        vessels.choose(2);
      });
    }],
    ['in German with its settings and a warning', '/german.html', async (page) => {
      await drop(page, 'stripes.png', 'image/png', 'stripes');
      await analysed(page);
    }],
  ])
    itKept(name.includes('its list'))(`passes axe ${name}, light and dark`, async () => {
      const { page } = await site.open(address);
      await page.evaluate(() => (document.documentElement.style.colorScheme = 'light dark'));
      await page.evaluate(() => customElements.whenDefined('foveola-vessels'));
      await prepare(page);
      await settingsShown(page);
      await element(page, async (vessels) => { await vessels.updateComplete; });
      await page.evaluate(axeSource);
      await inBothSchemes(page, async (scheme) => {
        const found = await page.evaluate(async () => (await axe.run()).violations
          .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.flat().join(' ')} ${node.html}`)));
        assert.deepEqual(found, [], scheme);
      });
      await page.close();
    });

  /** Dice of what the element draws and what is marked, at the place where the photograph lies on the screen. */
  const diceOnScreen = async (page, truth) =>
    element(
      page,
      async (vessels, source) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        const blob = source.endsWith('.js') ? await (await import(source)).truth() : await (await fetch(source)).blob();
        const bitmap = await createImageBitmap(blob);
        const canvas = vessels.shadowRoot.querySelector('.overlay');
        const [own, its] = [canvas, vessels.shadowRoot.querySelector('.media')].map((e) => e.getBoundingClientRect());
        const scale = Math.min(its.width / bitmap.width, its.height / bitmap.height);
        const [width, height] = [bitmap.width * scale, bitmap.height * scale];
        const manual = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
        const ratio = canvas.width / own.width;
        manual.scale(ratio, ratio);
        const place = [its.left - own.left + (its.width - width) / 2, its.top - own.top + (its.height - height) / 2];
        manual.drawImage(bitmap, ...place, width, height);
        const marked = manual.getImageData(0, 0, canvas.width, canvas.height).data;
        const drawn = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        const count = { both: 0, drawn: 0, marked: 0 };
        for (let i = 0; i < drawn.length; i += 4) {
          const [d, m] = [drawn[i + 3] > 90, marked[i] > 127];
          count.both += d && m;
          count.drawn += d;
          count.marked += m;
        }
        return (2 * count.both) / (count.drawn + count.marked);
      },
      truth,
    );

  it('lies on vessels that were drawn', async () => {
    const { page, errors } = await site.open('/all.html');
    await drop(page, 'drawn.png', 'image/png', 'lines');
    await analysed(page);
    const hits = await diceOnScreen(page, '/make-lines.js');
    assert.ok(hits > 0.8, `Dice on the screen ${hits}`);
    assert.deepEqual(errors, []);
    await page.close();
  });

  itInFull('lies on the vessels that people marked in photographs', { skip: !shared && 'no ../shared' }, async () => {
    const { page, errors } = await site.open('/all.html');
    for (const [count, name] of ['drive/01_test.png', 'hrf/01_h.jpg'].entries()) {
      const address = `/shared/data/fundus/${name}`;
      await drop(page, path.basename(name), name.endsWith('png') ? 'image/png' : 'image/jpeg', 'fetched', address);
      await analysed(page, count + 1);
      const truth = name.replace('_test.png', '_manual1.png').replace('.jpg', '_vessels.png');
      assert.ok(existsSync(path.join(shared, 'data/fundus', truth)));
      const hits = await diceOnScreen(page, `/shared/data/fundus/${truth}`);
      assert.ok(hits > 0.6, `${name}: Dice on the screen ${hits}`);
    }
    assert.deepEqual(errors, []);
    await page.close();
  });

  for (const name of ['vessels', 'face', 'track'])
    itInFull(`has a demo page of ${name} without errors`, async () => {
      const { page, errors } = await site.open(`/demo/${name}.html`, {
        before: (page) => page.evaluateOnNewDocument(heard),
      });
      await analysed(page);
      if (name !== 'track') {
        const pressed = () => page.$$eval('.choice button', (buttons) => buttons.map((button) => button.ariaPressed));
        assert.deepEqual(await pressed(), ['true', 'false']);
        await page.evaluate(() => (heard.results.length = 0));
        await page.$eval('#drawn', (button) => button.click());
        await analysed(page);
        assert.deepEqual(await pressed(), ['false', 'true']);
        assert.equal(await page.$eval('#photograph-about', (about) => about.hidden), true);
      }
      assert.deepEqual(errors, []);
      await page.close();
    });
});
