// What is bundled of other packages with changes of ours: patches/<package>-<version>.patch, unified diffs of the package's
// files, applied to their text as it is bundled (rollup) or served (browser tests). node_modules stays as npm left it. A
// package of another version, or text that a patch does not fit, is an error: the patch is then to be made again.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => path.join(root, ...parts);

/** Hunks of a unified diff by file: [{ line, before: [lines], after: [lines] }]. */
export function hunksOf(diff) {
  const files = {};
  let hunks;
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) hunks = files[line.slice('+++ b/'.length)] = [];
    else if (line.startsWith('@@')) hunks.push({ line: Number(/^@@ -(\d+)/.exec(line)[1]), before: [], after: [] });
    else if (/^[ +-]/.test(line) && !line.startsWith('--- ')) {
      if (line[0] !== '+') hunks.at(-1).before.push(line.slice(1));
      if (line[0] !== '-') hunks.at(-1).after.push(line.slice(1));
    }
  }
  return files;
}

/** `text` with the hunks; throws where one does not fit exactly. */
export function patched(text, hunks, name) {
  const lines = text.split('\n');
  let shift = 0;
  for (const { line, before, after } of hunks) {
    const start = line - 1 + shift;
    if (lines.slice(start, start + before.length).join('\n') !== before.join('\n'))
      throw new Error(
        `${name}: the patch does not fit at line ${line}; make it again for the version that is installed`,
      );
    lines.splice(start, before.length, ...after);
    shift += after.length - before.length;
  }
  return lines.join('\n');
}

/** Of each patched package its name, and its patched files by their path in the package. */
const patches = readdirSync(at('patches')).map((file) => {
  const [, name, version] = /^(.+)-(\d[\d.]*)\.patch$/.exec(file);
  const installed = JSON.parse(readFileSync(at('node_modules', name, 'package.json'), 'utf8')).version;
  if (installed !== version)
    throw new Error(`patches/${file}: version ${installed} of ${name} is installed; make the patch again for it`);
  return { name, files: hunksOf(readFileSync(at('patches', file), 'utf8')) };
});

/** The patched text of a module, or null for one that has no patch. */
export function patchedModule(id, text) {
  const place = id.replaceAll('\\', '/').replace(/[?#].*/, '');
  for (const { name, files } of patches) {
    const [, file] = place.split(`/node_modules/${name}/`);
    if (file && Object.hasOwn(files, file)) return patched(text, files[file], `${name}/${file}`);
  }
  return null;
}

export const rollupPatches = () => ({
  name: 'patches',
  transform(code, id) {
    const text = patchedModule(id, code);
    return text === null ? null : { code: text, map: null };
  },
});

/** For web-test-runner. */
export const webPatches = () => ({
  name: 'patches',
  transform({ path: place, body }) {
    const text = typeof body === 'string' ? patchedModule(place, body) : null;
    return text === null ? undefined : { body: text };
  },
});
