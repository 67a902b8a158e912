// Forced colors (high contrast), in which the browser takes backgrounds and shadows away: what is selected, and what the
// state is, must still be seen; drawings on the picture keep their colors. And axe finds nothing in any element.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe } from 'node:test';
import { root } from '../../tools/serve.mjs';
import { itInFull, itKept } from '../support/full.mjs';
import { startSite } from '../support/pages.mjs';
import { disc, heard, settingsShown } from './element-support.mjs';

/* global axe, getComputedStyle */

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const elements = {
  pupil: '',
  face: '',
  track: 'box="32 32 56 56"',
  vessels: 'paused',
  filter: 'operation="canny"',
};

const pageOf = (tag, attributes) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>test</title><script src="/heard.js"></script>
   <script src="/dist/foveola.cdn.js" data-assets="/dist/"></script></head>
   <body><main><h1>Test</h1><${tag} ${attributes} src="${disc}" controls loop></${tag}></main></body></html>`;

/** WCAG's contrast of two opaque colors as computed styles tell them. */
function contrast(one, other) {
  const luminance = (color) => {
    const [r, g, b] = color
      .match(/[\d.]+/g)
      .map(Number)
      .map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe('forced colors', () => {
  let site;
  before(async () => {
    site = await startSite({
      routes: {
        '/heard.js': heard,
        ...Object.fromEntries(
          Object.entries(elements).map(([name, attributes]) => [
            `/${name}.html`,
            pageOf(`foveola-${name}`, attributes),
          ]),
        ),
      },
    });
  });
  after(() => site?.close());

  const open = async (address, scheme) => {
    const { page } = await site.open(address, {
      before: async (page) => {
        const session = await page.createCDPSession();
        const features = [
          { name: 'forced-colors', value: 'active' },
          { name: 'prefers-color-scheme', value: scheme },
        ];
        await session.send('Emulation.setEmulatedMedia', { features });
      },
    });
    await page.waitForFunction(() => heard.results.length > 0, { polling: 50 });
    return page;
  };
  /** Colors of a node in the element, or of what stands before it. */
  const look = (page, selector, pseudo) =>
    page.evaluate(
      (inner, before) => {
        const root = document.querySelector('main').lastElementChild.shadowRoot;
        const { backgroundColor, color, borderTopColor, borderTopWidth } = getComputedStyle(
          root.querySelector(inner),
          before,
        );
        return { background: backgroundColor, color, border: borderTopColor, width: parseFloat(borderTopWidth) };
      },
      selector,
      pseudo,
    );

  // The test of each element runs axe without forced colors.
  for (const name of Object.keys(elements))
    for (const scheme of ['light', 'dark'])
      itKept(scheme === 'light' && name === 'pupil')(
        `pass axe, foveola-${name} with its settings, ${scheme}`,
        async () => {
          const page = await open(`/${name}.html`, scheme);
          await page.$eval(`foveola-${name}`, (element) => {
            element.stop();
            element.settingsOpen = true;
          });
          await settingsShown(page);
          await page.evaluate(axeSource);
          const { violations } = await page.evaluate(() => axe.run());
          const faults = violations.flatMap(({ id, nodes }) =>
            nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`),
          );
          assert.deepEqual(faults, []);
          await page.close();
        },
      );

  for (const scheme of ['light', 'dark']) {
    itKept(scheme === 'light')(`show which segment of a switch is selected, ${scheme}`, async () => {
      const page = await open('/filter.html', scheme);
      const chosen = await look(page, '.switch button[aria-checked=true]');
      const other = await look(page, '.switch button[aria-checked=false]');
      assert.ok(contrast(chosen.background, other.background) >= 3, JSON.stringify({ chosen, other }));
      assert.ok(contrast(chosen.background, chosen.color) >= 3, JSON.stringify(chosen));
      await page.close();
    });

    itInFull(`show the dot of the state and what is drawn on the picture, ${scheme}`, async () => {
      const page = await open('/pupil.html', scheme);
      await page.waitForSelector('foveola-pupil[tracking]');
      const dot = await look(page, '.badge.state', '::before');
      const badge = await look(page, '.badge.state');
      assert.ok(dot.width >= 1 && contrast(dot.border, badge.background) >= 3, JSON.stringify({ dot, badge }));
      assert.ok(contrast(dot.background, badge.background) >= 1.5, JSON.stringify({ dot, badge }));
      const colors = await page.$eval('foveola-pupil', ({ shadowRoot }) =>
        [...shadowRoot.querySelectorAll('.stage > span[hidden] > span')].map((probe) => getComputedStyle(probe).color),
      );
      assert.ok(colors.includes('rgb(67, 240, 181)'), `the outline keeps its color: ${colors.join(' ')}`);
      await page.close();
    });
  }
});
