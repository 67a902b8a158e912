// Subject and session through the built files: attributes, the dialog, file names, tables. A frame that reports its height.
/* global axe, HTMLAnchorElement, localStorage, sessionStorage, saved, heights */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';
import { disc, heard, pageOf } from './element-support.mjs';

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

describe('who is measured', () => {
  let site;
  before(async () => {
    site = await startSite({
      routes: {
        '/heard.js': heard,
        '/page.html': pageOf(`controls src="${disc}" subject="S01" session="2" eye="left" exports="no-file-names"`),
      },
      headers: (page) =>
        page.endsWith('.html')
          ? { 'Content-Security-Policy': `${strictPolicy}; require-trusted-types-for 'script'` }
          : {},
    });
  });
  after(() => site?.close());
  afterEach(() => site.closePages());
  const element = (page, work, argument) => page.$eval('foveola-pupil', work, argument);

  it('is in tables and file names without the name of the file, and is edited in a dialog', async () => {
    const { page, errors } = await site.open('/page.html');
    await page.waitForFunction(() => heard.results.length > 0, { polling: 50 });
    await element(page, (e) => e.analyse());
    const described = JSON.parse(await element(page, (e) => e.exportCsvJson()));
    assert.deepEqual(described.about, { subject: 'S01', session: '2' });
    assert.equal(JSON.stringify(described).includes('disc'), false);

    await element(page, (e) => e.shadowRoot.querySelector('[data-menu=more]').click());
    const item = await page.waitForSelector('foveola-pupil >>> ::-p-text(Subject and session …)');
    await item.click();
    await page.waitForFunction(() => document.querySelector('foveola-pupil').shadowRoot.querySelector('.about[open]'));
    await page.evaluate(axeSource);
    const faults = await page.evaluate(async () => (await axe.run()).violations.map(({ id }) => id));
    assert.deepEqual(faults, []);
    await page.keyboard.press('Tab'); // from the subject, which has the focus, to the eye
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('7');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('foveola-pupil').shadowRoot.querySelector('.about'));
    assert.equal(await element(page, (e) => e.trial), '7');

    await page.evaluate(() => {
      window.saved = [];
      HTMLAnchorElement.prototype.click = function () {
        saved.push(this.download);
      };
    });
    await element(page, (e) => e.shadowRoot.querySelector('[data-menu=exports]').click());
    await (await page.waitForSelector('foveola-pupil >>> .menu button')).click();
    await page.waitForFunction(() => saved.length === 2);
    const names = await page.evaluate(() => saved);
    for (const name of names) assert.match(name, /^S01-left-2-7-[a-z]+-\d{8}-\d{6}\.csv(\.json)?$/);
    const settings = await element(page, (e) => e.exportSettings());
    assert.deepEqual(JSON.parse(settings).about, { subject: 'S01', session: '2', trial: '7' });
    const loaded = await element(
      page,
      (e, text) => {
        e.subject = e.trial = null;
        e.loadSettings(text);
        return [e.subject, e.session, e.trial, e.note];
      },
      settings,
    );
    assert.deepEqual(loaded, ['S01', '2', '7', null]);
    assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
    assert.deepEqual(errors, []);
  });
});

describe('a frame', () => {
  let site;
  const framed = (origin) =>
    `<!doctype html><html lang="en"><title>frame</title><script src="/dist/foveola-pupil.cdn.js"></script>
     <style>body { margin: 10px }</style><foveola-pupil controls ${origin}></foveola-pupil></html>`;
  before(async () => {
    const routes = {
      '/heights.js': `window.heights = []; addEventListener('message', ({ data, origin }) => heights.push({ ...data, origin }));`,
      '/page.html': `<!doctype html><title>page</title><script src="/heights.js"></script><iframe width="600" height="100"></iframe>`,
    };
    site = await startSite({ routes });
    const { url } = site.server;
    for (const [name, origin] of [
      ['asked', `frame-height="${url}"`],
      ['other', `frame-height="https://portal.example"`],
      ['silent', ''],
    ])
      routes[`/${name}.html`] = framed(origin);
  });
  after(() => site?.close());
  afterEach(() => site.closePages());

  const open = async (name) => {
    const { page } = await site.open('/page.html');
    const other = site.server.url.replace('127.0.0.1', 'localhost');
    await page.$eval('iframe', (frame, address) => (frame.src = address), `${other}/${name}.html`);
    const frame = await page.waitForFrame((one) => one.url().endsWith(`${name}.html`));
    await frame.waitForFunction(() => document.querySelector('foveola-pupil')?.shadowRoot?.querySelector('.toolbar'));
    return { page, frame, other };
  };

  it('tells its height to the origin that its document names, also when it changes', async () => {
    const { page, frame, other } = await open('asked');
    await page.waitForFunction(() => heights.length > 0);
    const needed = () => frame.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height));
    const last = () => page.evaluate(() => heights.at(-1));
    assert.deepEqual(await last(), { type: 'foveola-height', height: await needed(), origin: other });
    const before = (await last()).height;
    await page.$eval('iframe', (one) => (one.style.height = `${heights.at(-1).height}px`));
    await frame.$eval('foveola-pupil', (e) => (e.settingsOpen = true));
    await page.waitForFunction((height) => heights.at(-1).height > height + 100, {}, before);
    await frame.$eval('foveola-pupil', (e) => (e.settingsOpen = false));
    await page.waitForFunction((height) => heights.at(-1).height === height, {}, before);
  });

  it('tells nothing to another origin, and nothing unasked', async () => {
    for (const name of ['other', 'silent']) {
      const { page, frame } = await open(name);
      await frame.$eval('foveola-pupil', (e) => (e.settingsOpen = true));
      await frame.waitForFunction(() => document.querySelector('foveola-pupil').shadowRoot.querySelector('.panel'));
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.deepEqual(await page.evaluate(() => heights), [], name);
      await page.close();
    }
  });
});
