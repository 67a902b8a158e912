// Image stages of WASM in the browser against native OpenCV and OpenCV.js, one thread; two threads; ten million samples.
//   --quick: two rounds, one size
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fixed, Report } from '../parts/report.mjs';
import { median } from '../parts/numbers.mjs';
import { python } from '../parts/python.mjs';

const SIZES = [
  [1280, 1024],
  [640, 480],
];
/** What OpenCV.js has to be behind by. */
const TEN = ['Gaussian 5x5, sigma 2', 'erosion 19', 'top-hat 19'];

/** An image of the paper's set, cut to the size: a rendered eye with noise. */
function eyeImage({ paperFrame }, width, height) {
  const frame = paperFrame(5);
  const [left, top] = [(frame.width - width) >> 1, (frame.height - height) >> 1];
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (top + y) * frame.width + left;
    data.set(frame.data.subarray(from, from + width), y * width);
  }
  return data;
}

const ratio = (peer, own) => (Number.isFinite(peer) && Number.isFinite(own) ? fixed(peer / own, 2) : '-');

async function againstPeers({ root }, report, page, call, image, [width, height], rounds) {
  report.heading(`${width}x${height}, one thread, ms a call`);
  const { names, peer } = await call('open', image.url, width, height);
  const times = Object.fromEntries(names.map((name) => [name, { own: [], js: [], native: [] }]));
  const problems = new Set();
  const budget = rounds > 3 ? 50 : 25;
  for (const name of names) await call('time', name, 60); // compiled and warm
  let version = null;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      times[name].own.push(await call('time', name, budget));
      if (!peer) continue;
      const js = await call('timePeer', name, budget);
      if (typeof js === 'number') times[name].js.push(js);
      else problems.add(`OpenCV.js, ${name}: ${js}`);
    }
    const native = python(path.join(root, 'bench/image/native.py'), width, height, image.file, budget / 1000);
    if (native.skipped) problems.add(`native OpenCV: skipped (${native.skipped})`);
    else {
      version = native.version;
      for (const name of names) if (native.operations[name]) times[name].native.push(native.operations[name].ms);
    }
  }
  const rows = [
    [
      '',
      'WASM',
      `native OpenCV ${version ?? ''}`.trim(),
      'OpenCV.js',
      'native / WASM',
      'OpenCV.js / WASM',
      'same bytes as OpenCV.js',
    ],
  ];
  const behind = [];
  const slow = [];
  for (const name of names) {
    const { own, native, js } = Object.fromEntries(
      Object.entries(times[name]).map(([who, list]) => [who, list.length ? median(list) : NaN]),
    );
    const equal = peer && Number.isFinite(js) ? await call('same', name) : null;
    rows.push([
      name,
      ...[own, native, js].map((value) => fixed(value, 3)),
      ratio(native, own),
      ratio(js, own),
      equal === null ? '' : equal ? 'yes' : 'NO',
    ]);
    if (native / own < 1) behind.push(`${name} (${ratio(native, own)})`);
    const wanted = TEN.includes(name) ? 10 : 3;
    if (js / own < wanted) slow.push(`${name} (${ratio(js, own)} of ${wanted})`);
  }
  report.table(rows);
  report.list([
    ...problems,
    `Wanted: at or ahead of native OpenCV. Behind: ${behind.join(', ') || 'none'}.`,
    `Wanted: OpenCV.js 10 times for Gaussian, erosion and top-hat, 3 times for the others. Less: ${slow.join(', ') || 'none'}.`,
  ]);
}

/** A worker that answers calls. */
async function openWorker(page, script, name) {
  await page.evaluate(
    (script, name) => {
      const worker = new Worker(script);
      const waiting = new Map();
      let id = 0;
      worker.onmessage = ({ data }) => {
        const { resolve, reject } = waiting.get(data.id);
        waiting.delete(data.id);
        if (data.error) reject(new Error(data.error));
        else resolve(data.value);
      };
      globalThis.workers ??= {};
      globalThis.workers[name] = (message) =>
        new Promise((resolve, reject) => {
          waiting.set(++id, { resolve, reject });
          worker.postMessage({ id, ...message });
        });
    },
    script,
    name,
  );
  return (message) => page.evaluate((name, message) => globalThis.workers[name](message), name, message);
}

async function threads(report, page, script, open, rounds) {
  const one = await openWorker(page, script, 'one');
  const two = await openWorker(page, script, 'two');
  const names = await one({ ...open, threads: 1 });
  await two({ ...open, threads: 2 });
  const times = Object.fromEntries(names.map((name) => [name, [[], []]]));
  const budget = rounds > 3 ? 60 : 30;
  for (let round = -1; round < rounds; round++)
    for (const name of names)
      for (const [k, side] of [one, two].entries()) {
        const ms = await side({ role: 'time', name, budget });
        if (round >= 0) times[name][k].push(ms);
      }
  return Object.fromEntries(names.map((name) => [name, times[name].map(median)]));
}

export default async function image(given) {
  const { args, root, serve, openBrowser, bundleForPage, importTs } = given;
  const quick = args.includes('--quick');
  const rounds = quick ? 3 : 7;
  const report = new Report(given);
  const eyes = await importTs('lab/eyes/index.ts');
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
  const images = (quick ? SIZES.slice(0, 1) : SIZES).map((size) => {
    const file = path.join(folder, `${size.join('x')}.gray`);
    writeFileSync(file, eyeImage(eyes, ...size));
    return { size, file, url: `/image-${size.join('x')}.gray` };
  });
  try {
    const server = await serve({
      routes: {
        '/favicon.ico': (request, response) => response.writeHead(204).end(),
        '/bench.html': '<!doctype html><title>bench</title>',
        '/image-worker.js': await bundleForPage('bench/image/parts/worker.ts', { name: 'imageWorker' }),
        ...Object.fromEntries(images.map(({ file, url }) => [url, readFileSync(file)])),
      },
    });
    const browser = await openBrowser({ protocolTimeout: 1_800_000 });
    const page = await browser.newPage();
    await page.goto(`${server.url}/isolated/bench.html`);
    const peer = 'node_modules/@techstark/opencv-js';
    if (existsSync(path.join(root, peer, 'dist/opencv.js')))
      await page.addScriptTag({ url: `${server.url}/${peer}/dist/opencv.js` });
    else report.line(`OpenCV.js: skipped, there is no ${peer}.`);
    await page.addScriptTag({ content: await bundleForPage('bench/image/parts/page.ts', { name: 'imageBench' }) });
    const call = (name, ...args) => page.evaluate((name, args) => globalThis.imageBench[name](...args), name, args);

    report.line(
      'WASM and OpenCV.js (@techstark/opencv-js) on the thread of one page, native OpenCV through Python on one thread, turn ' +
        `about in ${rounds} rounds; the median of the rounds’ medians, wall clock. Data inside of each library; WASM allocates its result in the ` +
        'arena, the others write into one that exists. The image is a rendered eye.',
    );
    for (const one of images) await againstPeers(given, report, page, call, one, one.size, rounds);

    report.heading('Two threads against one, 1280x1024');
    const open = { role: 'open', image: images[0].url, width: 1280, height: 1024 };
    const script = `${server.url}/isolated/image-worker.js`;
    const pooled = await threads(report, page, script, open, rounds);
    report.table([
      ['ms a call, in a worker of an isolated page', 'one', 'two', 'ratio'],
      ...Object.entries(pooled).map(([name, [a, b]]) => [name, fixed(a, 3), fixed(b, 3), ratio(a, b)]),
    ]);
    report.line('Wanted: 1.5 times when both cores are free; the load average below tells whether they were.');

    report.heading('Scans, compaction and sums of 10^7 samples');
    const large = await threads(report, page, script, { role: 'large' }, quick ? 2 : 5);
    await call('openLarge');
    const native = python(path.join(root, 'bench/image/parts/native-large.py'), 0.2);
    const rows = [
      [
        'ms a call',
        'one thread',
        'two threads',
        'plain JavaScript',
        native.skipped ? 'native' : `native (OpenCV ${native.version})`,
        'native / one',
      ],
    ];
    for (const [name, [a, b]] of Object.entries(large)) {
      const loop = await call('timeLoop', name, 200);
      const peer = native.operations?.[name]?.ms ?? NaN;
      rows.push([name, ...[a, b, loop, peer].map((value) => fixed(value, 2)), ratio(peer, a)]);
    }
    report.table(rows);
    if (native.skipped) report.line(`native: skipped (${native.skipped})`);
  } finally {
    rmSync(folder, { recursive: true });
  }
  report.finish('lab/results/performance.md', 'image', 'image');
}
