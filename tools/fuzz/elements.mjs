// Elements whose attributes, properties and methods are used in random order with random values, attached or not. A trial
// fails over an exception that nobody catches, a rejection that is not one of the library's own or is 'internal', a request
// that the page did not ask for, and where the element gives no result of a good picture afterwards.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import puppeteer from 'puppeteer-core';
import { launchOptions } from '../browser.mjs';
import { generator } from '../random.mjs';
import { root, serve } from '../serve.mjs';
import { elementPage, playDeeds, valueNames, watchPage } from './element-page.mjs';

/* global document, self, customElements */

/** Deeds of a trial at most. */
const MOST = 24;
/** A page is loaded again after so many trials. */
const FRESH = 20;
/** A page that says nothing for so long hangs, ms. */
const HANG = 20_000;

/** What takes an address of a source, of a model or of a folder. */
const addresses = new Set([
  'src',
  'source',
  'open',
  'asset-base',
  'assetBase',
  'cascade',
  'model',
  'settings',
  'loadSettings',
]);

/** Of each element: names as the manifest has them. */
export function elementsOf(manifest) {
  const all = manifest.modules.flatMap(({ declarations = [] }) => declarations).filter(({ tagName }) => tagName);
  return all
    .filter(({ tagName }) => tagName !== 'foveola-pupil-test') // makes a whole session with a screen of its own
    .map(({ tagName, attributes = [], members = [] }) => ({
      tag: tagName,
      attributes: attributes.map(({ name }) => name),
      fields: members.filter(({ kind, readonly }) => kind === 'field' && !readonly).map(({ name }) => name),
      all: members.filter(({ kind }) => kind === 'field').map(({ name }) => name),
      methods: members.filter(({ kind }) => kind === 'method').map(({ name }) => name),
    }));
}

/** The trial of this number: the same for the same seed. */
export function deedsOf(elements, seed, number) {
  const random = generator(Math.imul(seed, 0x9e3779b1) + number);
  const one = (list) => list[Math.floor(random() * list.length)];
  const values = (count) => Array.from({ length: count }, () => one(valueNames));
  const element = one(elements);
  const deed = () => {
    const share = random();
    if (share < 0.1) return { how: 'connect', values: [] };
    if (share < 0.17) return { how: 'remove', values: [] };
    if (share < 0.22) return { how: 'wait', values: [String(Math.floor(50 * random()))] };
    if (share < 0.42) return { how: 'attribute', name: one(element.attributes), values: values(1) };
    if (share < 0.47) return { how: 'unset', name: one(element.attributes), values: [] };
    if (share < 0.7) return { how: 'set', name: one(element.fields), values: values(1) };
    if (share < 0.75) return { how: 'get', name: one(element.all), values: [] };
    return { how: 'call', name: one(element.methods), values: values(Math.floor(3 * random())) };
  };
  return { element, deeds: Array.from({ length: 1 + Math.floor(MOST * random()) }, deed) };
}

/** A page with the elements, and how a trial is made in it. */
async function openTrials(elements) {
  const server = await serve({ routes: { '/fuzz.html': elementPage } });
  const browser = await puppeteer.launch(await launchOptions());
  const here = new URL('/', server.url).href;
  let tab = null;
  let foreign = [];
  const fresh = async () => {
    await tab?.close().catch(() => {});
    tab = await browser.newPage();
    await tab.evaluateOnNewDocument(watchPage);
    await tab.goto(new URL('/fuzz.html', here).href, { waitUntil: 'load' });
    tab.on('request', (request) => foreign.push(request.url()));
    await tab.evaluate((all) => {
      self.defaults = {};
      for (const { tag, fields } of all) {
        const element = document.createElement(tag);
        if (!customElements.get(tag)) throw new Error(`${tag} is not defined`);
        self.defaults[tag] = Object.fromEntries(fields.map((name) => [name, element[name]]));
      }
    }, elements);
  };
  let made = 0;
  return {
    fresh,
    async play({ element: { tag, attributes }, deeds }) {
      if (!tab || made++ % FRESH === 0) await fresh();
      foreign = [];
      const play = tab.evaluate(
        (given, body) => self.eval(`(${body})`)({ ...given, defaults: self.defaults[given.tag] }),
        { tag, attributes, deeds },
        String(playDeeds),
      );
      let timer;
      const hangs = new Promise((resolve) => (timer = setTimeout(() => resolve('hangs'), HANG)));
      const how = await Promise.race([play.catch((error) => `the page ended: ${error.message}`), hangs]);
      clearTimeout(timer);
      if (how) await fresh();
      // No value names another host, and only an address may be asked for outside of the package's own folder.
      const own = /^(blob:|data:)/;
      const asked = deeds.some(({ name }) => addresses.has(name));
      const odd = foreign.find(
        (url) => !own.test(url) && !(asked ? url.startsWith(here) : url.startsWith(new URL('/dist/', here).href)),
      );
      return how ?? (odd === undefined ? null : `a request that nobody asked for: ${odd}`);
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

const shownOf = ({ element, deeds }) =>
  `${element.tag}: ${deeds.map(({ how, name = '', values }) => `${how} ${name}(${values.join(', ')})`).join('; ')}`;

/** For so many milliseconds or trials; gives what `fuzz` of tools/fuzz.mjs gives. */
export async function fuzzElements({ seed, milliseconds, inputs, from = 0 }) {
  const manifest = JSON.parse(readFileSync(path.join(root, 'custom-elements.json'), 'utf8'));
  const elements = elementsOf(manifest);
  const trials = await openTrials(elements);
  const failures = [];
  const began = performance.now();
  let number = from;
  try {
    for (; performance.now() - began < milliseconds && number - from < inputs; number++) {
      const trial = deedsOf(elements, seed, number);
      let message = await trials.play(trial);
      if (!message) continue;
      // As few deeds as fail.
      for (let i = trial.deeds.length - 1; i >= 0; i--) {
        const deeds = trial.deeds.filter((_, k) => k !== i);
        const again = await trials.play({ ...trial, deeds });
        if (again) [trial.deeds, message] = [deeds, again];
      }
      failures.push({ number, message, shown: shownOf(trial), smallest: trial.deeds.length });
    }
  } finally {
    await trials.close();
  }
  return { inputs: number - from, failures, seconds: (performance.now() - began) / 1000 };
}
