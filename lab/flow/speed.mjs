// Sparse flow against native OpenCV and OpenCV.js, dense flow on one thread and two, the scalar baseline.
//   --quick: fewer rounds; --write: into lab/results/performance.md
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { python } from '../../bench/parts/python.mjs';

const NATIVE = fileURLToPath(new URL('../../bench/flow/parts/native.py', import.meta.url));
const SIZE = [1280, 720];
const COUNTS = [68, 1000];
const least = (values) => (values.length ? Math.min(...values) : NaN);
const verdict = (good) => (good ? 'reached' : 'NOT reached');

async function sparse(report, call, folder, peer, rounds) {
  const times = Object.fromEntries(COUNTS.map((count) => [count, { own: [], tracking: [], js: [], native: [] }]));
  const files = ['previous', 'next', 'points'].map((name) => path.join(folder, name));
  let version = '';
  for (let round = 0; round < rounds; round++) {
    for (const count of COUNTS) {
      times[count].own.push(await call('sparse', count, 150));
      times[count].tracking.push(await call('sparseTracking', count, 100));
      if (peer) times[count].js.push(await call('sparsePeer', count, 150));
    }
    const answer = python(NATIVE, 'sparse', ...SIZE, ...files, 0.2, ...COUNTS);
    if (answer.skipped) report.line(`native OpenCV: skipped (${answer.skipped})`);
    else {
      version = answer.version;
      for (const count of COUNTS) times[count].native.push(answer.ms[count]);
    }
  }
  report.heading(`Sparse flow, ${SIZE.join('x')}, one thread`);
  report.line(
    'Window 21, 3 halvings, 30 iterations, epsilon 0.01, both pyramids built inside; WASM and OpenCV.js on the thread of one page, wall clock, native OpenCV through Python, CPU time, turn about; ms, least of the rounds’ medians. Tracking: the pyramid of the previous frame is there already, that of the next is made with a copy of the frame.',
  );
  const heading = [
    '',
    'WASM',
    'WASM, tracking',
    `native OpenCV ${version}`,
    'OpenCV.js',
    'WASM / native',
    'OpenCV.js / WASM',
  ];
  const rows = COUNTS.map((count) => {
    const {
      own,
      tracking,
      native: theirs,
      js,
    } = Object.fromEntries(Object.entries(times[count]).map(([who, list]) => [who, least(list)]));
    return { count, own, tracking, theirs, js };
  });
  report.table([
    heading,
    ...rows.map(({ count, own, tracking, theirs, js }) => [
      `${count} points`,
      fixed(own, 2),
      fixed(tracking, 2),
      fixed(theirs, 2),
      fixed(js, 2),
      fixed(own / theirs, 2),
      fixed(js / own, 1),
    ]),
  ]);
  report.list([
    `Wanted: at most 1.2 times native: ${verdict(rows.every(({ own, theirs }) => own <= 1.2 * theirs))}.`,
    `Wanted: at least 4 times faster than OpenCV.js: ${verdict(rows.every(({ own, js }) => js >= 4 * own))}.`,
  ]);
}

async function dense(report, call, rounds) {
  report.heading('Dense flow');
  report.line(
    'engine.opticalFlow in its worker, frames and result posted, wall clock, ms, best of the rounds, one thread and two turn about. Ratios near 1 mean that the second core was busy with something else.',
  );
  const rows = [['', 'one thread', 'two threads', 'one / two']];
  const ratios = {};
  for (const [name, width, height, params] of [
    ['400x400, 5 iterations', 400, 400, { iterations: 5 }],
    ['640x480', 640, 480, {}],
    ['1280x720', 1280, 720, {}],
    ['640x480, refine', 640, 480, { refine: true }],
    ['1280x720, refine', 1280, 720, { refine: true }],
  ]) {
    const { best } = await call('dense', width, height, rounds, params);
    ratios[name] = best;
    rows.push([name, fixed(best[0]), fixed(best[1]), fixed(best[0] / best[1], 2)]);
  }
  report.table(rows);
  const [one, two] = ratios['1280x720'];
  const vga = ratios['640x480'][0];
  const paper = ratios['400x400, 5 iterations'][0];
  const scalar = await call('scalar', 400, 400);
  report.list([
    `Wanted: 640x480 in at most 315 ms on one thread: ${fixed(vga)}, ${verdict(vga <= 315)}.`,
    `Wanted: two threads at least 1.6 times one at 1280x720: ${fixed(one / two, 2)}, ${verdict(one >= 1.6 * two)}.`,
    `Paper 001 at 400x400, window 21, 3 halvings, 5 iterations: 96.9 frames a second on its GPU, 96 times its sequential program (1.01). WASM, one thread: ${fixed(1000 / paper)} frames a second; a plain scalar program with a window at every pixel, on the page: ${fixed(1000 / scalar, 2)}; ratio ${fixed(scalar / paper, 0)}.`,
  ]);
}

export default async function speed(given) {
  const { args, root, shared, serve, openBrowser, bundleForPage, log } = given;
  if (!shared) return log('needs ../shared');
  const rounds = args.includes('--quick') ? 2 : 7;
  const report = new Report(given);
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-flow-'));
  try {
    const video = path.join(shared, 'data/flow/videos/one_by_one_person_5s.webm');
    const made = python(NATIVE, 'frames', video, ...SIZE, folder, 1000);
    if (made.skipped) return log(`the frames are made by OpenCV in Python: ${made.skipped}`);
    const file = (name) => readFileSync(path.join(folder, name));
    const server = await serve({
      routes: {
        '/favicon.ico': (request, response) => response.writeHead(204).end(),
        '/bench.html': '<!doctype html><title>bench</title>',
        ...Object.fromEntries(['previous', 'next', 'points'].map((name) => [`/flow-${name}`, file(name)])),
      },
    });
    const browser = await openBrowser({ protocolTimeout: 1_800_000 });
    const page = await browser.newPage();
    await page.goto(`${server.url}/isolated/bench.html`);
    const peer = 'node_modules/@techstark/opencv-js/dist/opencv.js';
    if (existsSync(path.join(root, peer))) await page.addScriptTag({ url: `${server.url}/${peer}` });
    else report.line(`OpenCV.js: skipped, there is no ${peer}.`);
    await page.addScriptTag({ content: await bundleForPage('lab/flow/parts/page.ts', { name: 'flowBench' }) });
    const call = (name, ...args) => page.evaluate((name, args) => globalThis.flowBench[name](...args), name, args);
    await sparse(report, call, folder, await call('open', ...SIZE), rounds);
    await dense(report, call, rounds);
  } finally {
    rmSync(folder, { recursive: true });
  }
  report.finish('lab/results/performance.md', 'speed flow', 'speed flow');
}
