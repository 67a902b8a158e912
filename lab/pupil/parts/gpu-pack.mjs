// Packs the page of `bench ladder pupil` as a static folder for a machine with a GPU: page.html, page.js, kernels.
//   node lab/pupil/parts/gpu-pack.mjs FOLDER
// Then open page.html from any server; the figures are in window.__result about three minutes later.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { buildWasm } from '../../../tools/build-wasm.mjs';
import { bundleForPage } from '../../../tools/import-ts.mjs';
import { root } from '../../../tools/setup.mjs';

export async function pack(folder) {
  await buildWasm();
  mkdirSync(folder, { recursive: true });
  const script = await bundleForPage('lab/pupil/parts/gpu-page.ts', { name: 'gpuBench' });
  writeFileSync(path.join(folder, 'page.js'), script);
  writeFileSync(
    path.join(folder, 'page.html'),
    '<!doctype html><meta charset="utf-8"><title>ladder pupil</title><script data-measure src="page.js"></script>\n',
  );
  copyFileSync(path.join(root, 'dist/kernels.wasm'), path.join(folder, 'kernels.wasm'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (!folder) throw new Error('Name the folder to write: node lab/pupil/parts/gpu-pack.mjs FOLDER');
  await pack(path.resolve(folder));
  console.log(`${folder}: page.html, page.js, kernels.wasm`);
}
