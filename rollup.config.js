// dist/*.js, as the public contract and docs/development.md list them. tools/build.mjs runs this.
//
// foveola.js, core.js, elements.js, elements/*.js   ESM; Lit stays an import (a page must have one Lit), all else is inside or in
//                                          chunk-*.js next to them
// reports.js                               ESM, reports for health records (foveola/reports); shares its errors with foveola.js
// foveola.elements.js                      ESM with Lit inside, for pages without a bundler
// worker.js                                one classic script, which runs as a module worker too
// gpu.js, extras.js, face-search.js, vessel-search.js   parts of the engine; npm's modules contain the last three
// every-frame.js, image-files.js           loaded on demand by all builds: demuxer, readers of image files,
// image-codecs.js                          the same readers with JPEG-LS and JPEG 2000,
// chart.js                                 charts of values over time
// player.js, video-writer.js               timeline of a recording, chart interaction; video export of both
// kept-recordings.js, recording-writer.js  recordings that are kept on the device, and the worker that writes them
// pupil-review.js                          the review of a recording, with corrections by hand
// vessel-corrections.js                    measures around the disc, tools by which vessels are corrected, visits
// test-panels.js                           pupil tests: choice of the protocol, devices, measures
// several-files.js                         the list of several files, with their results
// tools.js                                 settings, help, questions, and what writes exports
// words-de.js                              German: what strings/de.js takes, and CDN scripts load where an element is in it
// foveola.cdn.js                           one script with every element, both backends, the worker
// foveola-<name>.cdn.js                    the same with one element
// foveola.kernels.js, ...                  the kernels that the CDN script of the same name calls
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import nodeResolve from '@rollup/plugin-node-resolve';
import { build, transform } from 'esbuild';
import esbuild from 'rollup-plugin-esbuild';
import htmlLiterals from 'rollup-plugin-html-literals';
import { assetsModule, shippedAssetFiles } from './tools/asset-files.mjs';
import { integrity, shortIntegrity } from './tools/integrity.mjs';
import { rollupGlsl } from './tools/glsl-plugin.mjs';
import { withEffects, withoutEffects } from './tools/effect-texts.mjs';
import {
  cdnPart,
  cdnParts,
  gpuPart,
  kernelsOf,
  partSources,
  withoutCdnParts,
  withoutGpu,
} from './tools/engine-parts.mjs';
import { rollupPatches } from './tools/patches.mjs';
import { rollupCodecs } from './tools/codec-plugin.mjs';
import { filesGiving } from './tools/lists.mjs';
import { litInside } from './tools/lit-inside.mjs';
import { markImports, minify } from './tools/minify.mjs';
import { kernelSubset } from './tools/kernel-subset.mjs';
import { singleFile, workerTextName } from './tools/single-file.mjs';
import { deflate } from './tools/deflate.mjs';
import { deflateStreams, splitWasm } from './tools/wasm-streams.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const at = (...parts) => path.join(root, ...parts);
const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const banner = `/*! foveola ${version}, Apache-2.0. For research use, not a medical device. Contains parts of other projects: see NOTICE. */`;

// Every widget/<name>/<name>.component.ts (the class) with its <name>.ts (which registers it) is a separate entry.
const elementNames = (existsSync(at('widget')) ? readdirSync(at('widget')) : [])
  .filter((name) => existsSync(at(`widget/${name}/${name}.component.ts`)))
  .sort();

/** Files in src/ that the script of one element or package registers. Only their imports are included. */
const registeredBy = {
  pupil: ['pupil/index.ts'],
  'pupil-test': ['pupil/index.ts'],
  face: ['faces/index.ts', 'models/operation.ts'],
  track: ['objects/index.ts'],
  recorder: ['pupil/index.ts'], // packages/recorder
  vessels: ['vessels/index.ts'],
  filter: [...['edges/operations.ts', 'flow/optical-flow.ts', 'inpaint/index.ts'], ...filesGiving(root, 'image')],
};

const hasPupils = (element) => !!registeredBy[element]?.includes('pupil/index.ts');
/** Kernels that scripts with pupils leave out. No pupil has the size 5, and median.ts has another kernel for 11. */
const largeMedians = ['median5', 'median11'];

/** The element of a CDN script. Undefined for the script of all. */
const elementOf = (entry) => /^foveola-(.+)\.cdn$/.exec(entry)?.[1];

const wanted = {
  foveola: 'src/index.ts',
  core: 'src/core.ts', // an entry, so that what the elements share with foveola.js stays in one file
  reports: 'src/reports/index.ts',
  node: 'src/node/index.ts',
  'node-thread': 'src/node/thread.ts',
  'node-codecs': 'src/node/codec-thread.ts',
  elements: 'widget/elements.ts',
  'strings/de': 'widget/strings/de.ts', // English is inside the elements
};
for (const name of elementNames) {
  wanted[`elements/${name}`] = `widget/${name}/${name}.ts`;
  wanted[`elements/${name}.component`] = `widget/${name}/${name}.component.ts`;
}
const worker = 'src/worker.ts';
const cdn = { 'foveola.cdn': 'widget/cdn/all.ts' };
for (const name of elementNames) cdn[`foveola-${name}.cdn`] = `widget/cdn/${name}.ts`;
/** Parts that load when they are first needed, one file each (`loadPart` in src/runtime/engine/assets.ts). */
const later = {
  'every-frame': 'src/frames/every-frame.ts',
  'image-files': 'src/frames/image-files/page.ts',
  'image-codecs': 'src/frames/image-files/codecs-page.ts',
  'kept-recordings': 'widget/tools/storage/keeper.ts',
  chart: 'widget/tools/chart/chart-set.ts',
  player: 'widget/tools/player/player.ts',
  'pupil-review': 'widget/pupil/review/review.ts',
  'vessel-corrections': 'widget/vessels/correct/correcting.ts',
  'several-files': 'widget/tools/batch/several-files.ts',
  'test-panels': 'widget/pupil-test/panels/panels.ts',
  tools: 'widget/tools/panels/tools.ts',
  'video-writer': 'widget/tools/player/video-writer.ts',
  'words-de': 'widget/strings/words.de.ts',
};
/** The worker that kept-recordings.js starts; small, and never inside another file. */
const writer = { 'recording-writer': 'src/recordings/opfs-writer.ts' };
const parts = new Set(Object.values(later).map((file) => at(file)));
const assets = 'src/runtime/engine/assets';

export const entries = Object.fromEntries(Object.entries(wanted).filter(([, file]) => existsSync(at(file))));
export const missing = [...[wanted, cdn, later, writer].flatMap((list) => Object.values(list)), worker].filter(
  (file) => !existsSync(at(file)),
);

// Node's modules that packages for both worlds name: a browser never calls them, but would ask a server for them. Files
// for Node alone import them, and the decoders that its users install.
const noNode = () => ({
  name: 'no-node',
  resolveId(id, importer) {
    if (importer?.startsWith(at('src/node/')))
      return /^(node:|sharp$|node-av($|\/))/.test(id) ? { id, external: true } : null;
    return id.startsWith('node:') ? '\0no-node' : null;
  },
  load: (id) => (id === '\0no-node' ? 'export {};' : null),
});

/** Pure functions and tables. Bundles without them can drop them. */
const pureFolders = () => ({
  name: 'pure-folders',
  transform: (_, id) => (/[\\/]src[\\/](series|protocols|reports)[\\/]/.test(id) ? { moduleSideEffects: false } : null),
});

/** `part`: the stub of a part of the engine, or the part. */
const source = (part = withoutGpu(root)) => [
  ...part,
  noNode(),
  pureFolders(),
  rollupPatches(),
  rollupGlsl(),
  rollupCodecs(deflate),
  nodeResolve({ browser: true, exportConditions: ['browser', 'production'] }), // else Lit's development build is taken
  esbuild({ target: 'es2022', tsconfig: at('tsconfig.json'), sourceMap: false }),
];
/** Minifies modules, and scripts that become part of one. */
const minified = () => ({
  name: 'minified',
  renderChunk: async (code) => ({ code: `${banner}\n${markImports(await minify(code, { module: true }))}`, map: null }),
});
const literals = () => htmlLiterals({ include: ['widget/**'] });
/** For the modules of the npm package: marks for tree shaking stay, and so does the text that names the assets. */
const smallModules = () => ({
  name: 'small-modules',
  async renderChunk(code, { fileName }) {
    if (fileName === assetsModule) return null;
    const small = await transform(code, { minify: true, target: 'es2022', format: 'esm', legalComments: 'inline' });
    return { code: markImports(small.code), map: null };
  },
});

const targetOf = (id, importer) => importer && id.startsWith('.') && path.resolve(path.dirname(importer), id);
const base64 = (bytes) => JSON.stringify(bytes.toString('base64'));
/** Whether the script of an element uses a model. */
const usesModel = (element, model) =>
  model === 'eyes' ? hasPupils(element) : element === (model.startsWith('vessel') ? 'vessels' : 'face');
const shippedModels = () => readdirSync(at('models')).map((file) => path.parse(file).name);

/** Modules that the build makes: tools/modules.d.ts describes each. `contents`: by name, functions that give code. */
const virtual = (contents) => ({
  name: 'virtual',
  resolveId: (id) => (id.startsWith('virtual:') ? `\0${id}` : null),
  load(id) {
    if (!id.startsWith('\0virtual:')) return null;
    return { code: `export default ${contents[id.slice('\0virtual:'.length)]()};`, map: { mappings: '' } };
  },
});

const insidePrefix = '\0inside:';
const inflatedText = async (bytes) =>
  `new Blob([Uint8Array.from(atob(${base64(await deflate(bytes))}), (c) => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('deflate-raw'))`;
const bytesOf = (stream) => `new Response(${stream}).arrayBuffer().then((buffer) => new Uint8Array(buffer))`;

/** dist/assets.js, and modules with the files inside for bundles that leave the files out. */
const assetFiles = (folder) => ({
  name: 'asset-files',
  resolveId: (id) => (id.startsWith('inside:') ? `\0${id}` : null),
  async load(id) {
    if (id === at('src/runtime/engine/asset-files.ts')) {
      const names = shippedModels();
      // Only what detectFaces needs by default: other models would double the package. Bundles that leave files out get a
      // message with the file to copy.
      const small = ['frontalface_alt', 'frontalface_alt2', 'face-judge'];
      const models = Object.fromEntries([...small, 'gpu.js'].map((name) => [name, `inside:${name}`]));
      const files = { 'kernels.wasm': at('dist/kernels.wasm'), 'worker.js': path.join(folder, 'worker.js') };
      files['gpu.js'] = path.join(folder, 'gpu.js');
      for (const model of names) files[`${model}.bin`] = at(`models/${model}.bin`);
      const hash = ([name, file]) => [name, integrity(readFileSync(file))];
      return shippedAssetFiles({
        hashes: Object.fromEntries(Object.entries(files).map(hash)),
        models: names,
        inside: { kernels: 'inside:kernels', worker: 'inside:worker', models },
      });
    }
    if (!id.startsWith(insidePrefix)) return null;
    const name = id.slice(insidePrefix.length);
    if (name === 'worker')
      return `export default () => new Response(${await inflatedText(readFileSync(path.join(folder, 'worker.js')))}).text();`;
    if (name === 'gpu.js')
      return `export default () => ${bytesOf(await inflatedText(readFileSync(path.join(folder, name))))};`;
    if (name !== 'kernels')
      return `export default () => ${bytesOf(await inflatedText(readFileSync(at(`models/${name}.bin`))))};`;
    return `export default () => ${bytesOf(await inflatedText(readFileSync(at('dist/kernels.wasm'))))};`;
  },
});

/** Placeholder until it is known which files a script names. */
const pinsText = '__foveolaPins__';

/** Worker inside a CDN script, and the names and hashes of the files that it loads. */
const inlined = (entry, element) => [
  {
    name: 'cdn-assets',
    resolveId: (id, importer) => (targetOf(id, importer) === at(`${assets}.ts`) ? at(`${assets}.cdn.ts`) : null),
    // tools.js has the words that are read after a click.
    load(id) {
      return id === at('widget/strings/later.en.ts') ? 'export const later = { errorHelp: {} };' : null;
    },
    // A CDN script names its parts by their files.
    transform: (code, id) => ({
      code: code.replace(/\(\) =>\s+import\((['"])(.+?)\1\)/g, (whole, _, target) =>
        parts.has(targetOf(target, id)) ? 'null' : whole,
      ),
      map: null,
    }),
  },
  virtual({
    worker: () => workerTextName,
    kernels: () => JSON.stringify(kernelsOf(`${entry}.js`)),
    models: () =>
      JSON.stringify(
        Object.fromEntries(
          shippedModels()
            .filter((name) => !element || usesModel(element, name))
            .map((name) => [name, integrity(readFileSync(at(`models/${name}.bin`)))]),
        ),
      ),
    pins: () => JSON.stringify(pinsText),
  }),
];

/** Only what this element calls is registered, and it has its own words only. */
const only = (element) => ({
  name: 'only-element',
  load(id) {
    if (id === at('src/capabilities.ts')) return registeredBy[element].map((file) => `import './${file}';`).join('\n');
    const [, named] = /^(\w+)\/\1\.en\.ts$/.exec(path.relative(at('widget'), id).replaceAll('\\', '/')) ?? [];
    return named in registeredBy && named !== element ? 'export const words = undefined, labels = {};' : null;
  },
});
const treeshakeTo = (registered) => {
  const files = ['capabilities.ts', 'worker.ts', ...registered].map((file) => at('src', file));
  const folders = [...registered.filter((file) => file.endsWith('/index.ts')).map(path.dirname), 'runtime'];
  const kept = (id) => files.includes(id) || folders.some((folder) => id.startsWith(at('src', folder, '/')));
  return { moduleSideEffects: (id) => kept(id) || !id.startsWith(at('src/')) };
};

/** A module with kernels inside: as text, because a script gives their bytes where no policy allows to fetch them. */
async function kernelsModule(wasm) {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { inflated, joinStreams } from './wasm-streams.ts';
export default async () => joinStreams(await inflated(${base64(await deflateStreams(splitWasm(wasm)))}));`,
      resolveDir: at('src/runtime/wasm'),
    },
    ...{ bundle: true, format: 'esm', target: 'es2022', write: false },
  });
  return `${banner}\n${await minify(outputFiles[0].text, { module: true })}`;
}

// Chunks become one script; then it is minified as a whole.
const oneScript = (folder, entry) => ({
  name: 'one-script',
  async generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
    const fileOf = (name) => chunks.find((chunk) => chunk.isEntry && chunk.name === name).fileName;
    const code = singleFile({ chunks, page: fileOf(entry), worker: fileOf('worker'), name: 'foveola' });
    // With those that the parts of these stages call, which are not inside.
    const stages = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id).isIncluded);
    const called = code + partSources(stages);
    const without = hasPupils(elementOf(entry)) ? largeMedians : [];
    const { wasm } = kernelSubset(readFileSync(at('dist/kernels.wasm')), called, without);
    const kernels = await kernelsModule(wasm);
    const names = ['gpu', 'worker', ...Object.keys(cdnParts), ...Object.keys(later)].map((name) => `${name}.js`);
    const named = names.filter((name) => code.includes(`'${name}'`) || code.includes(`"${name}"`));
    const hashes = named.map((name) => [name, shortIntegrity(readFileSync(path.join(folder, name)))]);
    const pins = { [kernelsOf(`${entry}.js`)]: shortIntegrity(kernels), ...Object.fromEntries(hashes) };
    const whole = code.replace(JSON.stringify(pinsText), JSON.stringify(pins));
    for (const name of Object.keys(bundle)) delete bundle[name];
    this.emitFile({ type: 'asset', fileName: kernelsOf(`${entry}.js`), source: kernels });
    this.emitFile({ type: 'asset', fileName: `${entry}.js`, source: `${banner}\n${await minify(whole)}` });
  },
});

const partScript = (part) => ({
  input: 'part',
  treeshake: { moduleSideEffects: false },
  plugins: [...source(part(root)), minified()],
  output: { format: 'cjs', strict: false, exports: 'default', esModule: false, entryFileNames: '[name].js' },
});
const workerScript = () => ({
  input: { worker: at(worker) },
  plugins: [...source(), minified()],
  output: { format: 'iife', inlineDynamicImports: true },
});
/** The scripts of workers are next to the file that starts them. Readers are worker scripts too. */
const workersBeside = {
  'src/recordings/opfs.ts': ['./opfs-writer.ts', './recording-writer.js'],
  'src/frames/every-frame.ts': ['./every-frame.ts', './every-frame.js'],
  'src/frames/image-files/page.ts': ['./page.ts', './image-files.js'],
  'src/frames/image-files/codecs-page.ts': ['./codecs-page.ts', './image-codecs.js'],
};
const besideWorkers = (folder) => ({
  name: 'beside-workers',
  transform(code, id) {
    const names = workersBeside[path.relative(root, id).replaceAll('\\', '/')];
    if (!names) return null;
    const named = code.replace(`new URL('${names[0]}'`, `new URL('${names[1]}'`);
    // A reader's hash is the hash of its file. The CDN script knows it.
    const hash = () => `const hash = '${integrity(readFileSync(path.join(folder, names[1])))}';`;
    return { code: named.replace("const hash = '';", hash), map: null };
  },
});
const writerScript = (name) => ({
  input: { [name]: at(writer[name]) },
  plugins: [...source(), minified()],
  output: { format: 'iife' },
});
/** The Lit of the script renders the templates of a part. A part has these small tags in place of Lit. */
const litTags = {
  name: 'lit-tags',
  resolveId: (id) => (id === 'lit' ? '\0lit-tags' : null),
  load: (id) =>
    id === '\0lit-tags'
      ? `const tag = (type) => (strings, ...values) => ({ _$litType$: type, strings, values });
export const html = tag(1), svg = tag(2), nothing = Symbol.for('lit-nothing');
export const css = (strings) => ({ cssText: strings[0] });`
      : null,
};
// Of its own each, so that one hash pins the whole of it. Of the library each takes what it calls and registers nothing.
const laterScript = (folder, name) => ({
  input: { [name]: at(later[name]) },
  treeshake: {
    moduleSideEffects: (id) => !id.startsWith(at('src/')) && !id.startsWith(at('widget/')),
  },
  plugins: [litTags, withEffects(root), besideWorkers(folder), literals(), ...source(), minified()],
  output: { format: 'es', inlineDynamicImports: true },
});
// An entry in a folder looks for later files one folder up.
const fromFolder = {
  name: 'from-folder',
  renderChunk: (code, { fileName }) =>
    fileName.includes('/') ? { code: code.replace(/(['"])\.\/words-de\.js\1/, '$1../words-de.js$1'), map: null } : null,
};
// Every chunk is next to worker.js and the kernels: their addresses are relative to the chunk that names them.
const esm = (folder) => ({
  input: {
    ...Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, at(file)])),
    [path.parse(assetsModule).name]: at('src/runtime/engine/asset-files.ts'),
  },
  external: [/^lit(\/|$)/, /^@lit\//, ...parts],
  plugins: [assetFiles(folder), literals(), ...source(), smallModules(), fromFolder],
  output: {
    format: 'es',
    banner,
    // A separate module, so that Lit is evaluated before the code that imports it.
    manualChunks: (id) => (id === at('widget/base/clean-page.ts') ? 'clean-page' : null),
    chunkFileNames: 'chunk-[name]-[hash].js',
    paths: Object.fromEntries(Object.entries(later).map(([name, file]) => [at(file), `./${name}.js`])),
  },
});
// The modules as they are built, those that import Lit in one file with it; the others are shared with foveola.js.
const withLit = (folder) => ({
  input: { 'foveola.elements': path.join(folder, 'elements.js') },
  plugins: [litInside(folder), nodeResolve({ browser: true, exportConditions: ['browser', 'production'] }), minified()],
  output: { format: 'es', chunkFileNames: 'foveola.elements-[name]-[hash].js' },
});
// Similar texts are kept together, because gzip looks back 32 kB at most. Modules are in the order in
// which they are first imported, and unused code is dropped as before.
const neighbors = (page) => {
  const first = readdirSync(at('widget'), { recursive: true })
    .filter((file) => file.endsWith('.style.ts') && !file.startsWith('tools')) // the tools have their own
    .sort()
    .map((file) => `import ${JSON.stringify(at('widget', file))};`)
    .join('');
  // What must come before Lit stays before the styles, which import it.
  const clean = `import ${JSON.stringify(at('widget/base/clean-page.ts'))};`;
  return {
    name: 'neighbors',
    transform: (code, id) => (id === page ? { code: clean + first + code, map: null } : null),
  };
};
/** Why a stage has no GPU side is for who reads the source, and for tests: scripts that every page loads do without. */
const withoutReasons = {
  name: 'without-reasons',
  transform: (code, id) =>
    id.startsWith(at('src/'))
      ? { code: code.replace(/\b(wasmOnly(?::| =)\s*)(['"])(?:\\.|(?!\2).)+\2/g, "$1'-'"), map: null }
      : null,
};
const single = (folder, entry, file) => {
  const element = elementOf(entry);
  return {
    input: { [entry]: at(file), worker: at(worker) },
    ...(element && { treeshake: treeshakeTo(registeredBy[element]) }),
    plugins: [
      ...(element ? [only(element), withoutEffects(root)] : []),
      ...inlined(entry, element),
      ...withoutCdnParts(root),
      withoutReasons,
      ...(element ? [] : [neighbors(at(file))]), // where one element is, its own styles
      literals(),
      ...source(),
      oneScript(folder, entry),
    ],
    output: {
      format: 'cjs',
      strict: false, // once for all, in singleFile
      esModule: false,
      minifyInternalExports: true,
      exports: 'named',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    },
  };
};

/** A script of a package, made as the CDN scripts are. `folder` has the parts of the library. */
export const packageScript = single;

/**
 * In waves. Files of one wave are built in parallel, and later waves contain hashes or texts of earlier ones.
 * @param folder where the outputs are written
 */
export const configurations = (folder) => [
  Object.keys(writer).map((name) => () => writerScript(name)),
  [
    () => partScript(gpuPart),
    ...Object.keys(cdnParts).map((name) => () => partScript(cdnPart(name))),
    workerScript,
    ...Object.keys(later).map((name) => () => laterScript(folder, name)),
  ],
  [
    () => esm(folder),
    ...Object.entries(cdn).map(
      ([entry, file]) =>
        () =>
          single(folder, entry, file),
    ),
  ],
  [() => withLit(folder)],
];
