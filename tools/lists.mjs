// Lists that nobody keeps by hand, written by the build from what the files define: everything that the engine can do
// (src/capabilities.ts), every stage (src/stages.ts) every reference of the tests (test/reference/index.ts)
// and every fragment shader (test/parity/shaders.ts).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeBorder } from './kernel-border.mjs';
import { filesBelow, writeWhole } from './fingerprint.mjs';

const head = '// Written by tools/lists.mjs. Do not edit: what a file defines is found by the build.\n';

/** Files below a folder in which `pattern` names something, with the names; those of the CDN scripts stand for others. */
function found(root, folder, pattern) {
  return filesBelow(root, [folder], (name) => name.endsWith('.ts') && !name.endsWith('.cdn.ts'))
    .map((file) => [
      file,
      Array.from(readFileSync(path.join(root, file), 'utf8').matchAll(pattern), ([, name]) => name),
    ])
    .filter(([, names]) => names.length);
}

const near = (file, folder) => `./${path.posix.relative(folder, file)}`;

/** What importing makes the engine able to do, and the types of its methods. */
export function capabilitiesText(root) {
  const operations = found(root, 'src', /^export const (\w+) = defineOperations\(/gm);
  const trackers = found(root, 'src', /^export const (\w+) = defineTrackers\(/gm);
  const all = [...operations, ...trackers].sort();
  const typed = (list) => list.flatMap(([, names]) => names.map((name) => `typeof ${name}`)).join(' & ');
  return `${head}${all.map(([file]) => `import '${near(file, 'src')}';\n`).join('')}${all
    .map(([file, names]) => `import type { ${names.join(', ')} } from '${near(file, 'src')}';\n`)
    .join('')}
/** Everything that this build can do: importing registers it, and these types make the type of the engine (api.ts). */
export type Operations = ${typed(operations)};
export type Trackers = ${typed(trackers)};
`;
}

/** Files in src/ that define operations which give this (see Operation.gives), as src/ names them. */
export const filesGiving = (root, what) =>
  found(root, 'src', new RegExp(`\\bgives: '(${what})'`, 'g'))
    .map(([file]) => path.posix.relative('src', file))
    .filter((file) => file !== 'runtime/capability.ts');

/** For tests: imports every stage there is. */
export const stagesText = (root) =>
  `${head}${found(root, 'src', /\bdefineStage(\()\s*[{<]/g)
    .filter(([file]) => !file.startsWith('src/runtime/'))
    .map(([file]) => `import '${near(file, 'src')}';\n`)
    .join('')}`;

/** One map of references out of those of the files. */
export function referencesText(root) {
  const files = found(root, 'test/reference', /^export const (references)\b/gm).filter(
    ([file]) => !file.endsWith('/index.ts'),
  );
  return `${head}import type { Reference } from './image.ts';
${files.map(([file], i) => `import { references as r${i} } from '${near(file, 'test/reference')}';\n`).join('')}
/** One reference a stage, by the stage's name. Never shipped. */
export const references: Readonly<Record<string, Reference>> = { ${files.map((_, i) => `...r${i}`).join(', ')} };
`;
}

/** Every fragment shader with its text, so that a test finds those that no stage draws. */
export function shadersText(root) {
  const files = filesBelow(root, ['glsl'], (name) => name.endsWith('.frag'));
  return `${head}${files.map((file, i) => `import s${i} from '../../${file}';\n`).join('')}
export const shaders: Readonly<Record<string, string>> = {
${files.map((file, i) => `  '${file}': s${i},\n`).join('')}};
`;
}

/** Writes what the build writes into the tree: these lists and the border to WASM. */
export function writeGenerated(root) {
  const written = {
    'src/capabilities.ts': capabilitiesText(root),
    'src/stages.ts': stagesText(root),
    'test/reference/index.ts': referencesText(root),
    'test/parity/shaders.ts': shadersText(root),
  };
  for (const [file, text] of Object.entries(written)) {
    let old = '';
    try {
      old = readFileSync(path.join(root, file), 'utf8');
    } catch {
      // not yet written
    }
    if (old !== text) writeWhole(path.join(root, file), text);
  }
  return writeBorder(root);
}

if (process.argv[1] === import.meta.filename) writeGenerated(path.resolve(import.meta.dirname, '..'));
