// One name for one capability: what assembly/<folder>/median-5.ts, glsl/<folder>/median.frag and
// test/<folder>/median.test.ts hold belongs to src/<folder>/median.ts, whose name theirs begins with (whole words, by
// dashes). A folder of src/ counts as a name, too; median.gpu.ts has the name median. The reference of a stage is
// test/reference/median.ts, or test/reference/faces-cascade.ts for src/faces/cascade.ts.
// tools/misnamed.json lists what does not keep to it yet; the list only shrinks.
//   node tools/check-names.mjs --write     takes out of the list what keeps to the rule now, and what is gone
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { filesBelow } from './fingerprint.mjs';

const listFile = 'tools/misnamed.json';
/** Tests named after what they look at in a whole folder. */
const kindsOfTest = ['calls', 'engine', 'faults', 'golden', 'gpu', 'threads'];

const nameOf = (file) => path.posix.basename(file).split('.')[0];
const belongs = (name, names) => names.has(name) || [...names].some((one) => name.startsWith(`${one}-`));

/** The names of files and folders below each folder of src/. */
function sourceNames(root) {
  const folders = new Map();
  for (const file of filesBelow(root, ['src'])) {
    const [, folder, ...rest] = file.split('/');
    if (!rest.length) continue;
    if (!folders.has(folder)) folders.set(folder, new Set());
    for (const part of rest) folders.get(folder).add(nameOf(part));
  }
  for (const names of folders.values()) names.delete('index');
  return folders;
}

/** What the rule says of a file: null where it says nothing, else whether the file keeps to it. */
function judge(file, folders) {
  const [top, folder, ...rest] = file.split('/');
  if (!rest.length) return null;
  const name = nameOf(file);
  if (top === 'test' && folder === 'reference')
    return (
      ['index', 'image'].includes(name) ||
      [...folders].some(
        ([one, names]) =>
          name === one ||
          belongs(name, names) ||
          (name.startsWith(`${one}-`) && belongs(name.slice(one.length + 1), names)),
      )
    );
  if (!folders.has(folder)) return null;
  const kernel = top === 'assembly' && file.endsWith('.ts') && name !== 'index';
  const shader = top === 'glsl' && /\.(frag|vert)$/.test(file);
  const test = top === 'test' && file.endsWith('.test.ts') && !kindsOfTest.includes(name);
  if (!kernel && !shader && !test) return null;
  // A file in a folder of its own belongs to what the folder is named after.
  return [name, ...rest.slice(0, -1)].some((one) => belongs(one, folders.get(folder)));
}

/** Files under the rule by what holds them: { count, kept, misnamed }. */
export function names(root) {
  const folders = sourceNames(root);
  const found = {};
  for (const file of filesBelow(root, ['assembly', 'glsl', 'test'])) {
    const keeps = judge(file, folders);
    if (keeps === null) continue;
    const top = (found[file.split('/')[0]] ??= { count: 0, kept: 0, misnamed: [] });
    top.count++;
    if (keeps) top.kept++;
    else top.misnamed.push(file);
  }
  return found;
}

/** Lines to print: new misnamed files, and those of the list that are named well or gone. */
export function violations(root, list) {
  const misnamed = new Set(Object.values(names(root)).flatMap((top) => top.misnamed));
  return [
    ...[...misnamed]
      .filter((file) => !list.includes(file))
      .map((file) => `${file}: src/${file.split('/')[1]}/ has no file that its name begins with`),
    ...list
      .filter((file) => !misnamed.has(file))
      .map((file) => `${file}: named well or gone; node tools/check-names.mjs --write takes it out of the list`),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
  const file = path.join(root, listFile);
  let list = JSON.parse(readFileSync(file, 'utf8'));
  if (process.argv.includes('--write')) {
    const misnamed = new Set(Object.values(names(root)).flatMap((top) => top.misnamed));
    list = list.filter((one) => misnamed.has(one));
    writeFileSync(file, `${JSON.stringify(list, null, 2)}\n`);
  }
  const lines = violations(root, list);
  for (const line of lines) console.log(line);
  const counts = Object.entries(names(root)).map(([top, { count, kept }]) => `${top}/ ${kept} of ${count}`);
  console.log(`named after what they belong to: ${counts.join(', ')}`);
  if (lines.length) process.exitCode = 1;
}
