// Pupil: frames in flight 1 to 9, throughput and latency, circle and ellipse; one eye against two. In its worker.
//   --pack FOLDER: writes the page for another machine instead; --result FILE: prints what that page gave (JSON)
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { argument, readResult } from '../../bench/parts/kept-result.mjs';
import { atLeast, fixed, Report } from '../../bench/parts/report.mjs';

async function pack(folder, root, bundleForPage) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'page.js'),
    await bundleForPage('lab/pupil/parts/depth-page.ts', { name: 'depthBench' }),
  );
  writeFileSync(
    path.join(folder, 'page.html'),
    '<!doctype html><meta charset="utf-8"><title>depth pupil</title><script data-measure src="page.js"></script>\n',
  );
  for (const file of ['kernels.wasm', 'worker.js'])
    copyFileSync(path.join(root, 'dist', file), path.join(folder, file));
}

async function measureHere({ serve, openBrowser, bundleForPage, log }) {
  const server = await serve({
    routes: { '/bench.html': '<!doctype html><meta charset="utf-8"><title>bench</title>' },
  });
  const browser = await openBrowser({ protocolTimeout: 900_000 });
  const page = await browser.newPage();
  page.on('console', (message) => log(`  ${message.text().slice(0, 160)}`));
  await page.goto(`${server.url}/isolated/bench.html`);
  await page.addScriptTag({ content: await bundleForPage('lab/pupil/parts/depth-page.ts', { name: 'depthBench' }) });
  return page.evaluate(() =>
    globalThis.depthBench.measure({ base: new URL('/isolated/dist/', location.href).href, limit: 900_000 }),
  );
}

/** Rows of results whose names are `parts` joined by '; ', the last part as a number. */
function depthTable(result, side, eyes, fit) {
  const start = `${side}; ${eyes}; ${fit}; `;
  return Object.entries(result)
    .filter(([name]) => name.startsWith(start))
    .map(([name, value]) => ({ depth: Number(name.slice(start.length)), ...value }));
}

function print(report, result) {
  const { machine } = result;
  report.line(
    `${machine.frame}, frames of the paper's rendered sequence; engine in ${machine.worker ? 'its worker' : 'the page'}; GPU: ${machine.gpu ?? 'none'}` +
      `${machine.softwareGpu ? ' (software, which tracks smaller frames just to show that it runs: no row of these tables)' : ''}. ` +
      'Depth: calls of process() on their way. Latency: from the call to the result, ms, copies included.',
  );
  // No figure of another size stands beside the paper's.
  const all = ['WASM, one thread', 'WASM, threads', ...(machine.softwareGpu ? [] : ['GPU forced'])];
  for (const side of all) {
    if (!Object.keys(result).some((name) => name.startsWith(side))) continue;
    report.heading(`Frames in flight, Starburst, ${side}${side === 'WASM, threads' ? `: ${machine.threads}` : ''}`);
    const rows = [['', 'depth', 'frames a second', 'latency', 'at 95 %', 'pupils found', 'out of order']];
    const most = {};
    for (const eyes of ['one eye', 'two eyes'])
      for (const fit of ['circle', 'ellipse'])
        for (const { depth, fps, latency, p95, found, disorder, error } of depthTable(result, side, eyes, fit)) {
          const name = `${eyes}, ${fit}`;
          rows.push([name, depth, error ?? fixed(fps, 0), fixed(latency, 2), fixed(p95, 2), found, disorder]);
          most[name] = Math.max(most[name] ?? 0, fps ?? 0);
        }
    report.table(rows);
    for (const eyes of ['one eye', 'two eyes']) {
      const [circle, ellipse] = ['circle', 'ellipse'].map((fit) => most[`${eyes}, ${fit}`]);
      const theirs = eyes === 'one eye' ? '1260 and 1180' : '988 (circle)';
      report.line(
        `${eyes}: at most ${fixed(circle, 0)} frames a second with the circle, ${fixed(ellipse, 0)} with the ellipse ` +
          `(${fixed(100 * (1 - ellipse / circle))} % less); the paper ${theirs}, the ellipse under 5 % less.`,
      );
      const best = Math.max(circle, ellipse);
      report.line(atLeast(`frames a second by this project, ${eyes}`, best, eyes === 'one eye' ? 2000 : 1400, 0));
    }
  }
  report.heading('Labeling and Hough, each frame by itself, three calls under way, frames a second');
  const theirs = {
    'labeling, step 20': 61.9,
    'labeling, step 40': 121,
    'Hough, 18 degrees': 23,
    'Hough, 3.6 degrees': 15.3,
  };
  const sides = all.filter((side) => Object.keys(result).some((name) => name.startsWith(`${side}: `)));
  report.table([
    ['', ...sides, 'the paper, GTX 980'],
    ...Object.entries(theirs).flatMap(([name, rate]) =>
      ['default', 'paper'].map((variant) => [
        `${name}, variant ${variant}`,
        ...sides.map((side) => {
          const { fps, side: on } = result[`${side}: ${name}, variant ${variant}`] ?? {};
          // What was forced to the GPU and has no GPU side is WASM once more. Older results do not say their side.
          const elsewhere = side === 'GPU forced' && (on ?? (name.startsWith('labeling') ? 'wasm' : 'gpu')) === 'wasm';
          return elsewhere ? '-' : fixed(fps);
        }),
        rate,
      ]),
    ),
  ]);
  if (
    Object.entries(result).some(
      ([name, { side }]) => name.startsWith('GPU forced: labeling') && (side ?? 'wasm') === 'wasm',
    )
  )
    report.line(
      'Labeling had no GPU side when this was measured: forced to the GPU it was WASM, which is no figure of its own.',
    );
  report.heading('One eye against two: WASM, one thread, frames in the linear memory, ms a frame');
  const rows = [['', 'one eye', 'the same pupil twice', 'ratio', 'two of half the size', 'ratio']];
  const names = Object.keys(result).filter((name) => name.endsWith(': one eye'));
  for (const name of names) {
    const base = name.slice(0, -': one eye'.length);
    const [one, twice, half] = ['one eye', 'the same twice', 'two of half the size'].map(
      (kind) => result[`${base}: ${kind}`]?.ms,
    );
    rows.push([base, fixed(one, 3), fixed(twice, 3), fixed(twice / one, 2), fixed(half, 3), fixed(half / one, 2)]);
  }
  report.table(rows);
  report.line(
    'The same pupil twice: both halves of the frame are the middle of the one-eyed frame, as the paper doubles its pupils. ' +
      'Two of half the size: what a camera of as many pixels sees when it sees both eyes. Wanted: at most 1.6.',
  );
}

export default async function depth(given) {
  const { args, log, root, bundleForPage } = given;
  const folder = argument(args, '--pack');
  if (folder) {
    await pack(path.resolve(folder), root, bundleForPage);
    log(`${folder}/page.html measures when it is opened; its figures are in window.__result.`);
    return;
  }
  const file = argument(args, '--result');
  const report = new Report(given);
  print(report, file ? readResult(file, report) : await measureHere(given));
  report.finish(
    'lab/results/performance.md',
    file ? 'hardware depth' : 'depth pupil',
    `depth pupil${file ? ` --result ${file}` : ''}`,
  );
}
