// The border to WASM, read from assembly/: every kernel with the names and types of its arguments, every record with the
// offsets of its fields. One description feeds the typed calls (src/runtime/wasm/kernel-calls.ts and records.ts, written by
// the build), the entry files of AssemblyScript and the table that goes into the modules.
//
// A kernel is an exported function that src/ calls as `.kernels.name(`. Its arguments, by name:
//   source, sourceStride   an image: one argument `source` with address and stride
//   y0, y1, scratch        rows: the runtime cuts them into bands; always the last three
//   scratch                memory to work in: `nameScratch(...)` beside the kernel tells how many bytes
// It returns a status (i32, 0: all went well) or, declared as `Value`, f32 or f64, a number for the caller.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { filesBelow, writeWhole } from './fingerprint.mjs';

const sizes = { u8: 1, i8: 1, u16: 2, i16: 2, i32: 4, u32: 4, f32: 4, usize: 4, f64: 8 };
const numbers = new Set(['i32', 'u32', 'f32', 'f64', 'usize', 'bool']);
const exported = (node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

/** The comment before a declaration. */
const commentOf = (text, node) =>
  (ts.getLeadingCommentRanges(text, node.pos) ?? [])
    .map(({ pos, end }) => text.slice(pos, end))
    .findLast((comment) => comment.startsWith('/**')) ?? '';

function kernelOf(file, text, node) {
  const name = node.name.text;
  const list = node.parameters.map((parameter) => ({
    name: parameter.name.text.replace(/^_/, ''),
    type: parameter.type.getText(),
  }));
  const returns = node.type?.getText() ?? 'void';
  if (list.some(({ type }) => !numbers.has(type)) || !['i32', 'Value', 'f32', 'f64'].includes(returns)) return null;
  const names = list.map((argument) => argument.name);
  const rows = names.slice(-3).join() === 'y0,y1,scratch';
  const scratch = names.at(-1) === 'scratch';
  const own = list.slice(0, list.length - (rows ? 3 : scratch ? 1 : 0));
  const args = [];
  for (const { name: argument, type } of own) {
    const image = argument.endsWith('Stride') ? argument.slice(0, -6) : '';
    const before = args.at(-1);
    if (image && before?.name === image && before.type === 'usize') before.image = true;
    else args.push({ name: argument, type, image: false });
  }
  return {
    name,
    file,
    args,
    rows,
    scratch,
    returns,
    flat: own.map((argument) => argument.name),
    comment: commentOf(text, node),
  };
}

function recordOf(file, text, node) {
  const fields = [];
  let at = 0;
  for (const member of node.members) {
    if (!ts.isPropertyDeclaration(member) || member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword))
      continue;
    const type = member.type.getText();
    const size = sizes[type];
    if (!size)
      throw new Error(`${file}: ${node.name.text}.${member.name.text} is ${type}; a record holds numbers only.`);
    at = Math.ceil(at / size) * size;
    fields.push({ name: member.name.text, type, offset: at });
    at += size;
  }
  return { name: node.name.text, file, fields, bytes: at, comment: commentOf(text, node) };
}

/** Kernels and records of a tree, by name. */
export function readBorder(root) {
  const kernels = new Map();
  const records = new Map();
  for (const file of filesBelow(root, ['assembly'], (name) => name.endsWith('.ts'))) {
    const text = readFileSync(path.join(root, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
    for (const node of source.statements) {
      if (!exported(node)) continue;
      if (ts.isFunctionDeclaration(node)) {
        const kernel = kernelOf(file, text, node);
        if (!kernel) continue;
        const other = kernels.get(kernel.name);
        if (other) kernels.set(kernel.name, { ...kernel, twice: [other.file, file] });
        else kernels.set(kernel.name, kernel);
      } else if (ts.isClassDeclaration(node) && /@unmanaged/.test(node.getText().slice(0, 400))) {
        const record = recordOf(file, text, node);
        const other = records.get(record.name);
        if (other) throw new Error(`Two records are called ${record.name}: in ${other.file} and ${file}.`);
        records.set(record.name, record);
      }
    }
  }
  return { kernels, records };
}

/** The kernels that the code calls, with those that tell their scratch. */
export function calledKernels({ kernels }, code) {
  const called = new Set(Array.from(code.matchAll(/\.kernels\.(\w+)/g), ([, name]) => name));
  const found = [...called].filter((name) => kernels.has(name));
  for (const name of found)
    if (kernels.get(name).scratch && kernels.has(`${name}Scratch`)) found.push(`${name}Scratch`);
  const list = [...new Set(found)].sort();
  for (const name of list) {
    const of = name.endsWith('Scratch') && kernels.get(name.slice(0, -7));
    const unknown = of && kernels.get(name).flat.find((argument) => !of.flat.includes(argument));
    if (unknown) throw new Error(`${name} reads '${unknown}', which '${of.name}' does not take.`);
  }
  for (const name of list)
    if (kernels.get(name).twice)
      throw new Error(`Two kernels are called ${name}: in ${kernels.get(name).twice.join(' and ')}.`);
  return list;
}

/** Kernels come by number, in the order of the table: their names are in the module once, and each scratch function in its kernel's row. */
const isScratch = (name) => name.endsWith('Scratch');
export const exportOf = (index, scratch = false) => (scratch ? 's' : 'k') + index.toString(36);

/** The file of a kernel, as an entry in the folder `from` imports it. */
export const fileFrom =
  ({ kernels }, from) =>
  (name) =>
    path.relative(from, kernels.get(name).file).replace(/\.ts$/, '');

/** The entry file of AssemblyScript for these kernels, each imported from `fileOf` its name. */
export const entryOf = (names, fileOf) => {
  const numbered = names.filter((name) => !isScratch(name));
  return names
    .map((name) => {
      const index = numbered.indexOf(isScratch(name) ? name.slice(0, -'Scratch'.length) : name);
      return `export { ${name} as ${exportOf(index, isScratch(name))} } from '${fileOf(name)}';\n`;
    })
    .join('');
};

/**
 * The table in the module, one line a kernel: name, arguments (an image ends with /), and what else it has: r rows, s
 * scratch, v a value; then, where a function tells its scratch, the arguments of the kernel that this one reads.
 */
export function tableOf({ kernels }, names) {
  const listed = ({ args }) => args.map((argument) => argument.name + (argument.image ? '/' : '')).join(' ');
  return names
    .filter((name) => !isScratch(name))
    .map((name) => {
      const kernel = kernels.get(name);
      const { rows, scratch, returns } = kernel;
      const flags = `${rows ? 'r' : ''}${scratch && !rows ? 's' : ''}${returns === 'i32' ? '' : 'v'}`;
      const ofScratch = names.includes(`${name}Scratch`) ? `:${listed(kernels.get(`${name}Scratch`))}` : '';
      return `${name}:${listed(kernel)}:${flags}${ofScratch}`;
    })
    .join('\n');
}

const leb = (value) => {
  const bytes = [];
  do bytes.push((value & 127) | (value > 127 ? 128 : 0));
  while ((value >>>= 7));
  return bytes;
};

/** The module with the table as its only custom section, at its end. */
export function withTable(wasm, table) {
  const kept = [wasm.subarray(0, 8)];
  for (let at = 8; at < wasm.length;) {
    const start = at;
    const id = wasm[at++];
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      size |= (wasm[at] & 127) << shift;
      if (wasm[at++] < 128) break;
    }
    at += size;
    if (id !== 0) kept.push(wasm.subarray(start, at));
  }
  const name = Buffer.from('kernels');
  const body = Buffer.concat([Buffer.from(leb(name.length)), name, Buffer.from(table)]);
  return Buffer.concat([...kept, Buffer.from([0, ...leb(body.length)]), body]);
}

const typeOf = ({ type, image }) => (image ? 'Image' : type === 'usize' ? 'Address' : 'Scalar');
const head = '// Written by tools/kernel-border.mjs from assembly/. Do not edit: change the kernel and build.\n';

/** The typed calls. */
export function callsText({ kernels }, names) {
  const lines = names
    .filter((name) => !name.endsWith('Scratch'))
    .map((name) => {
      const { args, rows, returns, comment, file } = kernels.get(name);
      const given = args.map((argument) => `readonly ${argument.name}: ${typeOf(argument)}`).join('; ');
      const answer = returns === 'i32' ? 'void' : 'number';
      return `  ${comment.replace(/\n/g, '\n  ') || `/** ${file} */`}\n  ${name}(given: ${given ? `{ ${given} }` : 'Record<string, never>'}${rows ? ', over: Rows' : ''}): Call<${answer}>;`;
    });
  return `${head}import type { Address, Call, Image, Rows, Scalar } from './kernel-step.ts';\n\nexport interface KernelCalls {\n${lines.join('\n')}\n}\n`;
}

/** The records' layouts, for src/runtime/wasm/record.ts. */
export function recordsText({ records }) {
  const lines = [...records.values()].map(({ name, fields, comment, file }) => {
    // A type holds for all that follow.
    const text = fields.map(({ name, type }, i) => (type === fields[i - 1]?.type ? name : `${type}:${name}`)).join(' ');
    const types = fields.map((field) => `'${field.name}'`).join(' | ');
    return `${comment || `/** ${file} */`}\nexport const ${name}Record = /* @__PURE__ */ defineRecord<${types}>('${text}');`;
  });
  return `${head}import { defineRecord } from './record.ts';\n\n${lines.join('\n\n')}\n`;
}

const codeOf = (root, folders) =>
  filesBelow(
    root,
    folders,
    (name) => /\.(ts|mjs)$/.test(name) && !/runtime\/wasm\/(kernel-calls|records)\.ts$/.test(name),
  )
    .map((name) => readFileSync(path.join(root, name), 'utf8'))
    .join('\n');

/** Which kernels go into the package, and which only tests call. */
export function kernelNames(root, border = readBorder(root)) {
  const shipped = calledKernels(border, codeOf(root, ['src']));
  const tests = calledKernels(border, codeOf(root, ['test', 'bench'])).filter((name) => !shipped.includes(name));
  return { shipped, tests };
}

/** Writes the typed calls and the layouts where they differ from what is there. */
export function writeBorder(root) {
  const border = readBorder(root);
  const { shipped, tests } = kernelNames(root, border);
  for (const [file, text] of [
    ['src/runtime/wasm/kernel-calls.ts', callsText(border, shipped)],
    ['src/runtime/wasm/records.ts', recordsText(border)],
  ]) {
    let old = '';
    try {
      old = readFileSync(path.join(root, file), 'utf8');
    } catch {
      // not yet written
    }
    if (old !== text) writeWhole(path.join(root, file), text);
  }
  return { border, shipped, tests };
}

if (process.argv[1] === import.meta.filename) writeBorder(path.resolve(import.meta.dirname, '..'));
