// Dense flow on graphics hardware at 400x400, endpoint error beside it, against paper 001 and a scalar baseline.
//   --pack FOLDER: writes the page for a machine with a GPU instead; --result FILE: prints what that page gave (JSON);
//   --angle NAME: graphics interface of the browser, for instance vulkan, gl-egl, d3d11 or metal; --write: into docs
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { argument, readResult } from '../../bench/parts/kept-result.mjs';
import { atLeast, fixed, Report } from '../../bench/parts/report.mjs';
import { readPairs } from '../../bench/flow/parts/middlebury.mjs';

/** Gray frames of Grove2 and its truth. */
export async function files({ shared, importTs }) {
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false });
  const { previous, next, truth } = (await readPairs(shared)).find(({ name }) => name === 'Grove2');
  const gray = async (frame) => Buffer.from((await engine.pyramid(frame, { levels: 1 }))[0].data);
  const made = { previous: await gray(previous), next: await gray(next), truth: Buffer.from(truth.buffer) };
  await engine.dispose();
  return made;
}

async function pack(given, folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, data] of Object.entries(await files(given))) writeFileSync(path.join(folder, name), data);
  writeFileSync(
    path.join(folder, 'page.js'),
    await given.bundleForPage('lab/flow/parts/gpu-page.ts', { name: 'flowGpu' }),
  );
  writeFileSync(
    path.join(folder, 'page.html'),
    '<!doctype html><meta charset="utf-8"><title>hardware flow</title><script data-measure defer src="page.js"></script>\n',
  );
  copyFileSync(path.join(given.root, 'dist/kernels.wasm'), path.join(folder, 'kernels.wasm'));
}

async function measureHere(given) {
  const { serve, openBrowser, bundleForPage, args, log } = given;
  const routes = { '/bench.html': '<!doctype html><meta charset="utf-8"><title>bench</title>' };
  for (const [name, data] of Object.entries(await files(given))) routes[`/flow/${name}`] = data;
  const server = await serve({ routes });
  const angle = argument(args, '--angle');
  const browser = await openBrowser({ protocolTimeout: 900_000, args: angle ? [`--use-angle=${angle}`] : [] });
  const page = await browser.newPage();
  page.on('console', (message) => log(`  ${message.text().slice(0, 200)}`));
  await page.goto(`${server.url}/isolated/bench.html`);
  await page.addScriptTag({ content: await bundleForPage('lab/flow/parts/gpu-page.ts', { name: 'flowGpu' }) });
  return page.evaluate(() => globalThis.flowGpu.measure('/dist/kernels.wasm', '/flow/'));
}

function print(report, result) {
  const { machine, frame, ...parts } = result;
  report.line(
    `${machine.renderer}, ${frame}. Frames in memory at the start, the flow in memory at the end: uploads, pyramids and read-back are inside, except where it says drawing alone.` +
      (machine.software ? ' Software: these figures say only that everything runs.' : ''),
  );
  const columns = [
    'iterations',
    'endpoint error, px',
    'frames a second',
    'one by one, frames a second',
    'video, three in flight, frames a second',
    'one by one, ms',
    'ms',
    'drawing alone, ms',
  ];
  report.table([
    ['', ...columns],
    ...Object.entries(parts).map(([name, part]) => [
      name,
      ...columns.map((column) => part[column] ?? part.error ?? ''),
    ]),
  ]);
  const gpu = parts['GPU, 5 iterations'] ?? {};
  const wasm = parts['WASM, 5 iterations'] ?? {};
  const scalar = parts.scalar ?? {};
  const video = gpu['video, three in flight, frames a second'];
  const single = gpu['one by one, frames a second'];
  const vga = parts['GPU, 640x480, 10 iterations'] ?? {};
  report.list([
    atLeast(
      'frames a second of a video at 640x480, 10 iterations',
      vga['video, three in flight, frames a second'],
      300,
      0,
    ),
    `Wanted: at least 96.9 frames a second at 400x400 with 5 iterations or more: ${video} in a video, ${single} one by one: ${Math.min(video, single) >= 96.9 ? 'reached' : 'NOT reached'}.`,
    `Against the scalar program: GPU ${fixed(video / scalar['frames a second'], 0)} times, WASM ${fixed(wasm['frames a second'] / scalar['frames a second'], 0)} times; the paper’s GPU 96 times its own (96.9 and 1.01 frames a second).`,
  ]);
}

export default async function hardware(given) {
  const { args, shared, log } = given;
  if (!shared) return log('needs ../shared');
  const folder = argument(args, '--pack');
  if (folder) {
    await pack(given, path.resolve(folder));
    log(`${folder}/page.html measures when it is opened; its figures are in window.__result.`);
    return;
  }
  const file = argument(args, '--result');
  const report = new Report(given);
  const result = file ? readResult(file, report) : await measureHere(given);
  print(report, result);
  report.finish('lab/results/performance.md', 'hardware flow', `hardware flow${file ? ` --result ${file}` : ''}`);
}
