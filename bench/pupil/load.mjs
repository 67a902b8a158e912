// Pupil: cold cache, navigation start to the first result with a pupil on the demo page; sizes of the built files.
//   --quick            three times instead of nine
//   --against FOLDER   in turn with the files of another build (its dist folder), and the ratio pair by pair
import { readFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fixed, Report } from '../parts/report.mjs';
import { cdnBudgets } from '../../tools/build.mjs';
import { kernelsOf } from '../../tools/engine-parts.mjs';
import { quantile } from '../parts/numbers.mjs';

const LIMIT = 1500;
const scripts = Object.keys(cdnBudgets);
const FILES = [...scripts, ...scripts.map(kernelsOf), 'worker.js', 'kernels.wasm', 'foveola.js', 'elements.js'];

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

/** One visit in a new browser: its profile has no cache of files, none of compiled code. */
async function visit(openBrowser, url) {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(watch);
    await page.goto(`${url}/demo/`, { waitUntil: 'commit' }).catch(() => page.goto(`${url}/demo/`));
    await page.waitForFunction(() => globalThis.times.found || globalThis.times.error, {
      timeout: 60_000,
      polling: 50,
    });
    const times = await page.evaluate(() => globalThis.times);
    if (times.error) throw new Error(`The demo page failed: ${times.error}`);
    return times;
  } finally {
    await browser.close();
  }
}

export default async function load(given) {
  const { args, root, serve, openBrowser } = given;
  const report = new Report(given);
  const other = args.includes('--against') ? args[args.indexOf('--against') + 1] : null;
  const server = await serve();
  const otherServer = other && (await serve({ mounts: { '/dist/': path.resolve(other) } }));
  const count = args.includes('--quick') ? 3 : 9;
  const runs = [];
  const otherRuns = [];
  for (let i = 0; i < count; i++) {
    runs.push(await visit(openBrowser, server.url));
    if (otherServer) otherRuns.push(await visit(openBrowser, otherServer.url));
  }
  report.line(
    `The demo page with dist/foveola.cdn.js, ${count} times, each in a new browser with an empty profile, files from this ` +
      'machine, not compressed. Milliseconds from the start of the navigation.',
  );
  const of = (name, list = runs) => list.map((times) => times[name]);
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
  if (other) {
    const ratios = runs.map((times, i) => times.found / otherRuns[i].found);
    report.line('In turn with the other build, until the first result with found = true:');
    report.table([
      ['', 'median', 'least', 'most'],
      row('this build', of('found')),
      row('the other build', of('found', otherRuns)),
      [
        'this / other, pair by pair',
        ...[quantile(ratios, 0.5), Math.min(...ratios), Math.max(...ratios)].map((value) => fixed(value, 2)),
      ],
    ]);
  }
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
  for (const [file, wanted] of Object.entries(cdnBudgets)) {
    const size = sizes.find(([name]) => name === file)?.[2];
    if (size)
      report.line(
        `${file}: ${size} bytes gzipped; wanted at most ${wanted}: ${size <= wanted ? 'reached' : 'NOT reached'}.`,
      );
  }
  report.finish('lab/results/performance.md', 'load pupil', 'load pupil');
}
