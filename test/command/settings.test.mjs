// Settings as the elements save them, given to the command with --params: the results have them.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe } from 'node:test';
import { root } from '../../tools/setup.mjs';
import { itInFull, itKept } from '../support/full.mjs';
import { startSite } from '../support/pages.mjs';
import { folder, foveola, recording } from './support.mjs';

const clip = 'clip.webm';
const portrait = path.join(root, 'test/media/portrait.png');

/** What is set on each element, what the command is called with, and which parameters its results must name. */
const cases = [
  {
    element: 'foveola-pupil',
    set: { method: 'threshold', eyes: 2, roi: { x: 8, y: 8, width: 140, height: 100 }, settings: { minDiameter: 0.1 } },
    args: ['pupil', clip],
    names: { method: 'threshold', eyes: 2, roi: { x: 8, y: 8, width: 140, height: 100 }, minDiameter: 0.1 },
  },
  {
    element: 'foveola-face',
    set: { detectEvery: 3, settings: { minSize: 44 } },
    args: ['faces', portrait],
    names: { detectEvery: 3, minSize: 44, smoothLandmarks: true },
  },
  {
    element: 'foveola-track',
    set: { settings: { minConfidence: 0.4 } },
    args: ['track', clip, '--box', '36,36,48,48'],
    names: { minConfidence: 0.4 },
  },
  {
    element: 'foveola-vessels',
    set: { opacity: 0.3, color: '#ff8000', sigma: 3, micrometresPerPixel: 7, settings: { thresholdFactor: 1.2 } },
    args: ['vessels', portrait],
    names: { sigma: 3, micrometresPerPixel: 7, thresholdFactor: 1.2 },
    without: ['opacity', 'color'],
  },
  {
    element: 'foveola-filter',
    set: {
      operation: 'hough',
      settings: { threshold: 60, low: 30, window: 15, 'median.size': 9 },
      comparisonSettings: { low: 90 },
    },
    args: ['edges', portrait, '--operation', 'lines'],
    names: { threshold: 60, low: 30, segments: true },
    without: ['window', 'median.size', 'comparisonSettings'],
  },
  {
    element: 'foveola-filter',
    set: { operation: 'flow', settings: { window: 15, low: 30 } },
    args: ['flow', clip],
    names: { window: 15 },
  },
];

describe('settings of the elements in the command', () => {
  let made;
  let site;
  let page;
  before(async () => {
    made = folder();
    await recording(made.at(clip), { frames: 3 });
    site = await startSite({ routes: { '/page.html': '<!doctype html><title>page</title>' } });
    ({ page } = await site.open('/page.html'));
    await page.evaluate(() => import('/dist/foveola.elements.js'));
  });
  after(async () => {
    await site?.close();
    made?.remove();
  });

  const saved = async ({ element, set }) =>
    page.evaluate((name, given) => Object.assign(document.createElement(name), given).exportSettings(), element, set);
  let files = 0;
  const given = async (text, args) => {
    const file = made.at(`settings-${files++}.json`);
    writeFileSync(file, text);
    const out = made.at(`out-${files}`);
    const words = args.map((word) => (word === clip ? made.at(clip) : word));
    return { out, ...(await foveola([...words, '--out', out, '--format', 'json', '--jobs', '1', '--params', file])) };
  };

  for (const one of cases)
    itKept(['pupil', 'vessels'].includes(one.args[0]))(
      `of <${one.element}>: foveola ${path.basename(one.args[0])}`,
      async () => {
        const { code, stderr, out } = await given(await saved(one), one.args);
        assert.equal(code, 0, stderr);
        const [input] = one.args.slice(1).map((word) => path.basename(word));
        const name = one.args[0] === 'edges' ? 'lines' : one.args[0];
        const { parameters } = JSON.parse(readFileSync(path.join(out, `${input}.${name}.json`), 'utf8'));
        for (const [key, value] of Object.entries(one.names)) assert.deepEqual(parameters[key], value, key);
        for (const key of one.without ?? []) assert.ok(!(key in parameters), key);
      },
    );

  const faults = [
    [0, ['faces', portrait], /has settings of <foveola-pupil>, but foveola faces needs settings of <foveola-face>/],
    [0, ['pupil', clip], /settings-\d+\.json: .*unknown parameter 'mehtod'\. Known: method, /, { mehtod: 'robust' }],
    [0, ['pupil', clip], /settings-\d+\.json: .*minDiameter must be from 0\.001 to 1 /, { minDiameter: 7 }],
    [
      4,
      ['edges', portrait],
      /unknown setting 'median\.sise' of <foveola-filter>\. foveola edges accepts low, /,
      { 'median.sise': 9 },
    ],
    [4, ['edges', portrait, '--operation', 'circles'], /which foveola edges --operation circles cannot use/],
    [
      4,
      ['edges', portrait],
      /has settings of the filter 'hough' .*Use foveola edges --operation lines\./,
      { operation: 'hough' },
    ],
    [
      4,
      ['flow', clip],
      /has settings of the filter 'median' .*The command supports foveola edges, /,
      { operation: 'median' },
    ],
  ];
  for (const [which, args, message, change] of faults)
    itKept(message === faults[0][2] || change?.mehtod)(`says what to change: ${message.source}`, async () => {
      const settings = JSON.parse(await saved(cases[which]));
      Object.assign(settings.parameters, change);
      const { code, stderr } = await given(JSON.stringify(settings), args);
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.match(stderr, /^foveola: [^\n]*\n$/, 'one line');
    });

  itInFull('of what it has written itself is taken as it stands', async () => {
    const first = await given(await saved(cases[0]), cases[0].args);
    const text = readFileSync(path.join(first.out, `${clip}.pupil.json`), 'utf8');
    const again = await given(text, cases[0].args);
    assert.equal(again.code, 0, again.stderr);
    assert.equal(readFileSync(path.join(again.out, `${clip}.pupil.json`), 'utf8'), text);
  });
});
