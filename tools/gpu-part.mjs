// The GPU half as a part of its own (src/runtime/gpu-part.ts): what the scripts have in its place, and dist/gpu.js.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import { parseAst } from 'rollup/parseAst';
import { filesBelow } from './fingerprint.mjs';

/** Files of the half: `*.gpu.ts`, and what owns the context, its textures and passes. */
const isGpu = (file) => /(\.gpu\.ts|^src\/runtime\/gpu\/[\w-]+\.ts)$/.test(file);
/** Asked for before the half is loaded: whether there is graphics hardware. */
const small = ['src/runtime/gpu/gpu-capabilities.ts', 'src/runtime/gpu/gpu-context.ts'];
const passes = 'src/runtime/gpu/pass.ts';
/** Shared by both halves, as src/runtime/gpu-part.ts names them. */
const shared = {
  'src/runtime/error.ts': 'error',
  'src/runtime/plane.ts': 'plane',
  'src/runtime/scope.ts': 'scope',
  'src/runtime/wasm/kernel-step.ts': 'kernelStep',
};

const nameOf = (root, id) => path.relative(root, id).replaceAll('\\', '/');
const targetOf = (id, importer) => path.resolve(path.dirname(importer), id);

/** Names that a module exports, types left out. */
async function exportsOf(file) {
  const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'ts', target: 'es2022' });
  return parseAst(code).body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return [];
    const { declaration, specifiers } = node;
    if (!declaration) return specifiers.map(({ exported }) => exported.name);
    return declaration.id ? [declaration.id.name] : declaration.declarations.map(({ id }) => id.name);
  });
}

/** In a script: bindings that are filled when the half is loaded; shaders have no text. */
export const withoutGpu = (root) => ({
  name: 'without-gpu',
  resolveId(id, importer) {
    if (!importer || importer.startsWith('\0') || !id.startsWith('.')) return null;
    const file = targetOf(id, importer);
    const name = nameOf(root, file);
    if (/\.(frag|vert|glsl)$/.test(name)) return '\0no-shader';
    if (name === passes) return '\0no-passes';
    return isGpu(name) && !small.includes(name) ? `\0gpu:${file}` : null;
  },
  async load(id) {
    if (id === '\0no-shader') return 'export default "";';
    // A pass beside its stage is known to the half by its name.
    if (id === '\0no-passes') return 'export const definePass = ({ name }) => ({ name });';
    if (!id.startsWith('\0gpu:')) return null;
    const file = id.slice('\0gpu:'.length);
    const names = await exportsOf(file);
    const part = JSON.stringify(path.join(root, 'src/runtime/gpu-part.ts'));
    return {
      code: `import { gpuModule } from ${part};
export let ${names.join(', ')};
gpuModule(${JSON.stringify(nameOf(root, file))}, (module) => void ({ ${names.join(', ')} } = module));`,
      moduleSideEffects: true,
      map: { mappings: '' },
    };
  },
});

/** The half itself: a function of what it shares with a script, which gives its modules by name. */
export const gpuPart = (root) => ({
  name: 'gpu-part',
  options: (options) => ({ ...options, input: { gpu: '\0gpu-entry' } }),
  resolveId(id, importer) {
    if (id === '\0gpu-entry') return id;
    const name = importer && id.startsWith('.') ? nameOf(root, targetOf(id, importer)) : '';
    return name in shared ? { id: `shared:${shared[name]}`, external: true } : null;
  },
  load(id) {
    if (id !== '\0gpu-entry') return null;
    const draws = (file) => /from '[^']*\.(frag|vert)'/.test(readFileSync(path.join(root, file), 'utf8'));
    const files = filesBelow(root, ['src'], (file) => file.endsWith('.ts') && (isGpu(file) || draws(file)));
    return files
      .map((file, i) => `import * as m${i} from ${JSON.stringify(path.join(root, file))};`)
      .concat(`export default { ${files.map((file, i) => `${JSON.stringify(file)}: m${i}`).join(', ')} };`)
      .join('\n');
  },
  renderChunk: (code) => ({
    code: `export default ($shared) => {\nconst require = (name) => $shared[name.slice(7)];\nlet module = {};\n${code}\nreturn module.exports;\n};`,
    map: null,
  }),
});

/** Text of the half's files that a script's modules (their ids) stand for, and of those that these import. */
export function gpuSources(ids) {
  const texts = new Map();
  const add = (file) => {
    if (texts.has(file)) return;
    const text = readFileSync(file, 'utf8');
    texts.set(file, text);
    for (const [, other] of text.matchAll(/from '(\.[^']*\.gpu\.ts)'/g)) add(path.resolve(path.dirname(file), other));
  };
  for (const id of ids) if (id.startsWith('\0gpu:')) add(id.slice('\0gpu:'.length));
  return [...texts.values()].join('\n');
}
