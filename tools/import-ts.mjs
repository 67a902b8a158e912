// TypeScript of the project in Node and in bench pages: bundles an entry with esbuild (shaders included).
//   const { starburst } = await importTs('test/reference/starburst.ts');     in Node
//   await page.addScriptTag({ content: await bundleForPage('bench/page.ts', { name: 'bench' }) })
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { build } from 'esbuild';
import { esbuildCodecs } from './codec-plugin.mjs';
import { esbuildGlsl } from './glsl-plugin.mjs';
import { writeWhole } from './fingerprint.mjs';
import { root } from './setup.mjs';

// A module's own address: in Node that of its source, so that files beside it (and dist/) are found; in a page that of the
// built library.
const moduleAddress = (addressOf) => ({
  name: 'module-address',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      if (file.includes('node_modules')) return undefined;
      const text = readFileSync(file, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      return { contents: text.replaceAll('import.meta.url', addressOf(file)), loader: 'ts' };
    });
  },
});
const inNode = [moduleAddress((file) => JSON.stringify(pathToFileURL(file).href))];
const served = (file) => `(location.origin + '/dist/${file}')`;
const inPage = [moduleAddress(() => served('foveola.js'))];

const bundles = (entries, { address, ...options }) =>
  build({
    absWorkingDir: root,
    entryPoints: entries.map((entry) => path.resolve(root, entry)),
    bundle: true,
    write: false,
    target: 'es2022',
    tsconfig: path.join(root, 'tsconfig.json'),
    plugins: [esbuildGlsl(), esbuildCodecs(), ...address],
    logLevel: 'silent', // failures come as an exception with the same text
    ...options,
  });
const bundle = async (entry, options) => (await bundles([entry], options)).outputFiles[0].text;

const forNode = {
  ...{ platform: 'node', format: 'esm', packages: 'external', address: inNode },
  ...{ sourcemap: 'inline', sourcesContent: false },
};

/** Notes of the bundles that a run of tests has made (tools/test.mjs): sources do not change meanwhile. */
const notes = () => (process.env.FOVEOLA_RUN ? path.join(root, 'build/ts', process.env.FOVEOLA_RUN) : null);
const noteOf = (entry) => path.join(notes(), entry.replaceAll(/\W/g, '-'));

/** Bundles what these files import by `importTs`, all at once: they share what they have in common. */
export async function bundleImports(files) {
  const named = files.flatMap(
    (file) => readFileSync(path.join(root, file), 'utf8').match(/(?<=importTs\(\s*')[^']+/g) ?? [],
  );
  const entries = [...new Set(named)].filter((entry) => existsSync(path.join(root, entry)));
  if (!entries.length) return;
  const outdir = path.join(notes(), 'bundles');
  await bundles(entries, {
    ...forNode,
    write: true,
    outdir,
    outbase: root,
    splitting: true,
    outExtension: { '.js': '.mjs' },
  });
  for (const entry of entries) writeWhole(noteOf(entry), path.join(outdir, entry.replace(/\.ts$/, '.mjs')));
}

/**
 * Imports a module written in TypeScript, named relative to the root. Packages are not bundled but imported as usual.
 * Equal content gives the same module again.
 */
export async function importTs(entry) {
  const note = notes() && noteOf(entry);
  const file = note && existsSync(note) ? readFileSync(note, 'utf8') : await bundledFile(entry);
  if (note) writeWhole(note, file);
  process.setSourceMapsEnabled(true); // stack traces name the TypeScript
  return import(pathToFileURL(file).href);
}

async function bundledFile(entry) {
  const text = await bundle(entry, forNode);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  // Below the root, so that Node finds the packages.
  const file = path.join(root, 'build/ts', `${path.basename(entry, '.ts')}-${hash}.mjs`);
  if (!existsSync(file)) writeWhole(file, text);
  return file;
}

/** The text of a bundle for a page: a classic script that sets window[name], or a module when no name is given. */
export const bundleForPage = (entry, { name } = {}) =>
  bundle(entry, {
    platform: 'browser',
    address: inPage,
    conditions: ['production'],
    ...(name ? { format: 'iife', globalName: name } : { format: 'esm' }),
  });
