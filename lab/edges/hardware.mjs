// Edges on the GPU: Canny by flood and by passes, lines and circles, frames a second, against the paper and a plain loop.
//   --pack FOLDER: writes the page for a machine with a GPU instead; --result FILE: prints what that page gave (JSON);
//   --angle NAME: graphics interface of the browser, for instance vulkan, gl-egl, d3d11 or metal
import path from 'node:path';
import { argument, readResult } from '../../bench/parts/kept-result.mjs';
import { packPage } from '../parts/pack-page.mjs';
import { Report } from '../../bench/parts/report.mjs';

const ENTRY = { entry: 'lab/edges/parts/gpu-page.ts', name: 'edgeBench', title: 'hardware edges' };
/** Frames a second of the papers' GPUs, by the words that a part's name begins with. */
const PAPER = [
  [/^Canny, hysteresis (flood|passes)/, 197.2, 'canny', 16],
  [/^Canny, hysteresis none/, 414.9, 'canny without hysteresis', 20],
  [/^Hough lines with Canny/, 153.7, 'lines', 12],
  [/^WASM Canny/, 197.2, 'canny', 16],
  [/^WASM Hough/, 153.7, 'lines', 12],
  [/^circles, 1280x1024, 18 degrees/, 23],
  [/^circles, 1280x1024, 3.6 degrees/, 15.3],
];

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
  await page.addScriptTag({ content: await bundleForPage(ENTRY.entry, { name: ENTRY.name }) });
  return page.evaluate(() => globalThis.edgeBench.measure('/dist/kernels.wasm'));
}

function print(report, result) {
  const { machine = {} } = result;
  report.line(
    `${machine.renderer}, frames of ${machine.frame} where nothing else is said, upload and result included.` +
      (machine.software ? ' Software: these figures say only that everything runs.' : ''),
  );
  const rates = Object.entries(result).filter(([, value]) => value?.fps && value.frames);
  report.table([
    ['', 'frames a second', 'the paper’s GPU', 'against the plain loop', 'the paper’s ratio'],
    ...rates.map(([name, { fps }]) => {
      const [, paper, loop, ratio] = PAPER.find(([pattern]) => pattern.test(name)) ?? [];
      const plain = result[`baseline, ${/eye|shapes/.exec(name)?.[0]}`]?.[loop]?.fps;
      return [name, fps, paper ?? '', plain ? fps / plain : '', plain ? ratio : ''];
    }),
  ]);
  const shown = new Set(rates.map(([name]) => name));
  for (const [name, value] of Object.entries(result))
    if (!shown.has(name)) report.line(`${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`);
}

export default async function hardware(given) {
  const { args, log } = given;
  const folder = argument(args, '--pack');
  if (folder) {
    await packPage(path.resolve(folder), ENTRY);
    log(`${folder}/page.html measures when it is opened; its figures are in window.__result.`);
    return;
  }
  const file = argument(args, '--result');
  const report = new Report(given);
  print(report, file ? readResult(file, report) : await measureHere(given));
  report.finish('lab/results/performance.md', 'hardware edges', `hardware edges${file ? ` --result ${file}` : ''}`);
}
