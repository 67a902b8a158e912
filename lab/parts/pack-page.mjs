// Packs a page that measures by itself as a static folder for a machine with a GPU: page.html, page.js, kernels. Open
// page.html from any server; the figures are in window.__result when it is done.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildWasm } from '../../tools/build-wasm.mjs';
import { bundleForPage } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';

/** `entry`: the page's module, which measures when a script with data-measure is on the page. */
export async function packPage(folder, { entry, name, title }) {
  await buildWasm();
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'page.js'), await bundleForPage(entry, { name }));
  writeFileSync(
    path.join(folder, 'page.html'),
    `<!doctype html><meta charset="utf-8"><title>${title}</title><script data-measure src="page.js"></script>\n`,
  );
  copyFileSync(path.join(root, 'dist/kernels.wasm'), path.join(folder, 'kernels.wasm'));
}
