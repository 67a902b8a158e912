// The CDN scripts of one element: each says the same words as in the script of all, and finds what it finds on both sides.
/* global foveola */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startSite, strictPolicy } from '../support/pages.mjs';
import { clip, heard } from './element-support.mjs';

const names = ['pupil', 'face', 'track', 'vessels', 'filter'];
const page = (
  script,
  language,
) => `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>test</title>
  <script src="/heard.js"></script><script src="/dist/${script}.js"></script></head><body></body></html>`;

/** In the page: everything that is read or read aloud, with help and settings open. */
async function words(name) {
  const element = document.createElement(`foveola-${name}`);
  element.controls = true;
  document.body.append(element);
  await element.updateComplete;
  const all = new Set();
  const look = async () => {
    await element.updateComplete;
    for (const each of element.renderRoot.querySelectorAll('*')) {
      for (const attribute of ['title', 'aria-label', 'placeholder', 'alt']) all.add(each.getAttribute(attribute));
      for (const child of each.childNodes)
        if (child.nodeType === 3 && each.localName !== 'style') all.add(child.data.trim().replace(/\s+/g, ' '));
    }
  };
  // Loaded when they are opened.
  const opened = async (selector) => {
    while (!element.renderRoot.querySelector(selector)) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  // German is in another file.
  while (document.documentElement.lang === 'de' && !/[äöü]/.test(element.renderRoot.textContent))
    await new Promise((resolve) => setTimeout(resolve, 20));
  await look();
  element.renderRoot
    .querySelector('.stage')
    .dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, composed: true }));
  await opened('.help');
  await look();
  element.settingsOpen = true;
  await opened('.panel');
  for (const operation of name === 'filter' ? ['canny', 'hough', 'flow', 'inpaint'] : [null]) {
    if (operation) element.operation = operation;
    await look();
  }
  element.remove();
  return [...all].filter(Boolean).sort();
}

/** In the page: the filters that <foveola-filter> offers beside its switch. */
async function offered() {
  const element = document.createElement('foveola-filter');
  element.source = { width: 32, height: 24, data: new Uint8Array(32 * 24).fill(90) };
  document.body.append(element);
  await new Promise((resolve) => element.addEventListener('foveola-result', resolve, { once: true }));
  await element.updateComplete;
  const names = [...element.renderRoot.querySelector('.filter select').options].map(({ value }) => value);
  element.remove();
  return names.filter(Boolean);
}

/** In the page: a bright square on gray, through the element; resolves with its event. */
async function run(name, backend, source) {
  const element = document.createElement(`foveola-${name}`);
  element.backend = backend;
  const [width, height] = [160, 120];
  const data = new Uint8Array(width * height).fill(90);
  for (let y = 40; y < 80; y++) data.fill(220, y * width + 60, y * width + 100);
  const seen = new Promise((resolve) => {
    for (const event of ['result', 'error'])
      element.addEventListener(`foveola-${event}`, ({ detail }) => resolve(detail));
  });
  if (name === 'track') element.box = { x: 55, y: 35, width: 50, height: 50 };
  if (source) element.src = source;
  else element.source = { width, height, data };
  const ready = new Promise((resolve) =>
    element.addEventListener('foveola-ready', ({ detail }) => resolve(detail.backend), { once: true }),
  );
  document.body.append(element);
  const detail = await seen;
  const used = await ready;
  element.remove();
  return { used, code: detail.code ?? null, message: detail.message ?? null };
}

describe('the script of one element', () => {
  let site;
  before(async () => {
    const pages = ['foveola.cdn', ...names.map((name) => `foveola-${name}.cdn`)].flatMap((script) =>
      ['en', 'de'].map((language) => [`/${script}.${language}.html`, page(script, language)]),
    );
    site = await startSite({
      routes: { '/heard.js': heard, ...Object.fromEntries(pages) },
      headers: { 'Content-Security-Policy': strictPolicy },
    });
  });
  after(() => site?.close());

  async function at(script, language, work) {
    const opened = await site.open(`/${script}.${language}.html`);
    try {
      const answer = await work(opened.page);
      assert.equal(opened.errors.join('\n'), '');
      return answer;
    } finally {
      await opened.page.close();
    }
  }

  for (const name of names) {
    it(`foveola-${name} has all its words in it`, async () => {
      for (const language of ['en', 'de']) {
        const own = await at(`foveola-${name}.cdn`, language, (tab) => tab.evaluate(words, name));
        const all = await at('foveola.cdn', language, (tab) => tab.evaluate(words, name));
        assert.ok(own.length > 20, 'words were found');
        assert.deepEqual(own, all);
      }
    });

    for (const backend of ['wasm', 'gpu'])
      it(`foveola-${name} runs with ${backend}`, async () => {
        const { used, message } = await at(`foveola-${name}.cdn`, 'en', (tab) =>
          tab.evaluate(run, name, backend, name === 'filter' || name === 'track' ? clip : null),
        );
        assert.equal(message, null);
        assert.equal(used, backend);
      });
  }

  it('foveola-filter has every call that the element makes', async () => {
    const names = await at('foveola-filter.cdn', 'en', (tab) => tab.evaluate(offered));
    assert.ok(names.includes('median'), names.join(', '));
    assert.deepEqual(names, await at('foveola.cdn', 'en', (tab) => tab.evaluate(offered)));
    const found = await at('foveola-filter.cdn', 'en', (tab) =>
      tab.evaluate(async (further) => {
        const data = new Uint8Array(64 * 48).fill(90);
        for (let y = 12; y < 36; y++) data.fill(220, y * 64 + 20, y * 64 + 44);
        const image = { width: 64, height: 48, data };
        const mask = { width: 64, height: 48, data: new Uint8Array(64 * 48).fill(255, 600, 604) };
        const engine = await foveola.createEngine({ backend: 'wasm' });
        try {
          const [edges, lines, flow, filled] = [
            await engine.canny(image),
            await engine.houghLines(image, { segments: true, threshold: 15 }),
            await engine.opticalFlow(image, image),
            await engine.inpaint(image, mask),
          ];
          const made = [];
          for (const name of further) made.push((await engine[name](image)).data.some(Boolean));
          return [edges.data.some(Boolean), lines.length > 0, flow.width > 0, Boolean(filled), made.every(Boolean)];
        } finally {
          engine.dispose();
        }
      }, names),
    );
    assert.deepEqual(found, [true, true, true, true, true]);
  });
});
