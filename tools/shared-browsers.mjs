// One browser for all page tests of a run, and one with a fake camera: to start one takes seconds of both cores. Each test file
// has a separate profile in it (test/support/pages.mjs).
import puppeteer from 'puppeteer-core';
import { launchOptions } from './browser.mjs';
import { fakeCamera } from '../test/support/pages.mjs';

/** Runs `work` with the browsers' addresses in FOVEOLA_BROWSERS, by their arguments. */
export async function withSharedBrowsers(work) {
  const kinds = [[], fakeCamera];
  const browsers = await Promise.all(kinds.map(async (args) => puppeteer.launch(await launchOptions({ args }))));
  const addresses = kinds.map((args, i) => [args.join(' '), browsers[i].wsEndpoint()]);
  process.env.FOVEOLA_BROWSERS = JSON.stringify(Object.fromEntries(addresses));
  try {
    return await work();
  } finally {
    delete process.env.FOVEOLA_BROWSERS;
    await Promise.all(browsers.map((browser) => browser.close()));
  }
}
