// The demo pages in the site, and the service worker that stores both.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { filesBelow } from '../fingerprint.mjs';
import { root } from '../setup.mjs';

/** Larger files are stored when a page first uses them, in bytes. */
const LARGE = 1_000_000;

/** Copies demo/. Its links to the repository lead to the pages of the site, and it is stored with them. */
export function copyDemo(output, repository) {
  cpSync(path.join(root, 'demo'), path.join(output, 'demo'), { recursive: true });
  for (const name of readdirSync(path.join(output, 'demo')).filter((file) => file.endsWith('.html'))) {
    const file = path.join(output, 'demo', name);
    const text = readFileSync(file, 'utf8')
      .replaceAll(`${repository}/blob/main/docs/index.md`, '../index.html')
      .replaceAll('href="../examples/"', `href="${repository}/tree/main/examples"`)
      .replaceAll('href="./"', 'href="index.html"') // on any server, and without one
      .replace('</head>', '  <script src="../demo-offline.js" defer></script>\n  </head>');
    writeFileSync(file, text);
  }
}

/** Writes service-worker.js, whose version is the content of all other files. */
export async function writeServiceWorker(output) {
  const all = filesBelow(output, ['.']).map((file) => path.posix.normalize(file));
  const hash = createHash('sha256');
  for (const file of all) hash.update(file).update(readFileSync(path.join(output, file)));
  const isLarge = (file) => statSync(path.join(output, file)).size > LARGE;
  const files = all.filter((file) => !isLarge(file));
  const site = { version: hash.digest('hex').slice(0, 12), files, later: all.filter(isLarge) };
  await build({
    absWorkingDir: root,
    entryPoints: ['tools/docs/site/service-worker.js'],
    outdir: output,
    ...{ bundle: true, minify: true, format: 'iife', target: 'es2022', logLevel: 'silent' },
    define: { SITE: JSON.stringify(site) },
  });
}
