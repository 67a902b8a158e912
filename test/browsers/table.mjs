// The table of element tests: the same checks in every browser that the machine has.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { bundleForPage } from '../../tools/import-ts.mjs';
import { root, serve } from '../../tools/serve.mjs';
import { missing, startBrowser } from '../support/browsers.mjs';
import { layoutFaults } from './layout.mjs';
import { elements, routes, sourceAt } from './page.mjs';

/* global axe, found, foveola, getComputedStyle, opened, overlays, setTimeout, heard, until */

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const truth = JSON.parse(readFileSync(path.join(root, 'demo/media/sample.truth.json'), 'utf8')).frames;

/** FOVEOLA_PICTURES=/some/folder keeps what each page looked like. */
const pictures = process.env.FOVEOLA_PICTURES;

/** In the page: language, direction, and of two eyes twice as many numbers. */
async function chooses(lang, direction, eyes) {
  const element = document.querySelector('[data-tested]');
  document.documentElement.dir = direction;
  // A stand-in for a dictionary that is written from right to left.
  if (lang === 'ar') foveola.addStrings('ar', element.strings);
  element.lang = lang;
  await element.updateComplete;
  const written = getComputedStyle(element.shadowRoot.querySelector('.base')).direction;
  if (written !== (lang === 'ar' ? 'rtl' : 'ltr')) throw new Error(`${lang} is written ${written}`);
  if (element.localName === 'foveola-pupil' && element.eyes !== eyes) {
    element.eyes = eyes;
    await until(() => heard.results.at(-1).pupils.length === eyes, `no result of ${eyes} eyes`);
  }
  // The numbers are written some time after their result.
  await new Promise((resolve) => setTimeout(resolve, 300));
}

/** In the page: what axe objects to at the usual width. */
async function axeFaults() {
  document.querySelector('main').style.width = '';
  document.querySelector('[data-tested]').stop();
  if (!window.axe)
    await new Promise((resolve, reject) => {
      const script = document.createElement('script');
      Object.assign(script, { src: '/axe.js', onload: resolve, onerror: reject });
      document.head.append(script);
    });
  const { violations } = await axe.run();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
}

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
          '/overlay.js': await bundleForPage('test/browsers/overlay-page.ts', { name: 'overlays' }),
          '/overlay.html': '<!doctype html><html lang="en"><body><script src="/overlay.js"></script></body></html>',
          ...routes(),
        },
      });
      browser = await startBrowser(name);
    });
    after(async () => {
      await browser?.close();
      await server?.close();
    });

    const once = async (place, work) => {
      const page = await browser.open(`${server.url}/${place}.html`);
      try {
        await work(page);
        assert.deepEqual(await page.run(() => window.heard?.errors ?? []), []);
      } finally {
        if (pictures) writeFileSync(path.join(pictures, `${name}-${place}.png`), await page.screenshot());
        await page.close().catch(() => {});
      }
    };
    // WebKitGTK's video stands still now and then, or the browser hangs, where others keep the machine busy: then once more in a
    // browser that was started again.
    const visit = (place, work) =>
      name === 'webkit'
        ? once(place, work).catch(async (error) => {
            console.log(`${name}, ${place}: once more after ${error.message.split('\n')[0]}`);
            await browser.close().catch(() => {});
            browser = await startBrowser(name);
            return once(place, work);
          })
        : once(place, work);

    for (const [tag, { drawn }] of Object.entries(elements))
      it(`${tag}: opens a source, gives a result, lies well, passes axe`, { skip }, () =>
        visit(tag, async (page) => {
          await page.run((source) => opened(source).then(() => true), drawn);
          await page.run((name) => until(() => heard.results.some(found[name]), 'nothing is found'), tag);
          for (const [lang, direction, eyes] of [
            ['ar', 'rtl', 1],
            ['en', 'rtl', 1],
            ['de', 'ltr', 2],
            ['en', 'ltr', 1],
          ]) {
            await page.run(chooses, lang, direction, eyes);
            for (const width of [1000, 620, 360, 280, 240]) {
              const faults = await page.run(layoutFaults, width);
              assert.deepEqual(faults, [], `${width} px wide, ${lang}, ${direction}`);
            }
            assert.deepEqual(await page.run(axeFaults), [], `axe, ${lang}, ${direction}`);
          }
        }),
      );

    it('shows all of a video in its slot', { skip }, () =>
      visit('slotted', async (page) => {
        await page.run(() => opened(null).then(() => true));
        for (const width of [1000, 280]) {
          const faults = await page.run(layoutFaults, width);
          assert.deepEqual(faults, [], `${width} px wide`);
        }
      }),
    );

    it('analyses every frame of the clip, and exports CSV and JSON', { skip }, () =>
      visit('foveola-pupil', async (page) => {
        const { csv, json, analysis } = await page.run(async () => {
          const element = await opened(null);
          element.stop();
          await element.analyse();
          const { rows, analysis: note } = JSON.parse(await element.exportJson());
          return { csv: await element.exportCsv(), json: rows, analysis: note };
        });
        assert.deepEqual([analysis.everyFrame, analysis.complete], [true, true], JSON.stringify(analysis));
        assert.equal(json.length, truth.length);
        const open = json.filter((_, i) => truth[i][6] === 0);
        const near = open.filter(({ frame, x, y }) => Math.hypot(x - truth[frame][0], y - truth[frame][1]) < 2);
        assert.ok(near.length > 0.97 * open.length, `${near.length} of ${open.length} open eyes are where they are`);
        const lines = csv
          .trimEnd()
          .split('\n')
          .filter((line) => !line.startsWith('#'));
        assert.match(lines[0], /timestamp.*diameter/);
        assert.equal(lines.length - 1, truth.length);
      }),
    );

    it('lays the overlay on pictures of the page, and takes the pointer there, under any CSS', { skip }, () =>
      visit('overlay', async (page) => {
        const { count, step } = await page.run(() => ({ count: overlays.cases.length, step: overlays.perPage }));
        for (let from = 0; from < count; from += step) {
          await page.run((first) => overlays.show(first), from);
          for (const moved of [false, true]) {
            if (moved) await page.run(() => overlays.shift());
            const seen = [];
            for (const on of [false, true]) {
              await page.run((draws) => overlays.draw(draws), on);
              seen.push((await page.screenshot()).toString('base64'));
            }
            const faults = await page.run((...both) => overlays.compare(...both), ...seen);
            assert.deepEqual(faults, [], moved ? 'after the page has moved them' : 'as laid out');
          }
        }
      }),
    );

    it('draws the region on a turned video of the page, and moves it with the mouse', { skip }, () =>
      visit('turned', async (page) => {
        await page.run(async () => {
          const element = await opened(null);
          element.roi = { x: 200, y: 150, width: 240, height: 180 };
          await until(() => element.shadowRoot.querySelector('.shape')?.offsetWidth > 0, 'the region is not shown');
        });
        const drag = async (from, to) => {
          const middle = from.map((v, i) => (v + to[i]) / 2);
          await page.drag([from, middle, to].map(([x, y]) => sourceAt(x, y)));
          return page.run(() => document.querySelector('[data-tested]').roi);
        };
        const close = (got, wanted) => {
          for (const [key, value] of Object.entries(wanted))
            assert.ok(Math.abs(got[key] - value) <= 4, `${key}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
        };
        close(await drag([320, 240], [380, 200]), { x: 260, y: 110, width: 240, height: 180 });
        close(await drag([500, 290], [550, 320]), { x: 260, y: 110, width: 290, height: 210 });
      }),
    );
  });
}
