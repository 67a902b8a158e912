// The table of element tests: the same checks in every browser that the machine has.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root, serve } from '../../tools/serve.mjs';
import { missing, startBrowser } from '../support/browsers.mjs';
import { layoutFaults } from './layout.mjs';
import { elements, routes } from './page.mjs';

/* global axe, drawn, opened, told, until */

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const clipFrames = JSON.parse(readFileSync(path.join(root, 'demo/media/sample.truth.json'), 'utf8'));

/** FOVEOLA_PICTURES=/some/folder keeps what each page looked like. */
const pictures = process.env.FOVEOLA_PICTURES;

export function elementTable(name) {
  describe(`the elements in ${name}`, () => {
    const skip = missing(name);
    let server, browser;
    before(async () => {
      if (skip) return;
      server = await serve({
        routes: {
          '/favicon.ico': (request, response) => response.writeHead(204).end(),
          '/axe.js': axeSource,
          ...routes(),
        },
      });
      browser = await startBrowser(name);
    });
    after(async () => {
      await browser?.close();
      await server?.close();
    });

    const visit = async (tag, work) => {
      const page = await browser.open(`${server.url}/${tag}.html`);
      try {
        await work(page);
        assert.deepEqual(await page.run(() => told.errors), []);
      } finally {
        if (pictures) writeFileSync(path.join(pictures, `${name}-${tag}.png`), await page.screenshot());
        await page.close();
      }
    };

    for (const [tag, { drawn, found }] of Object.entries(elements))
      it(`${tag}: opens a source, gives a result, lies well, passes axe`, { skip }, () =>
        visit(tag, async (page) => {
          await page.run((source) => opened(source).then(() => true), drawn);
          await page.run(
            (what) => until(() => told.results.some(new Function(`return ${what}`)()), 'nothing is found'),
            String(found),
          );
          for (const direction of ['rtl', 'ltr'])
            for (const width of [1000, 620, 360, 280, 240]) {
              const faults = await page.run(layoutFaults, width, direction);
              assert.deepEqual(faults, [], `${width} px wide, ${direction}`);
            }
          const faults = await page.run(async () => {
            document.querySelector('main').style.width = '';
            document.querySelector('[data-tested]').stop();
            await new Promise((resolve, reject) => {
              const script = document.createElement('script');
              Object.assign(script, { src: '/axe.js', onload: resolve, onerror: reject });
              document.head.append(script);
            });
            const { violations } = await axe.run();
            return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
          });
          assert.deepEqual(faults, []);
        }),
      );
  });
}
