// Page tests: built files on a static page, in a real browser, with the headers a portal would send.
import { existsSync } from 'node:fs';
import path from 'node:path';
import puppeteer from 'puppeteer-core';
import { launchOptions } from '../../tools/browser.mjs';
import { serve, sharedFolder } from '../../tools/serve.mjs';

/** The folder of media beside the checkout, or null: `it('...', { skip: !shared && 'no ../shared' }, ...)`. */
export const shared = existsSync(path.join(sharedFolder, 'api.md')) ? sharedFolder : null;

/** Isolated pages need COOP and COEP; pages under a strict policy this one (issue and docs name it). */
export const strictPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; " +
  "media-src 'self' blob:; worker-src 'self'; connect-src 'self'";

// Browsers ask for an icon by themselves; its absence is not an error of the page.
const icon = { '/favicon.ico': (request, response) => response.writeHead(204).end() };

/** The arguments of a browser with a camera that every page may open. */
export const fakeCamera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/**
 * A browser of these arguments, or a separate profile in one that the run shares (tools/shared-browsers.mjs).
 * @param alone a separate process even then, for a test that needs the profile on disk or ends the browser
 */
async function startBrowser(args, alone) {
  const address = !alone && JSON.parse(process.env.FOVEOLA_BROWSERS ?? '{}')[args.join(' ')];
  if (!address) return puppeteer.launch(await launchOptions({ args }));
  const browser = await puppeteer.connect({ browserWSEndpoint: address, protocolTimeout: 300_000 });
  const profile = await browser.createBrowserContext();
  const close = profile.close.bind(profile);
  profile.close = async () => {
    await close();
    await browser.disconnect();
  };
  return profile;
}

/**
 * A server and a browser.
 * @param options.routes   pages: { '/page.html': '<!doctype html>...' }; may grow while the site is open
 * @param options.headers  (path) => headers, or one object for every answer
 * @param options.args     further arguments of the browser, for instance `fakeCamera`
 * @param options.alone    do not share the browser with other tests
 * @returns open(path) => { page, errors }, server, browser, closePages(), close()
 *   closePages: for afterEach. An open page plays its recording during the next tests
 *   errors: everything that went wrong on the page so far (exceptions, console errors, failed requests, CSP reports)
 */
export async function startSite({ routes = {}, headers = {}, args = [], alone = false, mounts = {} } = {}) {
  const server = await serve({
    routes: Object.setPrototypeOf({ ...icon }, routes), // pages that are added later are found as well
    headers: typeof headers === 'function' ? headers : () => ({ ...headers }),
    mounts: Object.assign(mounts, shared && { '/shared/': shared }), // the caller may add more while it runs
  });
  const browser = await startBrowser(args, alone);

  const opened = new Set();
  async function open(address, { before, waitUntil = 'load' } = {}) {
    const page = await browser.newPage();
    opened.add(page);
    page.once('close', () => opened.delete(page));
    page.setDefaultTimeout(60_000);
    const errors = [];
    page.on('pageerror', (error) => errors.push(`exception: ${error?.message ?? error}`));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(`console: ${message.text()}`);
    });
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      // What the page itself ended is no error: an element that is removed stops the loading of its model.
      if (reason !== 'net::ERR_ABORTED') errors.push(`request: ${request.url()} ${reason}`);
    });
    await before?.(page);
    await page.bringToFront(); // a page behind another one draws no frames
    await page.goto(new URL(address, server.url).href, { waitUntil });
    return { page, errors };
  }

  return {
    server,
    browser,
    open,
    closePages: () => Promise.all([...opened].map((page) => page.close())),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
