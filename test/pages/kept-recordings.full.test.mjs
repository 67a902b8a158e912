// Recordings that survive: a tab that is killed, a browser that is killed, a storage that is full, two tabs at once; the
// note by keyboard and with axe. On a page with a strict policy, in a profile that is opened again.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import puppeteer from 'puppeteer-core';
import { launchOptions } from '../../tools/browser.mjs';
import { root, serve } from '../../tools/serve.mjs';
import { strictPolicy } from '../support/pages.mjs';
import { clip, heard, tracked } from './element-support.mjs';

/* global axe, DOMException, Element, MutationObserver, indexedDB, StorageManager */

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const pageOf = (attributes, lang = 'en') =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>test</title>
   <script src="/heard.js"></script><script src="/dist/foveola-pupil.cdn.js"></script></head>
   <body><main><h1>Test</h1><foveola-pupil id="eye" controls loop ${attributes}></foveola-pupil></main></body></html>`;
const element = (page, work, argument) => page.$eval('#eye', work, argument);
const panel = (page) =>
  page.waitForFunction(() => document.querySelector('#eye').shadowRoot.querySelector('.kept .title'), { polling: 50 });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const kept = (page) =>
  element(page, async (e) =>
    Promise.all(
      (await e.savedRecordings()).map(async (one) => {
        const read = await one.read();
        let last = NaN;
        for await (const piece of read.pieces()) last = piece.at(piece.length - 1, 1);
        const { ended, storage, bytes } = one;
        return { ended, storage, bytes, rows: read.rows, last, markers: read.markers.map(({ label }) => label) };
      }),
    ),
  );
/** For pages whose recordings go into the database. */
const withoutFiles = () => Object.defineProperty(StorageManager.prototype, 'getDirectory', { value: undefined });
/** Keeps what is announced: the next state may take its place before a test looks. */
const announcements = () => {
  window.announced = [];
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const shadow = attach.call(this, options);
    new MutationObserver(() => {
      const text = shadow.querySelector('[aria-live]')?.textContent;
      if (text) window.announced.push(text);
    }).observe(shadow, { subtree: true, childList: true, characterData: true });
    return shadow;
  };
};
/** Until there is this much on the device. */
const recordedFor = async (page, ms) => {
  await pause(ms);
  await page.waitForFunction(() => heard.results.length > 20, { polling: 50 });
};

describe('kept recordings under a strict policy', { timeout: 600_000 }, () => {
  let server;
  let profile;
  let browser;
  const launch = async () => (browser = await puppeteer.launch({ ...(await launchOptions()), userDataDir: profile }));
  before(async () => {
    server = await serve({
      routes: {
        '/heard.js': heard,
        '/favicon.ico': (request, response) => response.writeHead(204).end(),
        '/page.html': pageOf(`src="${clip}" save-recordings`),
        '/german.html': pageOf(`src="${clip}" save-recordings`, 'de'),
        '/agreed.html': pageOf(`src="${clip}" save-recordings="agreed"`),
        '/without.html': pageOf(`src="${clip}"`),
      },
      headers: (page) =>
        page.endsWith('.html')
          ? { 'Content-Security-Policy': `${strictPolicy}; require-trusted-types-for 'script'` }
          : {},
    });
    profile = mkdtempSync(path.join(tmpdir(), 'foveola-profile-'));
    await launch();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    if (profile) rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const open = async (address, { before: first = null } = {}) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(30_000);
    await page.evaluateOnNewDocument(announcements);
    if (first) await page.evaluateOnNewDocument(first);
    await page.bringToFront();
    await page.goto(new URL(address, server.url).href, { waitUntil: 'load' });
    return page;
  };
  /** The element marks by itself when it goes out of sight. */
  const ownMarks = (markers) => markers.filter((label) => !label.startsWith('['));
  const clear = async (page) => {
    await element(page, async (e) => {
      for (const one of await e.savedRecordings()) await one.remove();
    });
  };
  const errors = (page) => page.evaluate(() => heard.errors);

  it('asks first; nothing is in the storage until the button is pressed, by keyboard', async () => {
    const page = await open('/without.html');
    await tracked(page);
    await element(page, (e) => e.record());
    await recordedFor(page, 300);
    const stored = () =>
      page.evaluate(async () => {
        const names = [];
        for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
        return [...names, ...(await indexedDB.databases()).map(({ name }) => name)];
      });
    assert.deepEqual(await stored(), []);
    await page.close();
    const asked = await open('/page.html');
    await tracked(asked);
    await panel(asked);
    await element(asked, (e) => e.record());
    await recordedFor(asked, 300);
    assert.deepEqual(
      await asked.evaluate(async () => {
        const names = [];
        for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
        return [...names, ...(await indexedDB.databases()).map(({ name }) => name)];
      }),
      [],
    );
    await element(asked, (e) => e.shadowRoot.querySelector('.kept button').focus());
    await asked.keyboard.press('Enter');
    await asked.waitForFunction(
      async () => (await (await navigator.storage.getDirectory()).keys().next()).value === 'foveola-recordings',
      { polling: 50 },
    );
    await element(asked, (e) => e.record());
    await asked.waitForFunction(async () => (await document.querySelector('#eye').savedRecordings()).length === 1, {
      polling: 50,
    });
    assert.equal((await kept(asked))[0].ended, true);
    await clear(asked);
    assert.deepEqual(await errors(asked), []);
    await asked.close();
  });

  for (const [what, kill] of [
    [
      'a tab that crashes',
      async (page) => {
        const session = await page.createCDPSession();
        session.send('Page.crash').catch(() => {});
        await pause(500);
        await page.close().catch(() => {});
      },
    ],
    [
      'a browser that is killed',
      async () => {
        const gone = new Promise((resolve) => browser.process().once('exit', resolve));
        browser.process().kill('SIGKILL');
        await gone;
        await launch();
      },
    ],
  ])
    for (const [where, kind, without] of [
      ['files', 'opfs', null],
      ['a database', 'indexeddb', withoutFiles],
    ])
      it(`lose less than a second in ${what}: ${where}`, async () => {
        const page = await open('/agreed.html', { before: without });
        await tracked(page);
        await panel(page);
        await element(page, (e) => e.record());
        await recordedFor(page, 1500);
        await element(page, (e) => e.mark('before'));
        await recordedFor(page, 1500);
        const last = await page.evaluate(() => heard.results.at(-1).timestamp);
        await kill(page);
        const again = await open('/page.html', { before: without });
        await again.waitForFunction(async () => (await document.querySelector('#eye').savedRecordings()).length === 1, {
          polling: 50,
        });
        const [one] = await kept(again);
        assert.deepEqual([one.ended, one.storage, one.markers], [false, kind, ['before']]);
        assert.ok(last - one.last < 1000, `${Math.round(last - one.last)} ms are lost`);
        console.log(`# ${what}, ${where}: ${Math.round(Math.max(0, last - one.last))} ms lost, ${one.rows} rows kept`);
        await again.waitForFunction(
          () => window.announced.some((text) => /interrupted recording was saved/.test(text)),
          { polling: 50 },
        );
        const exported = (format) =>
          element(again, async (e, as) => (await (await e.savedRecordings())[0].export(as)).text(), format);
        const csv = await exported('csv');
        assert.match(await exported('csv.json'), /"recovery":\s*\{\s*"ended":\s*false/);
        assert.equal(csv.split('\n').filter((line) => line && !line.startsWith('#')).length - 1, one.rows);
        await clear(again);
        assert.deepEqual(await errors(again), []);
        await again.close();
      });

  it('stay whole where the storage of the device is full, which is announced', async () => {
    // Files get their room in larger steps than this test writes; the database asks for each record.
    const page = await open('/agreed.html', { before: withoutFiles });
    await tracked(page);
    await panel(page);
    const session = await page.createCDPSession();
    await element(page, (e) => e.record());
    await recordedFor(page, 800);
    const { usage } = await page.evaluate(() => navigator.storage.estimate());
    await session.send('Storage.overrideQuotaForOrigin', {
      origin: server.url.replace(/\/$/, ''),
      quotaSize: Math.max(1, usage - 1000),
    });
    await page.waitForFunction(() => heard.errors.some(({ code }) => code === 'storage-full'), { polling: 50 });
    const before = await page.evaluate(() => heard.results.length);
    assert.match(await element(page, (e) => e.shadowRoot.querySelector('.kept [role=status]').textContent), /is full/);
    await page.waitForFunction((count) => heard.results.length > count + 10, { polling: 50 }, before);
    assert.equal(await element(page, (e) => e.recording), true);
    await element(page, (e) => e.record());
    await session.send('Storage.overrideQuotaForOrigin', { origin: server.url.replace(/\/$/, '') });
    await page.waitForFunction(async () => (await document.querySelector('#eye').savedRecordings()).length === 1, {
      polling: 50,
    });
    const [one] = await kept(page);
    const rows = await element(page, async (e) => JSON.parse(await e.exportJson()).rows.length);
    assert.ok(one.rows > 0 && one.rows < rows, `${one.rows} of ${rows} rows`);
    await clear(page);
    assert.deepEqual(
      (await errors(page)).map(({ code }) => code),
      ['storage-full'],
    );
    await page.close();
  });

  it('of two tabs do not mix, and none offers what the other is recording', async () => {
    const pages = [await open('/agreed.html'), await open('/agreed.html')];
    for (const [i, page] of pages.entries()) {
      await page.bringToFront();
      await tracked(page);
      await panel(page);
      await element(page, (e, label) => (e.record(), e.mark(label)), `tab ${i}`);
      await recordedFor(page, 700);
    }
    for (const page of pages) assert.deepEqual(await kept(page), []);
    await pages[0].close();
    await pages[1].waitForFunction(async () => (await document.querySelector('#eye').savedRecordings()).length === 1, {
      polling: 100,
    });
    assert.deepEqual(ownMarks((await kept(pages[1]))[0].markers), ['tab 0']);
    await element(pages[1], (e) => e.record());
    await pages[1].waitForFunction(async () => (await document.querySelector('#eye').savedRecordings()).length === 2, {
      polling: 100,
    });
    assert.deepEqual((await kept(pages[1])).map(({ markers }) => ownMarks(markers)).sort(), [['tab 0'], ['tab 1']]);
    await clear(pages[1]);
    await pages[1].close();
  });

  it('are written into a file that the user chooses', async () => {
    const page = await open('/agreed.html');
    await tracked(page);
    await panel(page);
    await element(page, (e) => e.record());
    await recordedFor(page, 500);
    await element(page, (e) => e.record());
    await page.waitForFunction(() => document.querySelector('#eye').shadowRoot.querySelector('.kept li'), {
      polling: 50,
    });
    // The dialog is the browser's; what it gives is a handle like this one.
    const saved = await page.evaluate(async () => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle('chosen.csv', { create: true });
      let asked = null;
      window.showSaveFilePicker = async (options) => ((asked = options), handle);
      const [one] = await document.querySelector('#eye').savedRecordings();
      document.querySelector('#eye').shadowRoot.querySelector('.kept li button').click();
      while (!(await handle.getFile()).size) await new Promise((resolve) => setTimeout(resolve, 20));
      const same = (await (await handle.getFile()).text()) === (await (await one.export('csv')).text());
      await folder.removeEntry('chosen.csv');
      window.showSaveFilePicker = () => Promise.reject(new DOMException('', 'AbortError'));
      return { same, name: asked.suggestedName, accept: asked.types[0].accept, cancelled: await one.save('json') };
    });
    assert.match(saved.name, /^foveola-pupil-.*\.csv$/);
    assert.deepEqual(
      { ...saved, name: '' },
      {
        ...{ same: true, name: '', accept: { 'text/csv': ['.csv'] }, cancelled: false },
      },
    );
    await clear(page);
    assert.deepEqual(await errors(page), []);
    await page.close();
  });

  it('are offered accessibly in both languages', async () => {
    for (const [file, words] of [
      ['/page.html', /Delete all and stop saving/],
      ['/german.html', /Alle löschen und nicht mehr speichern/],
    ]) {
      const page = await open(file);
      await tracked(page);
      await panel(page);
      await element(page, (e) => e.record());
      await recordedFor(page, 500);
      await element(page, (e) => e.record());
      await page.waitForFunction(() => document.querySelector('#eye').shadowRoot.querySelector('.kept li'), {
        polling: 50,
      });
      assert.match(await element(page, (e) => e.shadowRoot.querySelector('.kept').textContent), words);
      await page.evaluate(axeSource);
      const found = await page.evaluate(async () =>
        (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
      );
      assert.deepEqual(found, []);
      if (process.env.FOVEOLA_SHOT)
        await page.screenshot({ path: `${process.env.FOVEOLA_SHOT}-${path.basename(file)}.png`, fullPage: true });
      await clear(page);
      await page.close();
    }
  });
});
