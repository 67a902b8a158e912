// Type declarations of the package: tsc writes one file a module into build/types, rollup-plugin-dts makes them one file
// an entry of package.json "exports" and two that are shared (the library's types, the elements' types). A user's
// compiler reads a third of the text, and no type of a package that is bundled here is asked for.
import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import path from 'node:path';
import { filesBelow, writeWhole } from './fingerprint.mjs';
import { root } from './setup.mjs';

const run = promisify(execFile);
const at = (...parts) => path.join(root, ...parts);
const declared = (source) => at('build/types', source.replace(/\.ts$/, '.d.ts'));

async function writeDeclarations() {
  rmSync(at('build/types'), { recursive: true, force: true });
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  try {
    await run(process.execPath, [tsc, '-p', at('tsconfig.build.json')], { cwd: root });
  } catch (error) {
    throw new Error(`tsc: the declarations were not written\n${error.stdout}`, { cause: error });
  }
}

/** The entries with types: what package.json exports, not what is only loaded by other files of ours. */
export function typedEntries(entries) {
  const exported = (name) =>
    ['foveola', 'node', 'reports', 'elements'].includes(name) || /^(elements|strings)\//.test(name);
  return Object.fromEntries(Object.entries(entries).filter(([name]) => exported(name)));
}

// elements/pupil.ts registers the class of elements/pupil.component.ts. Its declaration stays a file of its own: who
// imports it has that one tag, not all five.
const isRegistration = (name) => /^elements\/[^.]+$/.test(name);
const asShipped = (text) => text.replace(/(['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2');
const registers = /^export .* from '\.\/(\w+)\/\1\.ts';\n/gm;

/** The declaration of `foveola/elements`, and of what it exports beside the elements. */
function splitElements(source) {
  const text = readFileSync(declared(source), 'utf8');
  const types = declared('widget/element-types.ts');
  writeWhole(types, text.replace(registers, ''));
  const tags = text
    .match(registers)
    .join('')
    .replace(/from '\.\/\w+\//g, "from './elements/");
  return { types, text: `${asShipped(tags)}export * from './types/elements.js';\n` };
}

/** Two spaces a level, as in the sources, where the compiler writes four. */
const narrow = (code) => code.replace(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2));

async function bundleDeclarations(entries) {
  const { rollup } = await import('rollup');
  const { dts } = await import('rollup-plugin-dts');
  const { elements: all, ...others } = entries;
  const elements = splitElements(all);
  const names = Object.keys(others);
  const bundled = names.filter((name) => !isRegistration(name));
  const input = { 'types/elements': elements.types };
  for (const name of bundled) input[name] = declared(entries[name]);
  const inputs = Object.values(input);
  const bundle = await rollup({
    input,
    preserveEntrySignatures: 'strict',
    external: /^(lit|@lit)(\/|$)/,
    plugins: [dts()],
    onwarn(warning) {
      if (/private shared type exports/.test(warning.message)) return; // they need no name of their own
      throw new Error(`declarations: ${warning.message}`);
    },
  });
  const { output } = await bundle.generate({
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames: ({ name }) => `types/${name.replace(/\.d$/, '')}.d.ts`,
    hoistTransitiveImports: false,
    manualChunks: (id) => {
      if (inputs.includes(id)) return undefined; // an entry says only what it exports
      return id.startsWith(at('build/types/src')) ? 'library' : 'parts';
    },
  });
  await bundle.close();
  const files = output.map(({ fileName, code }) => [fileName, narrow(code)]);
  files.push(['elements.d.ts', elements.text]);
  for (const name of names.filter(isRegistration))
    files.push([`${name}.d.ts`, asShipped(readFileSync(declared(entries[name]), 'utf8'))]);
  return files;
}

/** Writes dist/**\/*.d.ts of the given entries (name to source file) and removes those of an earlier build. */
export async function buildTypes(entries) {
  await writeDeclarations();
  const files = await bundleDeclarations(typedEntries(entries));
  for (const old of filesBelow(root, ['dist'], (file) => file.endsWith('.d.ts'))) rmSync(at(old));
  for (const empty of ['dist/types/src', 'dist/types/widget']) rmSync(at(empty), { recursive: true, force: true });
  for (const [file, text] of files) writeWhole(at('dist', file), text);
  return files.map(([file]) => `dist/${file}`).sort();
}
