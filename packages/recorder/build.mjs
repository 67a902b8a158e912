// `node packages/recorder/build.mjs` writes dist/: the script with its kernels, and the parts that it loads when they are
// needed. It takes these from the library's dist/, which must be built.
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { packageScript } from '../../rollup.config.js';
import { bundle } from '../../tools/bundle.mjs';

const at = (file) => fileURLToPath(new URL(file, import.meta.url));
const library = at('../../dist');
const script = 'foveola-recorder.cdn.js';
export const files = [script, 'foveola-recorder.kernels.js'];
/** Everything that a page fetches until the first sample, gzipped. */
export const budget = 120_000;

rmSync(at('dist'), { recursive: true, force: true });
await bundle(() => packageScript(library, 'foveola-recorder.cdn', 'packages/recorder/src/script.ts'), at('dist'));
const text = readFileSync(at(`dist/${script}`), 'latin1');
const parts = ['gpu.js', 'extras.js'].filter((part) => text.includes(part));
for (const part of parts) copyFileSync(`${library}/${part}`, at(`dist/${part}`));
mkdirSync(at('dist/models'));
copyFileSync(`${library}/models/eyes.bin`, at('dist/models/eyes.bin')); // the second opinion on pupils

const sizes = files.map((file) => gzipSync(readFileSync(at(`dist/${file}`)), { level: 9 }).length);
const size = sizes.reduce((a, b) => a + b);
console.log(
  `${files.join(' and ')}: ${(size / 1000).toFixed(1)} kB gzipped (${sizes.join(' + ')}); parts: ${parts.join(', ')}`,
);
if (size > budget) throw new Error(`The recorder has ${size} bytes gzipped; its budget is ${budget}.`);
