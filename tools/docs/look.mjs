// `npm run docs -- look [FOLDER]`: pages of build/site in the browser at three widths, light and dark, with what axe objects to, what
// is wider than the screen, and the bytes of the first page. Screenshots are written to FOLDER if it is named.
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import puppeteer from 'puppeteer-core';
import { launchOptions } from '../browser.mjs';
import { serve } from '../serve.mjs';
import { root } from '../setup.mjs';
import { firstPageBytes } from './site.mjs';

/* global axe, document */

const pages = ['index.html', 'light-reflex.html', 'operations/canny.html', 'engine.html', 'pupil-methods.html'];
const FIRST_PAGE = 150_000;

async function visit(page, { url, dark, width, search }) {
  await page.setViewport({ width, height: width < 500 ? 844 : 900, isMobile: width < 500, hasTouch: width < 500 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await page.goto(url, { waitUntil: 'load' });
  if (!search) return;
  await page.type('form.search input', search);
  await page.waitForSelector('.found li a');
}

/** The first place of a search, as its reader sees it. */
const firstFound = (page) => page.$eval('.found li a b', (title) => title.textContent);

export async function look(folder) {
  const site = path.join(root, 'build/site');
  const { url, close } = await serve({ folder: site });
  const browser = await puppeteer.launch(await launchOptions({}));
  const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
  if (folder) mkdirSync(folder, { recursive: true });
  let wrong = 0;
  try {
    const page = await browser.newPage();
    await page.setBypassCSP(true);
    for (const width of [390, 768, 1440])
      for (const dark of [false, true])
        for (const [name, search] of [...pages.map((one) => [one]), ['index.html', 'blink threshold']]) {
          await visit(page, { url: `${url}/${name}`, dark, width, search });
          await page.evaluate(axeSource);
          const { violations, wide } = await page.evaluate(async () => ({
            violations: (await axe.run(document, { resultTypes: ['violations'] })).violations.map(({ id, nodes }) => `${id} ${nodes[0].html.slice(0, 120)}`),
            wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          })); // prettier-ignore
          const label = `${search ? `search "${search}" (first: ${await firstFound(page)})` : name}`;
          console.log(`${width} ${dark ? 'dark ' : 'light'} axe ${violations.length}, ${wide} px too wide: ${label}`);
          for (const violation of violations) console.log(`  ${violation}`);
          wrong += violations.length + Number(wide > 0);
          const file = `${width}-${dark ? 'dark' : 'light'}-${search ? 'search' : path.basename(name, '.html')}.png`;
          if (folder) await page.screenshot({ path: path.join(folder, file) });
        }
    const bytes = await firstPageBytes(site);
    console.log(`first page ${(bytes / 1000).toFixed(0)} kB without the demo (at most ${FIRST_PAGE / 1000})`);
    if (wrong || bytes > FIRST_PAGE) process.exitCode = 1;
  } finally {
    await browser.close();
    await close();
  }
}
