// Builds the kernels twice from one source: single-thread and shared-memory (design: idea 4).
// Up to date when both outputs are newer than every file below assembly/.
import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const newest = (folder) =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((e) => e.isFile())
      .map((e) => statSync(path.join(e.parentPath ?? e.path, e.name)).mtimeMs),
  );
const time = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

export async function buildWasm({ force = false } = {}) {
  const outputs = ['dist/kernels.st.wasm', 'dist/kernels.mt.wasm'].map((f) => path.join(root, f));
  const source = Math.max(newest(path.join(root, 'assembly')), time(path.join(root, 'asconfig.json')));
  if (!force && outputs.every((f) => time(f) > source)) return false;
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  const { default: asc } = await import('assemblyscript/asc');
  for (const target of ['single', 'threads']) {
    const { error, stderr } = await asc.main(['--target', target, '--baseDir', root]);
    if (error) throw new Error(`AssemblyScript, target ${target}: ${error.message}\n${stderr}`);
  }
  for (const [from, to] of [['kernels.single', 'kernels.st'], ['kernels.threads', 'kernels.mt']])
    renameSync(path.join(root, `dist/${from}.wasm`), path.join(root, `dist/${to}.wasm`));
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log((await buildWasm({ force: process.argv.includes('--force') })) ? 'kernels built' : 'kernels up to date');
