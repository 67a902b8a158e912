// Markup whose ids and names stand for properties of window and document, and libraries that replace built-ins: elements work all
// the same, or name what stands in their way.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { startSite } from '../support/pages.mjs';
import { disc, firstError, heard, tracked } from './element-support.mjs';

const window = [
  ...['reactiveElementVersions', 'litElementVersions', 'litHtmlVersions', 'litPropertyMetadata', 'litNonce'],
  ...['reactiveElementPolyfillSupport', 'litHtmlPolyfillSupport', 'litElementPolyfillSupport', 'ShadyCSS', 'ShadyDOM'],
  ...['litElementHydrateSupport', 'foveola', 'FoveolaPupil', 'createEngine', 'trustedTypes', 'VideoFrame'],
];
const ids = window.map((id) => `<a id="${id}" href="https://evil.example/"></a>`).join('');
const twice = window.map((id) => `<a id="${id}"></a><a id="${id}" name="push"></a>`).join('');
const scripts = {
  cdn: '<script src="/dist/foveola.cdn.js" data-worker="/dist/worker.js" data-assets="/dist/"></script>',
  one: '<script src="/dist/foveola-pupil.cdn.js"></script>',
  module: '<script type="module" src="/dist/foveola.elements.js"></script>',
};
const page = (markup, tag, attributes = `src="${disc}" loop`) =>
  `<!doctype html><html lang="en"><title>test</title><script src="/heard.js"></script>${markup}${tag}
   <foveola-pupil controls ${attributes}></foveola-pupil>`;

const routes = { '/heard.js': heard };
for (const [name, tag] of Object.entries(scripts)) {
  routes[`/${name}-ids.html`] = page(ids, tag);
  routes[`/${name}-twice.html`] = page(twice, tag);
  routes[`/${name}-current.html`] = page('<img name="currentScript"><form name="scripts"></form>', tag);
}
const names = ['createComment', 'importNode', 'addEventListener', 'head', 'baseURI', 'hidden', 'documentElement'];
for (const name of names) routes[`/${name}.html`] = page(`<img name="${name}">`, scripts.one);

// As old libraries do it, before the elements' script and after it.
const builtIns = readFileSync(new URL('../support/replaced-built-ins.mjs', import.meta.url), 'utf8');
const replacing = (name) =>
  `(() => {${builtIns.replaceAll('export const', 'const')} libraries[${JSON.stringify(name)}](); })();`;
const inTheWay = { prototype: 'Prototype\\.js 1\\.6', mootools: 'MooTools 1\\.4' };
for (const [file, name] of Object.entries(inTheWay)) {
  routes[`/${file}.js`] = replacing(name);
  routes[`/${file}-before.html`] = page(`<script src="/${file}.js"></script>`, scripts.cdn);
  routes[`/${file}-after.html`] = page('', `${scripts.cdn}<script src="/${file}.js"></script>`);
}
// Reduced to the one function that once kept the engine waiting for good.
routes['/one.js'] = `Array.from = function (given) {
  if (!given) return [];
  let { length = 0 } = given;
  const list = new Array(length);
  while (length--) list[length] = given[length];
  return list;
};`;
routes['/one-before.html'] = page('<script src="/one.js"></script>', scripts.cdn);

describe('names of the markup', () => {
  let site;
  before(async () => (site = await startSite({ routes })));
  after(() => site?.close());

  for (const address of Object.keys(routes).filter((one) => /-(ids|twice|current)\./.test(one)))
    it(`stand in nobody's way: ${address}`, async () => {
      const { page: opened, errors } = await site.open(address);
      await tracked(opened);
      assert.deepEqual(
        errors.filter((error) => !/evil/.test(error)),
        [],
      );
      assert.deepEqual(await opened.evaluate(() => heard.errors), []);
      await opened.close();
    });

  for (const name of names)
    it(`that hide what an element needs are named: ${name}`, async () => {
      const { page: opened } = await site.open(`/${name}.html`);
      const { code, message } = await firstError(opened);
      assert.equal(code, 'invalid-argument');
      assert.match(message, new RegExp(`"${name}" and hides document\\.${name}\\. Rename it`));
      const ended = await opened.evaluate(async () => {
        const element = document.querySelector('foveola-pupil');
        const late = new Promise((resolve) => setTimeout(() => resolve('late'), 20_000));
        return Promise.race([element.start().then(() => element.error.code), late]);
      });
      assert.equal(ended, 'invalid-argument');
      await opened.close();
    });
});

describe('libraries that replace built-ins', () => {
  let site;
  before(async () => (site = await startSite({ routes })));
  after(() => site?.close());

  for (const [file, name] of [...Object.entries(inTheWay), ['one', 'Array\\.from']])
    for (const place of file === 'one' ? ['before'] : ['before', 'after'])
      it(`are named: ${file}, ${place}`, async () => {
        const { page: opened } = await site.open(`/${file}-${place}.html`);
        const { code, message } = await firstError(opened);
        assert.equal(code, 'built-in-replaced');
        assert.match(message, new RegExp(name));
        await opened.close();
      });
});
