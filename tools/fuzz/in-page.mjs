// What is fuzzed in a page of a browser: the GPU side (gpu-page.ts), media as a page reads them (media-page.ts).
import puppeteer from 'puppeteer-core';
import { launchOptions } from '../browser.mjs';
import { bundleForPage } from '../import-ts.mjs';
import { serve } from '../serve.mjs';

/* global self, trials */

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>fuzz</title>
  <script src="/dist/foveola.cdn.js"></script><script src="/fuzz-trials.js"></script></head><body></body></html>`;
/** Trials of one call of the page, ms. */
const SHARE = 1_000;
/** A page that says nothing for so long hangs, ms. */
const HANG = 40_000;
/** Trials that are passed over after one that hung or ended its page. */
const PASSED = 20;

/** Of a script that exports `begin` and `play`: for so many milliseconds or trials; gives what `fuzz` of tools/fuzz.mjs gives. */
export const fuzzInPage =
  (entry) =>
  async ({ seed, milliseconds, inputs }) => {
    const script = await bundleForPage(entry, { name: 'trials' });
    const type = { 'Content-Type': 'text/javascript; charset=utf-8' };
    const server = await serve({
      routes: {
        '/fuzz-trials.html': page,
        '/fuzz-trials.js': (_, response) => response.writeHead(200, type).end(script),
      },
    });
    const browser = await puppeteer.launch(await launchOptions());
    const failures = [];
    let tab = null;
    const fresh = async () => {
      await tab?.close().catch(() => {});
      tab = await browser.newPage();
      await tab.goto(new URL('/fuzz-trials.html', server.url).href, { waitUntil: 'load' });
      await tab.evaluate(() => trials.begin());
    };
    let number = 0;
    let began = performance.now();
    try {
      await fresh();
      began = performance.now();
      while (performance.now() - began < milliseconds && number < inputs) {
        const left = Math.min(SHARE, milliseconds - (performance.now() - began));
        const play = tab.evaluate((...given) => self.trials.play(...given), seed, number, inputs, left);
        let timer;
        const hangs = new Promise((resolve) => (timer = setTimeout(() => resolve('hangs'), HANG)));
        const heard = await Promise.race([play.catch((error) => `the page ended: ${error.message}`), hangs]);
        clearTimeout(timer);
        if (typeof heard !== 'string') {
          failures.push(...heard.failures);
          number = heard.next;
          continue;
        }
        failures.push({ number, message: `${heard}, in this trial or within the next second`, shown: '' });
        number += PASSED;
        await fresh();
      }
    } finally {
      await browser.close();
      await server.close();
    }
    return { inputs: number, failures, seconds: (performance.now() - began) / 1000 };
  };
