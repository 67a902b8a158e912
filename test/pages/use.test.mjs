// The element in use: keyboard and focus, accessibility, camera, recording to a file, page cost, the demo page.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { itInFull, itKept } from '../support/full.mjs';
import { fakeCamera, shared, startSite, strictPolicy } from '../support/pages.mjs';
import { clip, disc, heard, inBothSchemes, pageOf, tracked } from './element-support.mjs';

/* global axe, Event, File, getComputedStyle, progress */

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** What axe objects to, as readable lines. */
async function violations(page) {
  await page.evaluate(axeSource);
  const { violations: found } = await page.evaluate(() => axe.run());
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.flat().join(' ')} ${node.html}`));
}

const focused = (page) =>
  page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.getAttribute('aria-label') ?? active?.localName ?? null;
  });
const element = (page, work, argument) => page.$eval('foveola-pupil', work, argument);

/** An item of the open menu. */
const choose = async (page, word) => {
  const item = (e, name) =>
    [...e.shadowRoot.querySelectorAll('.menu [role^=menuitem]')].find((one) => one.textContent.includes(name));
  await page.waitForFunction(`!!(${item})(document.querySelector('foveola-pupil'), ${JSON.stringify(word)})`);
  await page.evaluate(`(${item})(document.querySelector('foveola-pupil'), ${JSON.stringify(word)}).click()`);
};

describe('the element in use', () => {
  let site;
  before(async () => {
    site = await startSite({
      routes: {
        '/heard.js': heard,
        '/page.html': pageOf(`src="${disc}" controls loop`),
        '/short.html': pageOf(`src="${disc}" controls loop`),
        '/empty.html': pageOf('controls'),
        '/camera.html': pageOf('camera controls'),
        '/strict.html': pageOf(`src="${clip}" controls`, { tag: ' data-assets="/dist/"' }),
      },
      headers: (path) => (path === '/strict.html' ? { 'Content-Security-Policy': strictPolicy } : {}),
      args: fakeCamera,
    });
  });
  after(() => site?.close());

  it('is worked by the keyboard alone', async () => {
    const { page } = await site.open('/page.html');
    await tracked(page);
    await page.waitForFunction(() => {
      const { shadowRoot } = document.querySelector('foveola-pupil');
      return shadowRoot.querySelector('.scrub') && shadowRoot.querySelector('.toolbar [data-stop]'); // both load later
    });
    const order = [];
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab');
      const name = await focused(page);
      if (name === 'body' || order.includes(name)) break;
      order.push(name);
    }
    for (const name of ['Video with the tracked pupil', 'Position in the recording', 'Pause', 'Open file'])
      assert.ok(order.includes(name), `${name} is reached by Tab: ${order.join(', ')}`);
    const own = order.indexOf('Open file') - order.indexOf('Video with the tracked pupil');
    assert.equal(own, 3, `image, timeline, playback, toolbar: ${order.join(', ')}`);
    await page.keyboard.press('Tab'); // from the end of the page to its beginning
    const outline = () =>
      element(page, (e) => {
        const style = getComputedStyle(e.shadowRoot.activeElement);
        return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
      });
    assert.equal(await outline(), true, 'the focus is seen');
    await element(page, (e) => e.shadowRoot.querySelector('.stage').focus());
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.querySelector('foveola-pupil').state === 'paused');
    await page.keyboard.press('.');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.querySelector('foveola-pupil').state === 'running');
    await page.keyboard.type('?');
    assert.equal(
      await element(page, (e) => e.updateComplete.then(() => !!e.shadowRoot.querySelector('[role=dialog]'))),
      true,
    );
    await page.close();
  });

  for (const [name, address, prepare] of [
    ['playing', '/page.html', (page) => tracked(page)],
    ['empty', '/empty.html', (page) => page.waitForSelector('foveola-pupil')],
    [
      'with an error',
      '/empty.html',
      async (page) => {
        await element(page, (e) => void (e.src = '/not-there.webm'));
        await page.waitForFunction(() => heard.errors.length > 0);
      },
    ],
    [
      'with its help open',
      '/page.html',
      async (page) => {
        await tracked(page);
        await element(page, (e) => e.shadowRoot.querySelector('.stage').focus());
        await page.keyboard.type('?');
        await page.waitForFunction(() => document.querySelector('foveola-pupil').shadowRoot.querySelector('.help'));
      },
    ],
    [
      'with its menu open',
      '/page.html',
      async (page) => {
        await tracked(page);
        await element(page, (e) => e.shadowRoot.querySelector('[data-menu=exports]').click());
        await page.waitForFunction(() => document.querySelector('foveola-pupil').shadowRoot.querySelector('.menu'));
      },
    ],
    [
      'with the summary of an analysis',
      '/short.html',
      async (page) => {
        await tracked(page);
        await element(page, (e) => e.analyse());
        await page.waitForFunction(() => document.querySelector('foveola-pupil').shadowRoot.querySelector('.summary'));
        const text = await element(page, (e) => e.shadowRoot.querySelector('.summary').textContent.trim());
        assert.match(text, /^50 frames · found in .+ % · /); // the build keeps the spaces
      },
    ],
    [
      'with its settings open and a disc marked',
      '/page.html',
      async (page) => {
        await tracked(page);
        await element(page, async (e) => {
          e.settingsOpen = true;
          e.roi = { x: 20, y: 20, width: 200, height: 150 };
          e.eyes = 2;
          const details = () => e.shadowRoot.querySelector('.panel details');
          while (!details()) await new Promise((resolve) => setTimeout(resolve, 20)); // loaded when they are opened
          await e.updateComplete;
          e.shadowRoot.querySelector('details').open = true;
          [...e.shadowRoot.querySelectorAll('.fields button')].find((b) => b.textContent.includes('Mark')).click();
        });
      },
    ],
  ])
    itKept(name.includes('settings'))(`passes axe ${name}, light and dark`, async () => {
      const { page } = await site.open(address);
      await page.evaluate(() => (document.documentElement.style.colorScheme = 'light dark'));
      await prepare(page);
      await page.waitForFunction(() => document.querySelector('foveola-pupil').updateComplete);
      await page.evaluate(() => document.querySelector('foveola-pupil').stop?.());
      await inBothSchemes(page, async (scheme) => assert.deepEqual(await violations(page), [], scheme));
      await page.close();
    });

  it('opens the camera by a click, tracks it, and switches it off when removed', async () => {
    const { page, errors } = await site.open('/camera.html');
    await page.waitForFunction(() =>
      document.querySelector('foveola-pupil').shadowRoot?.querySelector('[part~=start-camera]'),
    );
    await page.evaluate(() => {
      const { mediaDevices } = navigator;
      const open = mediaDevices.getUserMedia.bind(mediaDevices);
      window.tracks = [];
      mediaDevices.getUserMedia = async (constraints) => {
        const stream = await open(constraints);
        window.tracks.push(...stream.getTracks());
        return stream;
      };
    });
    await element(page, (e) => e.shadowRoot.querySelector('[part~=start-camera]').click());
    await page.waitForFunction(() => heard.results.length > 3, { timeout: 30_000 });
    await page.waitForFunction(
      () => document.querySelector('foveola-pupil').shadowRoot.querySelectorAll('.camera select').length === 3,
    );
    await element(page, (e) => e.record());
    await page.evaluate(() => (heard.results.length = 0));
    await page.waitForFunction(() => heard.results.length > 3);
    const { rows, source, clock } = JSON.parse(await element(page, (e) => e.exportJson()));
    assert.ok(rows.every((row, i) => i === 0 || row.timestamp > rows[i - 1].timestamp));
    assert.match(rows[0].clock, /^(capture|arrival)$/);
    assert.ok(clock.startsWith(rows.at(-1).clock));
    assert.equal(source.kind, 'camera');
    assert.equal(source.sha256, null);
    assert.deepEqual(await violations(page), []);
    const size = await element(page, async (e) => {
      const select = e.shadowRoot.querySelectorAll('.camera select')[1];
      select.value = '320x240';
      select.dispatchEvent(new Event('change'));
      await new Promise((resolve) => {
        const check = ({ detail }) => detail.width === 320 && resolve();
        e.addEventListener('foveola-result', check);
      });
      return window.tracks.at(-1).getSettings().width;
    });
    assert.equal(size, 320);
    await element(page, (e) => e.remove());
    await page.waitForFunction(() => window.tracks.every((track) => track.readyState === 'ended'));
    assert.deepEqual(errors, []);
    await page.close();
  });

  itInFull('saves the recording as files', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
    const { page } = await site.open('/page.html');
    try {
      const session = await page.createCDPSession();
      const browserContextId = page.browserContext().id;
      await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, browserContextId });
      await tracked(page);
      const press = (name) =>
        element(page, (e, label) => e.shadowRoot.querySelector(`button[aria-label="${label}"]`).click(), name);
      await element(page, (e) => e.record());
      await page.evaluate(() => (heard.results.length = 0));
      await page.waitForFunction(() => heard.results.length > 5);
      await element(page, (e) => e.record());
      for (const name of ['Table (CSV)', 'All data (JSON)', 'Image with overlay (PNG)']) {
        await press('Export');
        await choose(page, name);
      }
      const names = () => readdirSync(folder).filter((file) => /\.(csv|json|png)$/.test(file));
      for (let i = 0; i < 100 && names().length < 4; i++) await new Promise((resolve) => setTimeout(resolve, 100));
      assert.deepEqual(
        names()
          .map((file) => path.extname(file))
          .sort(),
        ['.csv', '.json', '.json', '.png'],
      );
      const csv = readFileSync(
        path.join(
          folder,
          names().find((file) => file.endsWith('.csv')),
        ),
        'utf8',
      );
      assert.match(csv, /^filename,timestamp_ms,/);
      assert.ok(csv.trimEnd().split('\n').length > 5);
      const about = readFileSync(
        path.join(
          folder,
          names().find((file) => file.endsWith('.csv.json')),
        ),
        'utf8',
      );
      assert.match(JSON.parse(about).notice, /not a medical device/);
    } finally {
      await page.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  itInFull('analyses a recording by keys alone, faster where it can, under a strict policy', async () => {
    const { page, errors } = await site.open('/strict.html');
    await tracked(page);
    await element(page, (e) => e.shadowRoot.querySelector('.stage').focus());
    await page.evaluate(() => {
      window.progress = [];
      document
        .querySelector('foveola-pupil')
        .addEventListener('foveola-progress', ({ detail }) => progress.push(detail));
    });
    await page.keyboard.press('a');
    await page.waitForFunction(() => document.querySelector('foveola-pupil').state === 'analysing');
    await page.waitForFunction(() => progress.at(-1)?.frames > 5);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('foveola-pupil').state !== 'analysing');
    const { rows, analysis } = JSON.parse(await element(page, (e) => e.exportJson()));
    assert.ok(rows.length > 5 && rows.length < 480, `${rows.length} rows`);
    assert.deepEqual(
      rows.map((row) => row.frame),
      rows.map((_, i) => i),
    );
    assert.equal(analysis.everyFrame, true);
    assert.equal(analysis.reason, 'cancelled');
    // A cancel also ends the download.
    assert.deepEqual(
      errors.filter((text) => !text.endsWith('net::ERR_ABORTED')),
      [],
    );
    await page.close();
  });

  itInFull('tells how long the page works for a frame', async () => {
    const { page } = await site.open('/page.html');
    await tracked(page);
    await page.waitForFunction(() => document.querySelector('foveola-pupil').pageTimes.frames > 10);
    const times = await element(page, (e) => e.pageTimes);
    for (const part of ['frame', 'result', 'overlay', 'chart']) assert.ok(times.parts[part] > 0, part);
    await page.close();
  });

  it('shows the demo page: the sample is tracked with no click', async () => {
    const { page, errors } = await site.open('/demo/');
    await page.waitForSelector('foveola-pupil[tracking]', { timeout: 30_000 });
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(errors, []);
    await page.close();
  });

  /** What is chosen as a file on the demo page is tracked, its blinks included. */
  async function tracksFile(file) {
    const { page, errors } = await site.open('/demo/');
    await page.waitForSelector('foveola-pupil[tracking]', { timeout: 30_000 });
    const input = await page.evaluateHandle(() =>
      document.querySelector('foveola-pupil').shadowRoot.querySelector('input[type=file]'),
    );
    await input.uploadFile(file);
    await page.waitForFunction(() => document.querySelector('foveola-pupil').source instanceof File);
    await page.evaluate(() => {
      window.seen = { found: 0, blinks: 0, frames: 0 };
      document.querySelector('foveola-pupil').addEventListener('foveola-result', ({ detail }) => {
        window.seen.frames++;
        window.seen.found += detail.pupils[0].found;
        window.seen.blinks += detail.pupils[0].blink;
      });
    });
    await page.waitForFunction(() => window.seen.found >= 20 && window.seen.blinks > 0, { timeout: 60_000 });
    const { found, blinks, frames } = await page.evaluate(() => window.seen);
    assert.ok(found + blinks >= 0.7 * frames, `${found} found and ${blinks} in blinks of ${frames} frames`);
    assert.deepEqual(errors, []);
    await page.close();
  }

  itInFull('tracks a rendered recording that is chosen as a file', () =>
    tracksFile(path.join(root, 'demo/media/sample.webm')),
  );

  itInFull('tracks a real recording that is chosen as a file', { skip: !shared && 'no ../shared' }, () =>
    tracksFile(path.join(shared, 'data/pupil/videos/eyeloop_short_human_3blink.webm')),
  );
});
