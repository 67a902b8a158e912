// dist/assets.js: the text of src/runtime/engine/asset-files.ts as it is shipped, one static `new URL('./file', import.meta.url)`
// for every file. Bundlers find a file by exactly this text; anything computed is lost. The worker's script needs nothing
// beside it, so it is carried along as it is: within `new Worker(new URL(...), ...)` no Trusted Types policy could pass it.

/** The name of the module: whether it is served under this name tells whether the files beside it are. */
export const assetsModule = 'assets.js';

/**
 * @param models  names of the shipped models
 * @param hashes  of the files, by name
 * @param inside  modules that have these files inside: { kernels, worker, models: { name: path } }, of the models those that are small; without, there are none
 */
export function shippedAssetFiles({ models, inside, hashes = {} }) {
  const url = (file) => `new URL('./${file}', import.meta.url)`;
  const entries = (list, value) => list.map((name) => `  ${JSON.stringify(name)}: () => ${value(name)},`).join('\n');
  const load = (file) => `import(${JSON.stringify(file)}).then(({ default: load }) => load())`;
  return `// A bare import.meta.url: webpack writes the address on the machine that builds in its place, so it gets none.
const here = () => (typeof __webpack_require__ === 'function' ? '' : String(import.meta.url ?? ''));
const text = (make) => {
  try {
    return String(make());
  } catch {
    return ''; // a bundle that is no module has no address
  }
};
const kernels = () => ${url('kernels.wasm')};
const gpu = () => ${url('gpu.js')};
const models = {
${entries(models, (name) => url(`models/${name}.bin`))}
};
export const assetFiles = {
  kernels: () => text(kernels),
  models: Object.keys(models),
  model: (name) => text(models[name]),
  gpu: () => text(gpu),
  startWorker: (trusted) => new Worker(trusted(${url('worker.js')}.href), { type: 'module', name: 'foveola-worker' }),
  // A bundler that carries files along gives them names of its own; else this module must lie where it was built.
  carried: () => {
    const path = text(kernels).replace(/[?#].*/, '');
    return path !== '' && (!path.endsWith('/kernels.wasm') || /\\/${assetsModule.replace('.', '\\.')}$/.test(here().replace(/[?#].*/, '')));
  },
  hashes: ${JSON.stringify(hashes)},
  inside: ${
    inside
      ? `{
    kernels: () => ${load(inside.kernels)},
    worker: () => ${load(inside.worker)},
    model: (name) => insideModels[name]?.(),
  }`
      : 'null'
  },
};
${inside ? `const insideModels = {\n${entries(Object.keys(inside.models), (name) => load(inside.models[name]))}\n};\n` : ''}`;
}
