// The browsers of test/browsers, behind one face:
//   const browser = await startBrowser('firefox')     { name, open(address) => page, close() }
//   page                                              { run(work, ...args), drag(points), screenshot(), close() }
// `work` is a function that runs in the page and may return a promise; points are those of the viewport.
import puppeteer from 'puppeteer-core';
import { launchOptions } from '../../tools/browser.mjs';
import { findFirefox, findWebKit, findXvfb, openDisplay } from '../../tools/other-browsers.mjs';
import { startWebDriver } from './webdriver.mjs';

const view = { width: 1280, height: 800 };

async function withPuppeteer(options, finish = async () => undefined) {
  const browser = await puppeteer.launch(options);
  return {
    async open(address) {
      const page = await browser.newPage();
      page.setDefaultTimeout(60_000);
      await page.setViewport(view);
      await page.goto(address, { waitUntil: 'load' });
      return {
        run: (work, ...args) => page.evaluate(work, ...args),
        screenshot: async () => Buffer.from(await page.screenshot({ type: 'png' })),
        async drag([from, ...others]) {
          await page.mouse.move(...from);
          await page.mouse.down();
          for (const point of others) await page.mouse.move(...point);
          await page.mouse.up();
        },
        close: () => page.close(),
        puppeteer: page,
      };
    },
    async close() {
      await browser.close();
      await finish();
    },
  };
}

const starts = {
  chromium: async () => withPuppeteer(await launchOptions()),

  async firefox() {
    // Without a display Firefox has no WebGL2; everything else is there.
    const display = await openDisplay();
    return withPuppeteer(
      {
        browser: 'firefox',
        executablePath: findFirefox(),
        headless: true,
        env: { ...process.env, ...(display && { DISPLAY: display.name }), MOZ_CRASHREPORTER_DISABLE: '1' },
        extraPrefsFirefox: { 'media.autoplay.default': 0, 'media.autoplay.blocking_policy': 0 },
        timeout: 120_000,
        protocolTimeout: 300_000,
      },
      () => display?.close(),
    );
  },

  async webkit() {
    const display = await openDisplay();
    const { driver, miniBrowser } = findWebKit();
    const session = await startWebDriver(driver, {
      env: { DISPLAY: display.name },
      capabilities: {
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] },
      },
    });
    await session.size(view.width, view.height).catch(() => {}); // no window manager, no size: it keeps its own
    return {
      async open(address) {
        await session.goto(address);
        const { run, screenshot, drag } = session;
        return { run, screenshot, drag, close: () => session.goto('about:blank') };
      },
      async close() {
        await session.close();
        await display.close();
      },
    };
  },
};

/** Why a browser cannot be used on this machine; false when it can. */
export function missing(name) {
  if (name === 'firefox') return findFirefox() === null && 'no Firefox (firefox-esr) on this machine';
  if (name !== 'webkit') return false;
  if (!findWebKit()) return 'no WebKitWebDriver and MiniBrowser on this machine';
  return !process.env.DISPLAY && !findXvfb() && 'no display and no Xvfb for MiniBrowser';
}

export const startBrowser = (name) => starts[name]();
