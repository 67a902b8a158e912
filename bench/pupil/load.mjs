// Pupil: cold cache, navigation start to the first result with a pupil on the demo page; sizes of the built files.
//   --quick: three times instead of nine
import { readFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fixed, Report } from '../parts/report.mjs';
import { quantile } from './parts/score.mjs';

const LIMIT = 1500;
const BUDGET = 120_000;
const FILES = ['foveola.cdn.js', 'worker.js', 'kernels.st.wasm', 'kernels.mt.wasm', 'foveola.js', 'elements.js'];

/** Runs in the page before its scripts: notes when what happened first. */
function watch() {
  const times = (globalThis.times = {});
  const note = (name) => (times[name] ??= performance.now());
  globalThis.addEventListener('foveola-ready', () => note('ready'), true);
  globalThis.addEventListener(
    'foveola-result',
    ({ detail }) => {
      note('result');
      if (detail.pupils[0].found) note('found');
    },
    true,
  );
  globalThis.addEventListener(
    'foveola-error',
    ({ detail }) => (times.error ??= String(detail?.message ?? detail)),
    true,
  );
}

export default async function load(given) {
  const { args, root, serve, openBrowser } = given;
  const report = new Report(given);
  const server = await serve();
  const count = args.includes('--quick') ? 3 : 9;
  const runs = [];
  for (let i = 0; i < count; i++) {
    const browser = await openBrowser(); // a new profile: no cache of files, none of compiled code
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(watch);
    await page.goto(`${server.url}/demo/`, { waitUntil: 'commit' }).catch(() => page.goto(`${server.url}/demo/`));
    await page.waitForFunction(() => globalThis.times.found || globalThis.times.error, {
      timeout: 60_000,
      polling: 50,
    });
    const times = await page.evaluate(() => globalThis.times);
    if (times.error) throw new Error(`The demo page failed: ${times.error}`);
    runs.push(times);
    await browser.close();
  }
  report.line(
    `The demo page with dist/foveola.cdn.js, ${count} times, each in a new browser with an empty profile, files from this ` +
      'machine, not compressed. Milliseconds from the start of the navigation.',
  );
  const of = (name) => runs.map((times) => times[name]);
  const row = (label, list) => [
    label,
    ...[quantile(list, 0.5), Math.min(...list), Math.max(...list)].map((value) => fixed(value, 0)),
  ];
  report.table([
    ['until', 'median', 'least', 'most'],
    row('the engine is ready', of('ready')),
    row('the first result', of('result')),
    row('the first result with found = true', of('found')),
  ]);
  const median = quantile(of('found'), 0.5);
  report.line(`Wanted: at most ${LIMIT} ms. ${fixed(median, 0)} ms: ${median <= LIMIT ? 'reached' : 'NOT reached'}.`);
  const sizes = FILES.map((file) => path.join(root, 'dist', file))
    .filter((file) => existsSync(file))
    .map((file) => {
      const bytes = readFileSync(file);
      return [
        path.basename(file),
        bytes.length,
        gzipSync(bytes, { level: 9 }).length,
        brotliCompressSync(bytes).length,
      ];
    });
  report.table([['built file', 'bytes', 'gzipped', 'brotli'], ...sizes]);
  const cdn = sizes.find(([name]) => name === 'foveola.cdn.js');
  report.line(
    `foveola.cdn.js: ${cdn[2]} bytes gzipped; wanted at most ${BUDGET}: ${cdn[2] <= BUDGET ? 'reached' : 'NOT reached'}.`,
  );
  report.finish('docs/performance.md', 'load pupil', 'load pupil');
}
