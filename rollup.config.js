// dist/*.js, as ../shared's public contract and docs/development.md list them. tools/build.mjs runs this.
//
// foveola.js, elements.js, elements/*.js   ESM; Lit stays an import (a page must have one Lit), all else is inside, so
//                                          foveola.js also works from a plain <script type="module">
// worker.js                                one classic script, which runs as a module worker too
// foveola.cdn.js                           everything in one script: elements, both kernel builds, the worker
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import path from 'node:path';
import nodeResolve from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import { rollup } from 'rollup';
import esbuild from 'rollup-plugin-esbuild';
import htmlLiterals from 'rollup-plugin-html-literals';
import { rollupGlsl } from './tools/glsl-plugin.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const at = (file) => path.join(root, file);
const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const banner = `/*! foveola ${version}, Apache-2.0. For research use, not a medical device. Contains parts of other projects: see NOTICE. */`;

// Every widget/<name>.component.ts (the class) with its widget/<name>.ts (which registers it) is an entry of its own.
const elementNames = (existsSync(at('widget')) ? readdirSync(at('widget')) : [])
  .map((file) => /^(.+)\.component\.ts$/.exec(file)?.[1])
  .filter(Boolean)
  .sort();

const wanted = { foveola: 'src/index.ts', elements: 'widget/elements.ts' };
for (const name of new Set(['pupil', ...elementNames])) {
  wanted[`elements/${name}`] = `widget/${name}.ts`;
  wanted[`elements/${name}.component`] = `widget/${name}.component.ts`;
}
const worker = 'src/worker.ts';
const cdn = ['widget/cdn.ts', 'src/runtime/assets.cdn.ts', worker];

export const entries = Object.fromEntries(Object.entries(wanted).filter(([, file]) => existsSync(at(file))));
export const missing = [...new Set([...Object.values(wanted), ...cdn])].filter((file) => !existsSync(at(file)));

const source = () => [
  rollupGlsl(),
  nodeResolve({ browser: true, exportConditions: ['browser', 'production'] }), // else Lit's development build is taken
  esbuild({ target: 'es2022', tsconfig: at('tsconfig.json'), sourceMap: true }),
];
const minify = () => terser({ ecma: 2020, compress: { passes: 2 }, format: { comments: false, preamble: banner } });

// What the single file carries inside; see src/runtime/assets.cdn.ts.
const inlined = () => ({
  name: 'inlined-assets',
  resolveId(id, importer) {
    if (id.startsWith('virtual:')) return `\0${id}`;
    if (importer && path.resolve(path.dirname(importer), id) === at('src/runtime/assets.ts')) return at(cdn[1]);
    return null;
  },
  async load(id) {
    if (!id.startsWith('\0virtual:')) return null;
    const [, name] = id.split(':');
    let content;
    if (name === 'worker') {
      const bundle = await rollup({ ...workerInput, plugins: [...source(), minify()] });
      const { output } = await bundle.generate({ format: 'iife', inlineDynamicImports: true });
      await bundle.close();
      content = output[0].code;
    } else {
      content = deflateRawSync(readFileSync(at(`dist/${name}.wasm`)), { level: 9 }).toString('base64');
    }
    return { code: `export default ${JSON.stringify(content)};`, map: { mappings: '' } };
  },
});

const workerInput = { input: { worker: at(worker) } };
const esm = {
  input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, at(file)])),
  external: [/^lit(\/|$)/, /^@lit\//],
  plugins: source(),
  output: { format: 'es', banner, sourcemap: true, chunkFileNames: 'chunks/[name]-[hash].js' },
};
const workerScript = {
  ...workerInput,
  plugins: [...source(), minify()],
  output: { format: 'iife', sourcemap: true, inlineDynamicImports: true },
};
const single = {
  input: { 'foveola.cdn': at(cdn[0]) },
  plugins: [inlined(), htmlLiterals({ include: ['widget/**'] }), ...source(), minify()],
  output: { format: 'iife', name: 'foveola', sourcemap: true, inlineDynamicImports: true },
};

export default [
  ...(Object.keys(entries).length ? [esm] : []),
  ...(existsSync(at(worker)) ? [workerScript] : []),
  ...(cdn.every((file) => existsSync(at(file))) ? [single] : []),
];
