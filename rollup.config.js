// dist/*.js, as ../shared's public contract and docs/development.md list them. tools/build.mjs runs this.
//
// foveola.js, elements.js, elements/*.js   ESM; Lit stays an import (a page must have one Lit), all else is inside, so
//                                          foveola.js also works from a plain <script type="module">
// worker.js                                one classic script, which runs as a module worker too
// foveola.cdn.js                           one script: pupil and filter, WASM side, both kernel builds, the worker
// foveola.cdn.full.js                      one script with everything: all elements, both sides, demuxer, readers of files, cascades
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import path from 'node:path';
import nodeResolve from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import { minify as minifyScript } from 'terser';
import esbuild from 'rollup-plugin-esbuild';
import htmlLiterals from 'rollup-plugin-html-literals';
import { rollupGlsl } from './tools/glsl-plugin.mjs';
import { differences, singleFile, workerTextName } from './tools/single-file.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const at = (...parts) => path.join(root, ...parts);
const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const banner = `/*! foveola ${version}, Apache-2.0. For research use, not a medical device. Contains parts of other projects: see NOTICE. */`;

// Every widget/<name>.component.ts (the class) with its widget/<name>.ts (which registers it) is an entry of its own.
const elementNames = (existsSync(at('widget')) ? readdirSync(at('widget')) : [])
  .map((file) => /^(.+)\.component\.ts$/.exec(file)?.[1])
  .filter(Boolean)
  .sort();

const wanted = {
  foveola: 'src/index.ts',
  elements: 'widget/elements.ts',
  'strings/de': 'widget/strings/de.ts', // English is inside the elements
  'every-frame': 'src/frames/every-frame.ts', // these of their own, so that the single file can load them
  'image-files': 'src/frames/image-files/read.ts',
};
for (const name of new Set(['pupil', ...elementNames])) {
  wanted[`elements/${name}`] = `widget/${name}.ts`;
  wanted[`elements/${name}.component`] = `widget/${name}.component.ts`;
}
const worker = 'src/worker.ts';
const cdn = [
  'widget/cdn.ts',
  'widget/cdn-full.ts',
  'src/runtime/assets.cdn.ts',
  'src/frames/demuxer.cdn.ts',
  'src/frames/image-files.cdn.ts',
  worker,
];

export const entries = Object.fromEntries(Object.entries(wanted).filter(([, file]) => existsSync(at(file))));
export const missing = [...new Set([...Object.values(wanted), ...cdn])].filter((file) => !existsSync(at(file)));

// Node's modules that packages for both worlds name: a browser never calls them, but would ask a server for them.
const noNode = () => ({
  name: 'no-node',
  resolveId: (id) => (id.startsWith('node:') ? '\0no-node' : null),
  load: (id) => (id === '\0no-node' ? 'export {};' : null),
});

const source = () => [
  noNode(),
  rollupGlsl(),
  nodeResolve({ browser: true, exportConditions: ['browser', 'production'] }), // else Lit's development build is taken
  esbuild({ target: 'es2022', tsconfig: at('tsconfig.json'), sourceMap: true }),
];
const minified = { ecma: 2020, compress: { passes: 2 }, format: { comments: false, preamble: banner } };
const minify = () => terser(minified);

// What a single file carries inside; see src/runtime/assets.cdn.ts.
const inlined = ({ full, kernelFiles }) => ({
  name: 'inlined-assets',
  resolveId(id, importer) {
    if (id.startsWith('virtual:')) return `\0${id}`;
    const target = importer && path.resolve(path.dirname(importer), id);
    if (target === at('src/runtime/assets.ts')) return at('src/runtime/assets.cdn.ts');
    for (const name of ['demuxer', 'image-files'])
      if (target === at(`src/frames/${name}.ts`) && !full) return at(`src/frames/${name}.cdn.ts`);
    return null;
  },
  load(id) {
    if (!id.startsWith('\0virtual:')) return null;
    const kernels = (build) => readFileSync(at(`${kernelFiles}.${build}.wasm`));
    const packed = (bytes) => deflateRawSync(bytes, { level: 9 }).toString('base64');
    const contents = {
      worker: () => workerTextName,
      'kernels.st': () => JSON.stringify(packed(kernels('st'))),
      'kernels.mt': () => JSON.stringify(differences(kernels('st'), kernels('mt'))),
      models: () => {
        const files = full ? readdirSync(at('models')) : [];
        return JSON.stringify(
          Object.fromEntries(files.map((file) => [path.parse(file).name, packed(readFileSync(at('models', file)))])),
        );
      },
    };
    return { code: `export default ${contents[id.split(':')[1]]()};`, map: { mappings: '' } };
  },
});

// What foveola.cdn.js leaves to foveola.cdn.full.js: the graphics side of every stage and the capabilities of the elements
// that are not in it. Who imports it gets undefined. The graphics side is called only where an engine has one, and
// src/runtime/engine-gpu.cdn.ts says that it has none.
const graphics =
  /\/src\/(.*\.gpu|pupil\/gpu\/(gpu-tracking|starburst-gpu|prepare.*|search-passes|ray-.*)|inpaint\/(gpu-.*|passes)|runtime\/(gpu-side|gpu-programs|gpu-verify|gpu-timer|pass|texture-pool|read-back))\.ts$/;
const others =
  /\/(src\/((faces|models|objects|vessels)\/.*|results\/export-(faces|objects|vessels).*)|widget\/strings\/vessels\..*)\.ts$/;
const lean = () => ({
  name: 'lean',
  resolveId(id, importer) {
    if (!importer || !id.startsWith('.')) return null;
    const target = path.resolve(path.dirname(importer), id);
    if (target === at('src/runtime/engine-gpu.ts') && !importer.endsWith('engine-gpu.cdn.ts'))
      return at('src/runtime/engine-gpu.cdn.ts');
    const name = target.replaceAll(path.sep, '/');
    return graphics.test(name) || others.test(name) ? { id: '\0left-out', syntheticNamedExports: 'absent' } : null;
  },
  load: (id) => (id === '\0left-out' ? { code: 'export const absent = {};', syntheticNamedExports: 'absent' } : null),
});

// Chunks become one script; then it is minified as a whole.
const oneScript = (entry) => ({
  name: 'one-script',
  async generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
    const fileOf = (name) => chunks.find((chunk) => chunk.isEntry && chunk.name === name).fileName;
    const code = singleFile({ chunks, page: fileOf(entry), worker: fileOf('worker'), name: 'foveola' });
    const small = await minifyScript(code, { ...minified, toplevel: false });
    for (const name of Object.keys(bundle)) delete bundle[name];
    this.emitFile({ type: 'asset', fileName: `${entry}.js`, source: small.code });
  },
});

const workerInput = { input: { worker: at(worker) } };
const esm = {
  input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, at(file)])),
  external: [/^lit(\/|$)/, /^@lit\//],
  plugins: source(),
  output: { format: 'es', banner, chunkFileNames: 'chunks/[name]-[hash].js' },
};
const workerScript = {
  ...workerInput,
  plugins: [...source(), minify()],
  output: { format: 'iife', inlineDynamicImports: true },
};
const single = (entry, file, { full }) => ({
  input: { [entry]: at(file), worker: at(worker) },
  plugins: [
    inlined({ full, kernelFiles: full ? 'dist/kernels' : 'build/kernels.cdn' }),
    ...(full ? [] : [lean()]),
    htmlLiterals({ include: ['widget/**'] }),
    ...source(),
    oneScript(entry),
  ],
  output: {
    format: 'cjs',
    strict: false, // once for all, in singleFile
    esModule: false,
    exports: 'named',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  },
});

export default [
  ...(Object.keys(entries).length ? [esm] : []),
  ...(existsSync(at(worker)) ? [workerScript] : []),
  ...(cdn.every((file) => existsSync(at(file)))
    ? [single('foveola.cdn', cdn[0], { full: false }), single('foveola.cdn.full', cdn[1], { full: true })]
    : []),
];
