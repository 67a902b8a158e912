// Promises that nobody waits for (eslint.promises.config.js), in all that tsconfig.json holds. Types cost half a minute,
// so a file is looked at again only when it, or a file that it reaches through its imports, is other than last time.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';
import { filesBelow, writeWhole } from './fingerprint.mjs';
import { importGraph } from './import-graph.mjs';
import { root } from './setup.mjs';

const memory = path.join(root, 'build/check/promises.json');
const hashOf = (...texts) => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 32);
};
const read = (file) => readFileSync(path.join(root, file), 'utf8');

function typedFiles() {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const relative = fileNames.map((file) => path.relative(root, file).split(path.sep).join('/'));
  return relative.filter((file) => !/\.d\.m?ts$/.test(file));
}

/** For each file a hash of itself and of all that it reaches. */
function hashes(files) {
  const folders = [...new Set(files.map((file) => file.split('/')[0]))];
  const graph = importGraph(root, folders);
  // What every file depends on without an import of it.
  const everywhere = [
    ...filesBelow(root, folders, (file) => file.endsWith('.d.ts') || file.endsWith('.d.mts')),
    ...['tsconfig.json', 'eslint.promises.config.js', 'package-lock.json', 'tools/check-promises.mjs'],
  ];
  const base = hashOf(...everywhere.map(read));
  const own = new Map([...graph.keys()].map((file) => [file, hashOf(file, read(file))]));
  return new Map(
    files.map((file) => {
      const reached = new Set([file]);
      for (const one of reached) for (const { to } of graph.get(one) ?? []) if (to && graph.has(to)) reached.add(to);
      return [file, hashOf(base, ...[...reached].sort().map((one) => own.get(one) ?? one))];
    }),
  );
}

const now = hashes(typedFiles());
const before = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : {};
const changed = [...now].filter(([file, hash]) => before[file] !== hash).map(([file]) => file);
if (changed.length) {
  const eslint = new ESLint({ cwd: root, overrideConfigFile: 'eslint.promises.config.js' });
  const results = await eslint.lintFiles(changed);
  const wrong = results.filter(({ messages }) => messages.length);
  for (const { filePath } of wrong) now.delete(path.relative(root, filePath).split(path.sep).join('/'));
  writeWhole(memory, JSON.stringify(Object.fromEntries(now)));
  if (wrong.length) {
    console.log((await (await eslint.loadFormatter('stylish')).format(results)).trim());
    process.exitCode = 1;
  }
}
