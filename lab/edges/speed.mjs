// Edges: Canny and Hough lines of WASM in the browser against native OpenCV, OpenCV.js and a plain loop; circles.
//   --quick: three rounds, one size
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fixed, Report } from '../../bench/parts/report.mjs';
import { median } from '../../bench/parts/numbers.mjs';
import { python } from '../../bench/parts/python.mjs';

const SIZES = [
  [400, 400],
  [1280, 1024],
];
/** At most so many times native OpenCV's time, at least so many times faster than OpenCV.js. */
const WANTED = { Canny: { native: 1, js: 4 }, Hough: { native: 1, js: 1.7 } };
/** "Procesamiento de imágenes en GPU", tables 1 to 3: frames a second on its GPU at 400x400, and over its C version. */
const PAPER = {
  'Canny, L1': { fps: 197.2, ratio: 16 },
  'Canny, without hysteresis': { fps: 414.9, ratio: 20 },
  'Hough lines with Canny': { fps: 153.7, ratio: 12 },
};
const STEPS = [18, 9, 6, 4.5, 3.6, 3];
/** "Parallel pupil tracking", 5.3 and 5.4: Canny and votes at 1280x1024 on its GPU. */
const CIRCLES = { 18: 23, 3.6: 15.3 };
const RADII = [80, 220];
const ratio = (peer, own) => (Number.isFinite(peer) && Number.isFinite(own) ? fixed(peer / own, 2) : '-');

async function againstPeers({ root }, report, call, scene, rounds) {
  const { name, width, height } = scene;
  const { compared, own, plain, edges, lines, peer } = await call('open', scene);
  report.heading(`${width}x${height}, ${name}, ${edges} edge pixels, one thread, ms a call`);
  const budget = rounds > 3 ? 50 : 25;
  const times = Object.fromEntries(
    [...compared, ...own].map((what) => [what, { own: [], js: [], native: [], plain: [] }]),
  );
  const problems = new Set();
  let answer = null;
  for (const what of [...compared, ...own]) await call('time', what, 60);
  for (let round = 0; round < rounds; round++) {
    for (const what of [...compared, ...own]) times[what].own.push(await call('time', what, budget));
    for (const what of peer ? compared : []) {
      const js = await call('timePeer', what, budget);
      if (typeof js === 'number') times[what].js.push(js);
      else problems.add(`OpenCV.js, ${what}: ${js}`);
    }
    for (const what of round < 3 ? plain : []) times[what].plain.push(await call('timePlain', what, budget));
    const now = python(path.join(root, 'lab/edges/native.py'), width, height, scene.file, budget / 1000);
    if (now.skipped) problems.add(`native OpenCV: skipped (${now.skipped})`);
    else {
      answer = now;
      for (const what of compared) times[what].native.push(now.operations[what].ms);
    }
  }
  const rows = [
    [
      '',
      'WASM',
      `native OpenCV ${answer?.version ?? ''}`.trim(),
      'OpenCV.js',
      'native / WASM',
      'OpenCV.js / WASM',
      'same as native',
    ],
  ];
  const rates = [
    ['400x400', 'WASM, frames a second', 'the paper’s GPU', 'plain loop', 'WASM / plain loop', 'the paper’s ratio'],
  ];
  const missed = [];
  for (const what of [...compared, ...own]) {
    const [ours, js, theirs, loop] = ['own', 'js', 'native', 'plain'].map((who) => median(times[what][who]));
    let same = '';
    if (answer && compared.includes(what)) {
      const digest = await call('digest', what);
      const expected = answer.operations[what].sha256;
      same = (expected ? digest === expected : JSON.stringify(answer.lines) === lines) ? 'yes' : 'NO';
    }
    rows.push([
      what,
      ...[ours, theirs, js].map((value) => fixed(value, 3)),
      ratio(theirs, ours),
      ratio(js, ours),
      same,
    ]);
    const wanted = WANTED[what.split(/[ ,]/)[0]];
    if (compared.includes(what) && ours > wanted.native * theirs)
      missed.push(`${what}: ${ratio(ours, theirs)} of native`);
    if (compared.includes(what) && js < wanted.js * ours)
      missed.push(`${what}: OpenCV.js ${ratio(js, ours)} of ${wanted.js}`);
    if (PAPER[what]) rates.push([what, 1000 / ours, PAPER[what].fps, 1000 / loop, loop / ours, PAPER[what].ratio]);
  }
  report.table(rows);
  report.list([
    ...problems,
    `Wanted: at most native OpenCV’s time; OpenCV.js 4 times slower for Canny, 1.7 times for lines. Missed: ${missed.join(', ') || 'none'}.`,
  ]);
  if (width === 400) report.table(rates);
}

async function circles(report, call, rounds) {
  const [least, most] = RADII;
  report.heading(`Circles of ${least} to ${most} px at 1280x1024, one thread`);
  await call('openCircles', least, most, STEPS);
  const rows = [['degrees', 'ms', 'frames a second', 'the paper’s GPU']];
  for (const step of STEPS) {
    const times = [];
    for (let round = 0; round < Math.min(rounds, 3); round++) times.push(await call('timeCircles', step, 300));
    rows.push([step, fixed(median(times), 1), fixed(1000 / median(times), 1), CIRCLES[step] ?? '']);
  }
  report.table(rows);
  report.line(
    'Smoothing, Canny with automatic thresholds, votes of all edges for every radius, the best circle; the rendered eye ' +
      'with its noise. The paper does not say how many radii it tries.',
  );
}

export default async function speed(given) {
  const { args, root, serve, openBrowser, bundleForPage, importTs } = given;
  const quick = args.includes('--quick');
  const rounds = quick ? 3 : 7;
  const report = new Report(given);
  const { eyeScene, shapeScene } = await importTs('lab/edges/parts/scenes.ts');
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
  const scenes = (quick ? SIZES.slice(0, 1) : SIZES).flatMap((size) =>
    [eyeScene(...size), shapeScene(...size)].map(({ name, width, height, data }) => {
      const file = path.join(folder, `${name}-${width}.gray`);
      writeFileSync(file, data);
      return { name, width, height, file, url: `/${name}-${width}.gray` };
    }),
  );
  try {
    const server = await serve({
      routes: {
        '/favicon.ico': (request, response) => response.writeHead(204).end(),
        '/bench.html': '<!doctype html><title>bench</title>',
        ...Object.fromEntries(scenes.map(({ file, url }) => [url, readFileSync(file)])),
      },
    });
    const browser = await openBrowser({ protocolTimeout: 1_800_000 });
    const page = await browser.newPage();
    await page.goto(`${server.url}/isolated/bench.html`);
    const peer = 'node_modules/@techstark/opencv-js';
    if (existsSync(path.join(root, peer, 'dist/opencv.js')))
      await page.addScriptTag({ url: `${server.url}/${peer}/dist/opencv.js` });
    else report.line(`OpenCV.js: skipped, there is no ${peer}.`);
    await page.addScriptTag({ content: await bundleForPage('lab/edges/parts/page.ts', { name: 'edgeBench' }) });
    const call = (name, ...rest) => page.evaluate((name, rest) => globalThis.edgeBench[name](...rest), name, rest);
    report.line(
      'WASM, OpenCV.js (@techstark/opencv-js) and the plain loop of lab/edges/parts/baseline.ts on the thread of one page, ' +
        `native OpenCV through Python on one thread, turn about in ${rounds} rounds; the median of the rounds’ medians, wall ` +
        'clock, data inside of each library. Canny 50 and 150; lines: rho 1, theta 1 degree, more than 100 votes, of the edges ' +
        'of that Canny. The images are a rendered eye and overlapping shapes (lab/edges/parts/scenes.ts).',
    );
    for (const scene of scenes) await againstPeers(given, report, call, scene, rounds);
    await circles(report, call, rounds);
  } finally {
    rmSync(folder, { recursive: true });
  }
  report.finish('lab/results/performance.md', 'speed edges', 'speed edges');
}
