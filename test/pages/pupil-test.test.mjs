// <foveola-pupil-test> as it is built, on a page with a strict policy: a whole test by keyboard, its result, what axe says,
// and what it does with bad protocols, a hidden page and its own removal.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { itInFull, itKept } from '../support/full.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';
import { clip } from './element-support.mjs';

/* global axe, Event, HTMLAnchorElement, saved */

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const pageOf = (attributes, lang = 'en') =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>test</title>
   <script src="/heard.js"></script><script src="/dist/foveola-pupil-test.cdn.js"></script></head>
   <body><main><h1>Test</h1><foveola-pupil-test no-fullscreen ${attributes}></foveola-pupil-test></main></body></html>`;
const heard = `window.heard = { states: [], markers: [], results: [], errors: [] };
  addEventListener('securitypolicyviolation', (e) => heard.errors.push(e.violatedDirective + ' ' + e.blockedURI));
  addEventListener('foveola-error', ({ detail }) => heard.errors.push(detail.message), true);
  addEventListener('foveola-test-state', ({ detail }) => heard.states.push(detail.state), true);
  addEventListener('foveola-test-marker', ({ detail }) => heard.markers.push(detail), true);
  addEventListener('foveola-test-result', ({ detail }) => heard.results.push(detail), true);
  // The start button at first, when no pupil has been tracked for long enough.
  requestAnimationFrame(function look() {
    const test = document.querySelector('foveola-pupil-test');
    const [first, why] = ['.first', '#why'].map((one) => test?.shadowRoot?.querySelector(one));
    if (!first || !(why?.textContent.length > 5)) return requestAnimationFrame(look);
    first.click();
    heard.early = { state: test.state, disabled: first.ariaDisabled, why: true };
  });`;

const short = {
  ...{ format: 1, id: 'short', title: { en: 'Short', de: 'Kurz' }, measure: 'light-reflex' },
  steps: [
    { type: 'text', text: { en: 'Ready?', de: 'Bereit?' } },
    { type: 'adapt', duration: 200, label: 'baseline' },
    { type: 'flash', duration: 300, label: 'flash' },
    { type: 'ask', text: '7 x 8', duration: 60_000, label: 'task' },
    { type: 'wait', for: 'go', duration: 60_000 },
    { type: 'text', text: 'Done' },
  ],
};
const element = (page, work, argument) => page.$eval('foveola-pupil-test', work, argument);
const withFrames = (page) =>
  page.waitForFunction(
    () =>
      document.querySelector('foveola-pupil-test').shadowRoot?.querySelector('.quality:not(:empty)')?.tagName &&
      !document.querySelector('foveola-pupil-test').shadowRoot.querySelector('p.quality:not(.good)'),
    { polling: 50 },
  );
const words = (page, text) =>
  page.waitForFunction(
    (wanted) =>
      document.querySelector('foveola-pupil-test').shadowRoot.querySelector('dialog .words')?.textContent === wanted,
    { polling: 20 },
    text,
  );
/** A step is seen one frame after it was put there, and answered no sooner. */
const seen = (page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))),
  );
const press = async (page, key) => {
  await seen(page);
  await page.keyboard.press(key);
};
/** The recording plays in a loop: a test does not start after its end. */
const prepare = (page, protocol = short) =>
  element(page, (e, given) => Object.assign(e, { protocol: given }).tracker.toggleAttribute('loop', true), protocol);
const begin = async (page, protocol = short) => {
  await prepare(page, protocol);
  await withFrames(page);
  await element(page, (e) => e.start());
  await words(page, 'Ready?');
};
/** Waits until the test may start. */
const steady = (page) =>
  page.waitForFunction(
    () => {
      const first = document.querySelector('foveola-pupil-test').shadowRoot.querySelector('.first');
      return first && !first.ariaDisabled;
    },
    { polling: 50 },
  );
/** Keeps what the element downloads in window.saved. */
const saves = (page) =>
  page.evaluate(() => {
    window.saved = [];
    let made;
    URL.createObjectURL = (blob) => ((made = blob), 'about:blank');
    HTMLAnchorElement.prototype.click = function () {
      const name = this.download;
      saved.push(made.text().then((text) => ({ name, text })));
    };
  });
const axeSays = async (page) => {
  await page.evaluate(axeSource);
  return page.evaluate(async () => (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`));
};

describe('foveola-pupil-test under a strict policy', () => {
  let site;
  before(async () => {
    site = await startSite({
      routes: {
        '/heard.js': heard,
        '/page.html': pageOf(`src="${clip}" marker-keys="1 x"`),
        '/german.html': pageOf(`src="${clip}"`, 'de'),
        '/bad.html': pageOf('protocol="no-such-test"'),
      },
      headers: (page) =>
        page.endsWith('.html')
          ? { 'Content-Security-Policy': `${strictPolicy}; require-trusted-types-for 'script'` }
          : {},
    });
  });
  after(() => site?.close());
  afterEach(() => site.closePages());

  it('runs a protocol by keyboard, with markers on the clock of the frames, and gives one result', async () => {
    const { page, errors } = await site.open('/page.html');
    await begin(page);
    await press(page, 'x');
    await press(page, 'Space');
    await words(page, '7 x 8');
    await press(page, 'Enter');
    await page.waitForFunction(
      () => document.querySelector('foveola-pupil-test').shadowRoot.querySelector('dialog .words').hidden,
      { polling: 20 },
    );
    await seen(page);
    await element(page, (e) => e.mark('go'));
    await words(page, 'Done');
    await press(page, 'Space');
    await page.waitForFunction(() => heard.results.length === 1, { polling: 20 });
    const { result, same, open } = await element(page, (e) => ({
      result: heard.results[0],
      same: e.result === heard.results[0],
      open: !!e.shadowRoot.querySelector('dialog[open]'),
    }));
    assert.equal(same, true);
    assert.equal(open, false);
    assert.equal(result.complete, true);
    assert.deepEqual(
      result.markers.map(({ label }) => label),
      ['x', 'baseline', 'flash', 'flash end', 'task', 'answer', 'go'],
    );
    assert.deepEqual(
      result.steps.map(({ type }) => type),
      ['text', 'adapt', 'flash', 'ask', 'wait', 'text'],
    );
    const times = result.markers.map(({ timestamp }) => timestamp);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    // Steps follow each other without a gap: one is over when the next is seen.
    for (const [i, { offset }] of result.steps.slice(0, -1).entries()) assert.equal(offset, result.steps[i + 1].onset);
    const csv = await element(page, (e) => e.exportCsv());
    assert.match(csv, /flash end/);
    const json = JSON.parse(await element(page, (e) => e.exportJson()));
    assert.equal(json.protocol.id, 'short');
    assert.deepEqual(await page.evaluate(() => heard.states), ['running', 'done']);
    assert.deepEqual(errors, []);
    assert.deepEqual(await page.evaluate(() => heard.errors), []);
  });

  itInFull('starts once a pupil is tracked, and is led by the buttons on the screen', async () => {
    const { page, errors } = await site.open('/page.html');
    await prepare(page);
    assert.deepEqual(await page.evaluate(() => heard.early), { state: 'ready', disabled: 'true', why: true });
    await steady(page);
    await page.setViewport({ width: 600, height: 300 });
    await element(page, (e) => e.shadowRoot.querySelector('.keys').scrollIntoView({ block: 'start' }));
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(await element(page, (e) => e.tracker.state), 'running', 'while only the panel is in view');
    await element(page, (e) => e.shadowRoot.querySelector('.first').click());
    await words(page, 'Ready?');
    await press(page, 'Tab');
    const button = async (name) => (await page.$(`foveola-pupil-test >>> dialog .${name}`)).click();
    await button('next');
    await words(page, '7 x 8');
    await seen(page);
    await button('next');
    await page.waitForFunction(() => heard.markers.some(({ label }) => label === 'answer'), { polling: 20 });
    await seen(page);
    await page.mouse.move(50, 50);
    await page.mouse.move(60, 60); // the buttons are hidden until the pointer moves
    await button('stop');
    await page.waitForFunction(() => heard.results.length === 1, { polling: 20 });
    assert.equal(await page.evaluate(() => heard.results[0].complete), false);
    assert.deepEqual(errors, []);
  });

  itInFull('does not start from a source that is paused, has ended or is lost, and says why', async () => {
    const { page } = await site.open('/page.html');
    const why = (wanted) =>
      page.waitForFunction(
        (text) => document.querySelector('foveola-pupil-test').shadowRoot.querySelector('#why')?.textContent === text,
        { polling: 20 },
        wanted,
      );
    await withFrames(page);
    await element(page, (e) => e.tracker.pause());
    await why('The recording is paused. Play it.');
    await element(page, (e) => e.tracker.seek(7900).then(() => e.tracker.play()));
    await why('The recording has ended. Play it again, or open a camera.');
    assert.equal(await element(page, (e) => e.start().catch(({ code }) => code)), 'source-not-ready');
    await element(page, (e) => (e.src = '/no-such-file.webm'));
    await why('No images arrive. Open the camera or a recording again.');
    const first = await element(page, (e) => e.shadowRoot.querySelector('.first').ariaDisabled);
    assert.equal(first, 'true');
  });

  itInFull('changes a protocol, saves it as a file and opens it again', async () => {
    const { page, errors } = await site.open('/page.html');
    await saves(page);
    await page.waitForFunction(() => document.querySelector('foveola-pupil-test').shadowRoot.querySelector('.openers'));
    await element(page, (e) => e.shadowRoot.querySelector('.openers button').click());
    const set = (label, value) =>
      element(
        page,
        async (e, [name, to]) => {
          const field = e.shadowRoot.querySelector(`input[aria-label="${name}"]`);
          field.value = to;
          field.dispatchEvent(new Event('change'));
          await e.updateComplete;
          return [e.shadowRoot.querySelector('[role=alert]')?.textContent ?? '', field.value];
        },
        [label, value],
      );
    const [refused, kept] = await set('Adaptation, seconds', '-1');
    assert.match(refused, /steps\[1\]\.duration/);
    assert.equal(kept, '10');
    assert.deepEqual(await set('Adaptation, seconds', '3'), ['', '3']);
    await element(page, (e) => [...e.shadowRoot.querySelectorAll('#protocol button')][0].click());
    const [{ name, text }] = await page.evaluate(() => Promise.all(saved));
    assert.equal(name, 'light-reflex-changed.json');
    assert.equal(JSON.parse(text).steps[1].duration, 3000);
    await element(page, (e) => (e.protocol = 'rest'));
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'protocol-')), name);
    writeFileSync(file, text);
    const open = await page.$('foveola-pupil-test >>> #protocol .row button:last-child');
    const [chooser] = await Promise.all([page.waitForFileChooser(), open.click()]);
    await chooser.accept([file]);
    await page.waitForFunction(
      () => document.querySelector('foveola-pupil-test').protocol.steps?.[1].duration === 3000,
    );
    rmSync(path.dirname(file), { recursive: true });
    assert.deepEqual(errors, []);
  });

  it('shows curve, table and reasons after a test, and prepares another', async () => {
    const { page, errors } = await site.open('/page.html');
    await saves(page);
    await begin(page);
    await press(page, 'Space');
    await words(page, '7 x 8');
    await press(page, 'Escape');
    await page.waitForFunction(() => document.querySelector('foveola-pupil-test').shadowRoot.querySelector('.summary'));
    const view = await element(page, (e) => {
      const { shadowRoot: root } = e;
      const cells = [...root.querySelector('.scroll tbody tr').children].map((cell) => cell.textContent);
      return {
        ...{
          charts: root.querySelectorAll('figure svg').length,
          cells,
          active: root.activeElement?.textContent.trim(),
        },
        reasons: root.querySelectorAll('.reasons li').length,
        numbers: Math.max(0, ...[...root.querySelectorAll('sup')].map((sup) => Number(sup.textContent))),
      };
    });
    assert.equal(view.charts, 1);
    assert.equal(view.cells[0], 'Flash 1, white');
    assert.equal(view.reasons, view.numbers);
    for (const cell of view.cells) assert.match(cell, /\d$|white$/); // a number, or the number of a reason
    assert.equal(view.active, 'Repeat the test');
    await press(page, 'End'); // one tab stop: the last button is the report
    await press(page, 'Enter');
    await page.waitForFunction(() => saved.length > 0);
    const [{ name, text }] = await page.evaluate(() => Promise.all(saved));
    assert.match(name, /^short-.*\.html$/);
    assert.match(text, /^<!doctype html>/i);
    await steady(page);
    await element(page, (e) => e.shadowRoot.querySelector('.summary .first').click()); // again, to compare both
    await words(page, 'Ready?');
    await press(page, 'Space');
    await words(page, '7 x 8');
    await press(page, 'Escape');
    await page.waitForFunction(() => document.querySelector('foveola-pupil-test').shadowRoot.querySelector('.summary'));
    const captions = await element(page, (e) =>
      [...e.shadowRoot.querySelectorAll('caption')].map(({ textContent }) => textContent.trim()),
    );
    assert.match(captions.at(-1), /^Before \(.*\) and after \(.*\)$/);
    await element(page, (e) => e.shadowRoot.querySelectorAll('.summary .row button')[1].click());
    await page.waitForFunction(() => document.querySelector('foveola-pupil-test').shadowRoot.querySelector('.stages'));
    assert.deepEqual(errors, []);
  });

  itInFull(
    'pauses by key and when the page is hidden, goes on, and ends by Escape with what was measured',
    async () => {
      const { page, errors } = await site.open('/page.html');
      await begin(page);
      await press(page, 'p');
      await page.waitForFunction(() => heard.states.at(-1) === 'paused', { polling: 20 });
      await press(page, 'Space');
      await page.waitForFunction(() => heard.states.at(-1) === 'running', { polling: 20 });
      await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { value: true, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
        delete document.hidden;
      });
      await page.waitForFunction(() => heard.states.at(-1) === 'paused', { polling: 20 });
      await press(page, 'Escape');
      await page.waitForFunction(() => heard.results.length === 1, { polling: 20 });
      assert.equal(await page.evaluate(() => heard.results[0].complete), false);
      assert.equal(await element(page, (e) => e.shadowRoot.activeElement?.textContent), 'Repeat the test');
      assert.deepEqual(errors, []);
    },
  );

  itInFull('ends when it is stopped while it begins', async () => {
    const { page, errors } = await site.open('/page.html');
    await prepare(page);
    await withFrames(page);
    const left = await element(page, async (e) => {
      const starting = e.start();
      e.stop();
      await starting;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { state: e.state, complete: e.result.complete, open: !!e.shadowRoot.querySelector('dialog[open]') };
    });
    assert.deepEqual(left, { state: 'done', complete: false, open: false });
    assert.deepEqual(await page.evaluate(() => heard.states), ['running', 'done']);
    assert.deepEqual(errors, []);
  });

  itInFull('ends with its removal from the page, and leaves nothing behind', async () => {
    const { page, errors } = await site.open('/page.html');
    await begin(page);
    const left = await element(page, async (e) => {
      e.remove();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { state: e.state, complete: e.result.complete, open: document.querySelectorAll('dialog[open]').length };
    });
    assert.deepEqual(left, { state: 'done', complete: false, open: 0 });
    assert.deepEqual(errors, []);
  });

  itInFull('says what is wrong with a protocol, and takes the next one', async () => {
    const { page } = await site.open('/bad.html');
    const alert = () => element(page, (e) => e.shadowRoot.querySelector('[role=alert]')?.textContent ?? null);
    assert.match(await alert(), /'no-such-test' is unknown\. Use light-reflex/);
    await element(page, async (e) => {
      e.protocol = '{"format":1,"id":"a","title":"A","steps":[{"type":"flash"}]}';
      await e.updateComplete;
    });
    assert.match(await alert(), /steps\[0\]\.duration must be there/);
    const flicker = (on) => ({
      ...{ format: 1, id: 'flicker', title: 'Flicker' },
      steps: [
        {
          type: 'repeat',
          times: 20,
          steps: [
            { type: 'flash', duration: on },
            { type: 'pause', duration: on },
          ],
        },
      ],
    });
    await element(page, (e, given) => ((e.protocol = given), e.updateComplete), flicker(50));
    assert.match(await alert(), /flashes 10 times per second/);
    await element(page, (e) => ((e.allowFastFlashes = true), e.updateComplete));
    assert.equal(await alert(), null);
    await element(page, (e, given) => ((e.allowFastFlashes = false), (e.protocol = given), e.updateComplete), short);
    assert.equal(await alert(), null);
    const refused = await element(page, (e) => e.start().catch(({ code }) => code));
    assert.equal(refused, 'source-not-ready');
  });

  for (const [file, ready, repeat] of [
    ['/page.html', 'Ready?', 'Repeat the test'],
    ['/german.html', 'Bereit?', 'Test wiederholen'],
  ])
    itKept(file === '/page.html')(`is accessible before, during and after a test on ${file}`, async () => {
      const { page } = await site.open(file);
      await prepare(page);
      await withFrames(page);
      assert.deepEqual(await axeSays(page), [], 'before');
      await element(page, (e) => e.start());
      await words(page, ready);
      assert.deepEqual(await axeSays(page), [], 'during');
      await press(page, 'Escape');
      await page.waitForFunction(() => heard.results.length === 1, { polling: 20 });
      await element(page, (e) => e.updateComplete);
      assert.deepEqual(await axeSays(page), [], 'after');
      assert.equal(await element(page, (e) => e.shadowRoot.querySelector('.summary .first').textContent), repeat);
      await page.close();
    });
});
