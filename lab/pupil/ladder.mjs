// Pupil on the GPU: frames a second with frames in flight, latency, stages, each optimization off, against the baseline.
//   --pack FOLDER: writes the page for a machine with a GPU instead; --result FILE: prints what that page gave (JSON);
//   --angle NAME: graphics interface of the browser, for instance vulkan, gl-egl, d3d11 or metal
import path from 'node:path';
import { argument, readResult } from '../../bench/parts/kept-result.mjs';
import { Report } from '../../bench/parts/report.mjs';
import { figure7 } from './parts/figure-7.mjs';
import { pack } from './parts/gpu-pack.mjs';

/** The page in a browser of this machine. */
async function measureHere({ serve, openBrowser, bundleForPage, args, log }) {
  const server = await serve({
    routes: { '/bench.html': '<!doctype html><meta charset="utf-8"><title>bench</title>' },
  });
  const angle = argument(args, '--angle');
  const browser = await openBrowser({ protocolTimeout: 900_000, args: angle ? [`--use-angle=${angle}`] : [] });
  const page = await browser.newPage();
  page.on('console', (message) => log(`  ${message.text().slice(0, 160)}`));
  await page.goto(`${server.url}/isolated/bench.html`);
  await page.addScriptTag({ content: await bundleForPage('lab/pupil/parts/gpu-page.ts', { name: 'gpuBench' }) });
  return page.evaluate(() => globalThis.gpuBench.measure('/dist/kernels.wasm'));
}

const cell = (value) => (typeof value === 'object' ? JSON.stringify(value) : value);

function print(report, result) {
  const { machine = {}, baseline = {} } = result;
  report.line(
    `${machine.renderer}, frames of ${machine.frame}, upload and the WASM side’s end included; the frames lie in the linear memory.` +
      (machine.software ? ' Software: these figures say only that everything runs.' : ''),
  );
  const rates = Object.entries(result).filter(([, value]) => value?.fps && value.frames);
  const off = rates.find(([name]) => name === 'ladder, everything on')?.[1].fps;
  const whole = rates.find(([name]) => name === 'ladder of whole frames, everything on')?.[1].fps;
  const two = rates.find(([name]) => name === 'ladder of two eyes, everything on')?.[1].fps;
  const columns = ['found', 'frames', 'error', 'worst', 'local', 'wide', 'escaped'];
  report.table([
    ['', 'frames a second', 'against everything on', 'against the baseline', ...columns],
    ...rates.map(([name, value]) => {
      const [, all] = [['ladder of two', two], ['ladder of', whole], ['ladder', off]].find(([of]) => name.startsWith(of)) ?? []; // prettier-ignore
      return [
        name,
        value.fps,
        all ? value.fps / all : '',
        baseline.fps ? value.fps / baseline.fps : '',
        ...columns.map((column) => value[column]),
      ];
    }),
  ]);
  const stages = Object.entries(result).filter(([name]) => name.startsWith('stages'));
  const rows = stages.flatMap(([name, times]) =>
    Object.entries(times).map(([stage, time]) => [name, stage, time?.gpu ?? '', time?.enqueue ?? cell(time)]),
  );
  if (rows.length) report.table([['', 'stage', 'GPU ms', 'enqueueing ms'], ...rows]);
  const shown = new Set([...rates, ...stages].map(([name]) => name));
  for (const [name, value] of Object.entries(result)) if (!shown.has(name)) report.line(`${name}: ${cell(value)}`);
  figure7(report, result);
}

export default async function ladder(given) {
  const { args, log } = given;
  const folder = argument(args, '--pack');
  if (folder) {
    await pack(path.resolve(folder));
    log(`${folder}/page.html measures when it is opened; its figures are in window.__result.`);
    return;
  }
  const file = argument(args, '--result');
  const report = new Report(given);
  print(report, file ? readResult(file, report) : await measureHere(given));
  report.finish('lab/results/performance.md', 'ladder pupil', `ladder pupil${file ? ` --result ${file}` : ''}`);
}
