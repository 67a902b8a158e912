// Tests that need no page run in Node, during the build. The rule: a test needs a page if its code, or the code of anything it
// imports and keeps, uses one of these names, or a name that begins so. It may fetch files and kernels.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';
import { bundledTogether } from './test-bundles.mjs';

const names = [
  'document navigator customElements requestAnimationFrame indexedDB localStorage getComputedStyle DOMParser matchMedia',
  'HTML Worker SharedWorker ImageData ImageBitmap createImageBitmap OffscreenCanvas VideoFrame VideoDecoder MediaRecorder',
  'FileReader XMLHttpRequest WebGL compileStreaming crossOriginIsolated caches ResizeObserver MutationObserver',
];
// Not as a property (a.document) or in a string ('document'); esbuild leaves no comments.
const ofPage = new RegExp(`(?<![\\w$.'"\`-])(${names.join(' ').replaceAll(' ', '|')})\\w*(?=\\s*[.(\\[;,)])`);

/** What an output imports in turn, and itself. */
function reached(outputs, from) {
  const all = new Set([from]);
  for (const one of all) for (const { path: to, external } of outputs[one].imports) if (!external) all.add(to);
  return [...all];
}

/**
 * The tests of these that run in Node, bundled into a folder below build/.
 * @returns files: those tests; entries: what node:test runs, a process each
 */
export async function testsWithoutPage(files, { name = 'tests-without-page', processes = 2 } = {}) {
  const folder = path.join(root, 'build', name);
  rmSync(folder, { recursive: true, force: true });
  // chai knows elements, and works without. What does not build is said by the page that asks for it.
  const own = { outdir: folder, external: ['chai'], legalComments: 'none' };
  const { texts, outputs } = (await bundledTogether(files, own).catch(() => null)) ?? {};
  if (!texts) return { files: [], entries: [] };
  const needs = new Map([...texts].map(([output, text]) => [output, ofPage.test(text.toString())]));
  const entryOf = new Map(Object.entries(outputs).map(([output, { entryPoint }]) => [entryPoint, output]));
  const pure = files.filter((file) => !reached(outputs, entryOf.get(file)).some((output) => needs.get(output)));
  const write = (file, text) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  for (const output of new Set(pure.flatMap((file) => reached(outputs, entryOf.get(file)))))
    write(output, texts.get(output));
  const entries = Array.from({ length: Math.min(processes, pure.length) }, (_, k) => {
    const entry = `build/${name}/process-${k + 1}.mjs`;
    const part = pure.filter((_, i) => i % processes === k).map((file) => entryOf.get(file));
    const load = "import { load } from '../../test/support/without-page.mjs';";
    write(entry, `${load}\nawait load(${JSON.stringify(part)});\n`);
    return path.join(root, entry);
  });
  return { files: pure, entries };
}
