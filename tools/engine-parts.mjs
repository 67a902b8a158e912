// Parts of the engine (src/runtime/engine-parts.ts): what scripts have in their place, and the files themselves.
//   gpu.js        in every build: `*.gpu.ts`, and what owns the context, its textures and passes
//   extras.js     in the CDN scripts, which have no room for it: what few pages need
//   face-search.js, vessel-search.js   in the CDN scripts as well: what one capability needs
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import { parseAst } from 'rollup/parseAst';
import { filesBelow } from './fingerprint.mjs';

/** The file with the kernels of a CDN script, which every page loads with it. */
export const kernelsOf = (script) => script.replace('.cdn.js', '.kernels.js');

const isGpu = (file) => /(\.gpu\.ts|^src\/runtime\/gpu\/[\w-]+\.ts)$/.test(file);
const files = (folder, names) => names.map((name) => `src/${folder}/${name}.ts`);
/** Files of the parts that only the CDN scripts have. */
export const cdnParts = {
  extras: [
    ...files('faces', ['landmarks', 'network-detector', 'network-landmarks', 'upright']),
    ...files('models', ['dlib-landmarks', 'landmarks', 'network', 'opencv-cascade']),
    ...files('network', ['layout', 'run']),
    ...files('pupil', ['hough/hough', 'second/opinion', 'starburst/starburst', 'threshold/threshold']),
    ...files('vessels/learned', ['artery-odds', 'network-response']),
  ],
  'face-search': files('faces', [
    ...['cascade-search', 'cascade-table', 'confirmation', 'detector', 'grouping', 'judge'],
    'variance-map',
  ]),
  'vessel-search': [
    ...files('vessels/lines', ['maximum', 'response', 'scale', 'table']),
    ...files('vessels/retina', ['disc', 'fovea', 'small-picture', 'strands']),
    ...files('vessels/segment', [
      'binarize',
      'blocks',
      'bright-areas',
      'confidence',
      'contrast',
      'field-of-view',
      'find-vessels',
    ]),
    ...files('vessels/segment', ['full-size', 'measures', 'middle-line', 'profile-lines', 'trace', 'working-plane']),
  ],
};
/** Asked for before the GPU part is loaded: whether there is graphics hardware. */
const small = ['src/runtime/gpu/gpu-context.ts'];
const passes = 'src/runtime/gpu/pass.ts';
const parts = 'src/runtime/engine-parts.ts';
/** Shared by a part and its script, as src/runtime/engine-parts.ts names them. */
const shared = {
  'src/runtime/error.ts': 'error',
  'src/runtime/plane.ts': 'plane',
  'src/runtime/scope.ts': 'scope',
  'src/runtime/wasm/kernel-step.ts': 'kernelStep',
  [parts]: 'parts',
};

const nameOf = (root, id) => path.relative(root, id).replaceAll('\\', '/');
const targetOf = (id, importer) => path.resolve(path.dirname(importer), id);

const isFunction = (node) => /^(Arrow)?Function(Declaration|Expression)$/.test(node?.type);

/** Names that a module exports, types left out: of functions, and of everything else. */
async function exportsOf(file) {
  const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'ts', target: 'es2022' });
  const all = parseAst(code).body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return [];
    const { declaration, specifiers } = node;
    if (!declaration) return specifiers.map(({ exported }) => [exported.name, false]);
    if (declaration.id) return [[declaration.id.name, isFunction(declaration)]];
    return declaration.declarations.map(({ id, init }) => [id.name, isFunction(init)]);
  });
  return [true, false].map((wanted) => all.filter(([, is]) => is === wanted).map(([name]) => name));
}

/**
 * Bindings in place of a part's modules, which are filled when it is loaded. Functions have a name of their own: minifiers read a
 * variable before the arguments of a call, even where one of them waits for the part.
 */
const without = (root, file, has) => ({
  name: `without-${file}`,
  resolveId(id, importer) {
    if (!importer || importer.startsWith('\0') || !id.startsWith('.')) return null;
    const target = targetOf(id, importer);
    return has(nameOf(root, target)) ? `\0${file}:${target}` : null;
  },
  async load(id) {
    const prefix = `\0${file}:`;
    if (!id.startsWith(prefix)) return null;
    const target = id.slice(prefix.length);
    const [functions, others] = await exportsOf(target);
    return {
      code: `import { partModule } from ${JSON.stringify(path.join(root, parts))};
let loaded;
${functions.map((name) => `export function ${name}(...given) { return loaded.${name}(...given); }`).join('\n')}
${others.map((name) => `export let ${name};`).join('\n')}
partModule('${file}', ${JSON.stringify(nameOf(root, target))}, (module) => {
  loaded = module;
  ${others.length ? `({ ${others.join(', ')} } = module);` : ''}
});`,
      moduleSideEffects: true,
      map: { mappings: '' },
    };
  },
});

/** A pass beside its stage is known to the GPU part by its name, and its shaders have no text in a script. */
const withoutPasses = (root) => ({
  name: 'without-passes',
  resolveId(id, importer) {
    if (!importer || importer.startsWith('\0') || !id.startsWith('.')) return null;
    const name = nameOf(root, targetOf(id, importer));
    if (/\.(frag|vert|glsl)$/.test(name)) return '\0no-shader';
    return name === passes ? '\0no-passes' : null;
  },
  load: (id) =>
    id === '\0no-shader'
      ? 'export default "";'
      : id === '\0no-passes'
        ? 'export const definePass = ({ name }) => ({ name });'
        : null,
});

export const withoutGpu = (root) => [
  withoutPasses(root),
  without(root, 'gpu.js', (name) => isGpu(name) && !small.includes(name)),
];
/** `own`: the part whose modules stay. */
export const withoutCdnParts = (root, own) =>
  Object.entries(cdnParts)
    .filter(([part]) => part !== own)
    .map(([part, names]) => without(root, `${part}.js`, (name) => names.includes(name)));

/** The part itself: a function of what it shares with a script, which gives its modules by name. */
const part = (root, name, files) => ({
  name: `part-${name}`,
  options: (options) => ({ ...options, input: { [name]: '\0part-entry' } }),
  resolveId(id, importer) {
    if (id === '\0part-entry') return id;
    const target = path.isAbsolute(id) ? id : importer && id.startsWith('.') ? targetOf(id, importer) : null;
    const known = target && shared[nameOf(root, target)];
    return known ? { id: `shared:${known}`, external: true } : null;
  },
  load: (id) =>
    id === '\0part-entry'
      ? files
          .map((file, i) => `import * as m${i} from ${JSON.stringify(path.join(root, file))};`)
          .concat(`export default { ${files.map((file, i) => `${JSON.stringify(file)}: m${i}`).join(', ')} };`)
          .join('\n')
      : null,
  renderChunk: (code) => ({
    code: `export default ($shared) => {\nconst require = (name) => $shared[name.slice(7)];\nlet module = {};\n${code}\nreturn module.exports;\n};`,
    map: null,
  }),
});

export function gpuPart(root) {
  const draws = (file) => /from '[^']*\.(frag|vert)'/.test(readFileSync(path.join(root, file), 'utf8'));
  const files = filesBelow(root, ['src'], (file) => file.endsWith('.ts') && (isGpu(file) || draws(file)));
  return [part(root, 'gpu', files)];
}

export const cdnPart = (name) => (root) => [
  part(root, name, cdnParts[name]),
  ...withoutCdnParts(root, name),
  ...withoutGpu(root),
];

/** Text of the files that a script's placeholders (their ids) stand for, and of what these import and a script lacks. */
export function partSources(ids) {
  const texts = new Map();
  const add = (file, all) => {
    if (texts.has(file)) return;
    const text = readFileSync(file, 'utf8');
    texts.set(file, text);
    for (const [, other] of text.matchAll(/^import (?!type)[^;]*?from '(\.[^']*\.ts)';/gm))
      if (all || other.endsWith('.gpu.ts')) add(path.resolve(path.dirname(file), other), all);
  };
  for (const id of ids) {
    const [, name, file] = /^\0([\w-]+)\.js:(.*)$/.exec(id) ?? [];
    if (file) add(file, name !== 'gpu');
  }
  return [...texts.values()].join('\n');
}
