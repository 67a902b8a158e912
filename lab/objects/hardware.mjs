// Objects on graphics hardware: a frame by components at the paper's three sizes, GPU and WASM, against a scalar baseline.
//   --pack FOLDER: writes the page for a machine with a GPU instead (serve it with COOP and COEP for threads);
//   --result FILE: prints what that page gave (JSON); --write: into docs
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { argument, readResult } from '../../bench/parts/kept-result.mjs';
import { Report } from '../../bench/parts/report.mjs';
import { clipFiles } from './parts/clips.mjs';
import { printHardware } from './parts/hardware-report.mjs';
import { buildScalar } from './parts/scalar.mjs';

const script = ({ bundleForPage }) => bundleForPage('lab/objects/parts/gpu-page.ts', { name: 'objectsGpu' });

async function pack(given, folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, data] of Object.entries(clipFiles(given.shared))) writeFileSync(path.join(folder, name), data);
  writeFileSync(path.join(folder, 'page.js'), await script(given));
  writeFileSync(path.join(folder, 'scalar.wasm'), await buildScalar());
  writeFileSync(
    path.join(folder, 'page.html'),
    '<!doctype html><meta charset="utf-8"><title>hardware objects</title><script data-measure defer src="page.js"></script>\n',
  );
  copyFileSync(path.join(given.root, 'dist/kernels.wasm'), path.join(folder, 'kernels.wasm'));
}

async function measureHere(given) {
  const { serve, openBrowser, log } = given;
  const routes = { '/bench.html': '<!doctype html><meta charset="utf-8"><title>bench</title>' };
  for (const [name, data] of Object.entries(clipFiles(given.shared))) routes[`/objects/${name}`] = data;
  routes['/objects/scalar.wasm'] = Buffer.from(await buildScalar());
  const code = await script(given);
  routes['/page.js'] = code;
  const server = await serve({ routes });
  const browser = await openBrowser({ protocolTimeout: 900_000 });
  const page = await browser.newPage();
  page.on('console', (message) => log(`  ${message.text().slice(0, 200)}`));
  await page.goto(`${server.url}/isolated/bench.html`);
  await page.addScriptTag({ content: code });
  return page.evaluate(() => globalThis.objectsGpu.start('/isolated/page.js', '/objects/', '/dist/'));
}

export default async function hardware(given) {
  const { args, shared, log } = given;
  const file = argument(args, '--result');
  if (!file && (!shared || !existsSync(path.join(shared, 'data/tld')))) return log('skipped: no sequences here');
  const folder = argument(args, '--pack');
  if (folder) {
    await pack(given, path.resolve(folder));
    return log(`${folder}/page.html measures when it is opened; its figures are in window.__result.`);
  }
  const report = new Report(given);
  printHardware(report, file ? readResult(file, report) : await measureHere(given));
  report.finish('lab/results/performance.md', 'hardware objects', `hardware objects${file ? ` --result ${file}` : ''}`);
}
