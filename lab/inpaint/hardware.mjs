// Inpainting on graphics hardware: fillings a second on the GPU and in WASM against paper 001 and a scalar baseline.
//   --pack FOLDER: writes the page for a machine with a GPU instead; --result FILE: prints what that page gave (JSON);
//   --angle NAME: graphics interface of the browser, for instance vulkan, gl-egl, d3d11 or metal; --write: into docs
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { argument, readResult } from '../../bench/parts/kept-result.mjs';
import { packPage } from '../parts/pack-page.mjs';
import { atLeast, fixed, Report } from '../../bench/parts/report.mjs';

const ENTRY = { entry: 'lab/inpaint/parts/gpu-page.ts', name: 'inpaintGpu', title: 'hardware inpaint' };
const PHOTOGRAPH = 'data/filters/images/fruits.jpg';
/** Fillings a second of the paper's GPU, and its ratio to its own program in C. */
const [PAPER, PAPER_RATIO] = [0.79, 53];

/** The page in a browser of this machine. */
async function measureHere({ serve, openBrowser, bundleForPage, args, log }) {
  const routes = { '/bench.html': '<!doctype html><meta charset="utf-8"><title>bench</title>' };
  const server = await serve({ routes });
  const angle = argument(args, '--angle');
  const browser = await openBrowser({ protocolTimeout: 900_000, args: angle ? [`--use-angle=${angle}`] : [] });
  const page = await browser.newPage();
  page.on('console', (message) => log(`  ${message.text().slice(0, 160)}`));
  await page.goto(`${server.url}/bench.html`);
  await page.addScriptTag({ content: await bundleForPage(ENTRY.entry, { name: ENTRY.name }) });
  return page.evaluate(
    (photograph) => globalThis.inpaintGpu.measure('/dist/kernels.wasm', photograph),
    `/shared/${PHOTOGRAPH}`,
  );
}

function print(report, { machine = {}, frame, error, reduction, ...parts }) {
  if (error) return report.line(`The page failed: ${error}`);
  report.line(
    `${machine.renderer}, ${frame}. From pixels in memory to pixels in memory, seams taken out in WASM where that is part of the variant.` +
      (machine.software ? ' Software: these figures say only that everything runs.' : ''),
  );
  const rows = Object.entries(parts).filter(([, part]) => typeof part === 'object');
  const baseline = parts['scalar baseline']?.['fills a second'];
  report.table([
    ['', 'patches', 'ms', 'fills a second', `against the paper’s ${PAPER}`, 'against the scalar baseline'],
    ...rows.map(([name, part]) => [
      name,
      part.patches,
      part.ms,
      part['fills a second'],
      fixed(part['fills a second'] / PAPER),
      fixed(part['fills a second'] / baseline, 0),
    ]),
  ]);
  for (const [name, value] of Object.entries(parts)) if (typeof value !== 'object') report.line(`${name}: ${value}.`);
  if (reduction)
    report.line(
      `The best patch by a reduction, with its read-back: ${reduction['on the device, ms a patch']} ms a patch on the device, ` +
        `${reduction['on the host, ms a patch']} ms on the host, which reads every distance; ` +
        `${reduction.differ} of ${reduction.patches} patches differ.`,
    );
  const gpu = parts['GPU, paper']?.['fills a second'];
  report.list([
    `Wanted on graphics hardware: at least ${PAPER} fillings a second, the paper’s rate` +
      (machine.software ? '.' : `: ${gpu}, ${gpu >= PAPER ? 'reached' : 'NOT reached'}.`),
    atLeast('fillings a second, by this project', gpu, 15, 1),
    `The paper’s GPU was ${PAPER_RATIO} times its program in C.`,
  ]);
}

export default async function hardware(given) {
  const { args, shared, log } = given;
  const folder = argument(args, '--pack');
  if (folder) {
    if (!shared) return log('needs ../shared');
    await packPage(path.resolve(folder), ENTRY);
    copyFileSync(path.join(shared, PHOTOGRAPH), path.join(folder, 'photograph'));
    log(`${folder}/page.html measures when it is opened; its figures are in window.__result.`);
    return;
  }
  const file = argument(args, '--result');
  if (!file && !shared) return log('needs ../shared');
  const report = new Report(given);
  print(report, file ? readResult(file, report) : await measureHere(given));
  report.finish('lab/results/performance.md', 'hardware inpaint', `hardware inpaint${file ? ` --result ${file}` : ''}`);
}
