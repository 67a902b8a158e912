// Full run only: it builds or packs projects, up to a minute.
// foveola/react and foveola/vue as users have them: from the packed package, bundled with the framework, in a browser, with
// the real elements and their engine; and rendered on a server.
/* global render, heard, held, hydrate -- the pages below make them */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { build } from 'esbuild';
import { itInFull } from '../support/full.mjs';
import { packed, project } from '../support/package.mjs';
import { startSite } from '../support/pages.mjs';

// An eye as bytes: a dark disc on gray.
const shared = `
  export function eye() {
    const [width, height] = [160, 120];
    const data = new Uint8Array(width * height).map((_, i) => {
      const inside = Math.hypot((i % width) - 80, Math.floor(i / width) - 60) < 20;
      return inside ? 20 : 160;
    });
    return { width, height, data };
  }
  export const heard = (window.heard = { first: [], second: [], errors: [] });
`;

const react = `
  import { createRef } from 'react';
  import { createRoot, hydrateRoot } from 'react-dom/client';
  import { flushSync } from 'react-dom';
  import { createElement as h } from 'react';
  import { FoveolaPupil } from 'foveola/react';
  import { eye, heard } from './shared.js';

  const ref = createRef();
  const root = createRoot(document.getElementById('app'));
  const source = eye();
  window.render = (props) => {
    const { second, ...others } = props ?? {};
    const onFoveolaResult = ({ detail }) => heard[second ? 'second' : 'first'].push(detail);
    const onFoveolaError = ({ detail }) => heard.errors.push(detail.message);
    flushSync(() => root.render(props && h(FoveolaPupil, { ref, onFoveolaResult, onFoveolaError, source, ...others })));
  };
  window.hydrate = (container) => hydrateRoot(container, h(FoveolaPupil, { source, controls: true, onFoveolaResult: ({ detail }) => heard.second.push(detail) }));
  window.held = () => ref.current;
`;

const vue = `
  import { createApp, h, nextTick, shallowRef } from 'vue';
  import { FoveolaPupil } from 'foveola/vue';
  import { eye, heard } from './shared.js';

  const ref = shallowRef(null);
  const given = shallowRef(null);
  const source = eye();
  const app = createApp({
    render() {
      if (!given.value) return null;
      const { second, ...others } = given.value;
      const onFoveolaResult = ({ detail }) => heard[second ? 'second' : 'first'].push(detail);
      const onFoveolaError = ({ detail }) => heard.errors.push(detail.message);
      return h(FoveolaPupil, { ref: (made) => (ref.value = made), onFoveolaResult, onFoveolaError, source, ...others });
    },
  });
  app.mount('#app');
  window.render = async (props) => { given.value = props; await nextTick(); };
  window.held = () => ref.value;
`;

const page = (script) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title><div id="app"></div><div id="served"></div>
   <script type="module" src="/${script}"></script></html>`;

const server = {
  react: `import { createElement } from 'react'; import { renderToString } from 'react-dom/server';
    import { FoveolaPupil } from 'foveola/react';
    process.stdout.write(renderToString(createElement(FoveolaPupil, { className: 'wide', source: {}, controls: true, onFoveolaResult() {} })));`,
  vue: `import { createSSRApp, h } from 'vue'; import { renderToString } from 'vue/server-renderer';
    import { FoveolaPupil } from 'foveola/vue';
    process.stdout.write(await renderToString(createSSRApp({ render: () => h(FoveolaPupil, { class: 'wide', source: {}, controls: true, onFoveolaResult() {} }) })));`,
};

describe('the wrappers for frameworks', () => {
  let pack;
  let made;
  let site;
  before(async () => {
    pack = await packed();
    const files = { 'shared.js': shared, 'react.js': react, 'vue.js': vue };
    for (const [name, text] of Object.entries(server)) files[`${name}-server.mjs`] = text;
    made = project(pack, { packages: ['react', 'react-dom', 'vue'], files });
    const routes = {};
    for (const name of ['react', 'vue']) {
      const { outputFiles } = await build({
        absWorkingDir: made.folder,
        entryPoints: [`${name}.js`],
        bundle: true,
        format: 'esm',
        splitting: true,
        outdir: 'out',
        write: false,
        conditions: ['production', 'browser'],
        define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false' },
        logLevel: 'error',
      });
      // The package's files lie beside the bundle, where its modules look for them.
      for (const { path: file, text } of outputFiles) routes[`/dist/${path.basename(file)}`] = text;
      routes[`/${name}.html`] = page(`dist/${name}.js`);
    }
    site = await startSite({ routes, mounts: { '/dist/': path.join(made.folder, 'node_modules/foveola/dist') } });
  });
  after(async () => {
    await site?.close();
    made?.remove();
    pack?.remove();
  });

  for (const name of ['react', 'vue']) {
    it(`${name}: gives properties, listens, and hands out the element`, async () => {
      const { page: tab, errors } = await site.open(`/${name}.html`);
      await tab.waitForFunction(() => window.render);
      await tab.evaluate(() => render({ eyes: 1, maxFps: 7, backend: 'wasm', controls: true, roi: '0 0 160 120' }));
      await tab.waitForFunction(() => heard.first.some(({ pupils }) => pupils[0].found));
      const first = await tab.evaluate(() => {
        const element = held();
        const { eyes, maxFps, backend, controls, roi } = element;
        return { is: element === document.querySelector('#app foveola-pupil'), eyes, maxFps, backend, controls, roi };
      });
      const roi = { x: 0, y: 0, width: 160, height: 120 };
      assert.deepEqual(first, { is: true, eyes: 1, maxFps: 7, backend: 'wasm', controls: true, roi });

      // Other props and another listener; what is gone has its default again.
      await tab.evaluate(async () => {
        heard.first.length = 0;
        await render({ second: true, eyes: '2' });
        await held().updateComplete;
      });
      await tab.waitForFunction(() => heard.second.some(({ pupils }) => pupils.length === 2));
      const second = await tab.evaluate(() => {
        const { eyes, maxFps, backend, controls, roi } = held();
        return { eyes, maxFps, backend, controls, roi, first: heard.first.length, errors: heard.errors };
      });
      assert.deepEqual(second, {
        ...{ eyes: 2, maxFps: 0, backend: 'auto', controls: false, roi: null },
        ...{ first: 0, errors: [] },
      });

      await tab.evaluate(() => render(null));
      assert.equal(await tab.evaluate(() => document.querySelectorAll('#app foveola-pupil').length), 0);
      assert.deepEqual(errors, []);
      await tab.close();
    });

    it(`${name}: renders an empty tag on a server`, () => {
      const html = execFileSync(process.execPath, [`${name}-server.mjs`], { cwd: made.folder, encoding: 'utf8' });
      assert.match(html, /^<foveola-pupil class="wide"[^>]*><\/foveola-pupil>$/);
      assert.doesNotMatch(html, /object|function/i);
    });
  }

  itInFull('react: gives properties also to what came from a server', async () => {
    const { page: tab, errors } = await site.open('/react.html');
    await tab.waitForFunction(() => window.hydrate);
    await tab.evaluate(() => {
      const place = document.getElementById('served');
      place.append(document.createElement('foveola-pupil'));
      hydrate(place);
    });
    await tab.waitForFunction(() => heard.second.some(({ pupils }) => pupils[0].found));
    assert.equal(await tab.evaluate(() => document.querySelector('#served foveola-pupil').controls), true);
    assert.deepEqual(errors, []);
    await tab.close();
  });
});
