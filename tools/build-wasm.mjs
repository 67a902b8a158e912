// Builds the kernels twice from one source: single-thread and shared-memory (design: idea 4).
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { fingerprint, isFresh, writeWhole } from './fingerprint.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const inputs = ['assembly', 'asconfig.json', 'tools/build-wasm.mjs', 'node_modules/assemblyscript/package.json'];
const stamp = 'dist/.stamps/kernels';
const builds = [
  { config: 'asconfig.json', target: 'single', output: 'dist/kernels.st.wasm' },
  { config: 'asconfig.json', target: 'threads', output: 'dist/kernels.mt.wasm' },
];

/** Of two kernels with one name AssemblyScript keeps one without a word. */
function refuseNamesakes(entry) {
  const homes = new Map();
  const claim = (names, file) => {
    for (const name of names) {
      if (homes.has(name)) throw new Error(`Two kernels are called ${name}: in ${file} and in ${homes.get(name)}.`);
      homes.set(name, file);
    }
  };
  const visit = (file) => {
    const text = readFileSync(file, 'utf8');
    claim(
      Array.from(text.matchAll(/^export function (\w+)/gm), ([, name]) => name),
      file,
    );
    for (const [, names] of text.matchAll(/^export \{([^}]+)\} from/gm)) claim(names.match(/\w+/g), file);
    for (const [, target] of text.matchAll(/^export \* from '(.+)'/gm))
      visit(path.resolve(path.dirname(file), `${target}.ts`));
  };
  visit(entry);
}

/** Returns whether anything had to be built. */
export async function buildWasm({ force = false } = {}) {
  const print = fingerprint(root, inputs);
  if (
    !force &&
    isFresh(
      root,
      stamp,
      print,
      builds.map(({ output }) => output),
    )
  )
    return false;
  refuseNamesakes(path.join(root, 'assembly/index.ts'));
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  const scratch = mkdtempSync(path.join(root, 'dist/.kernels-')); // two builds at a time do not meet
  const { default: asc } = await import('assemblyscript/asc');
  try {
    for (const { config, target, output } of builds) {
      const file = path.join(scratch, 'kernels.wasm');
      const { error, stderr } = await asc.main([
        '--config',
        path.join(root, config),
        '--target',
        target,
        '--baseDir',
        root,
        '--outFile',
        path.relative(root, file),
      ]);
      if (error) throw new Error(`AssemblyScript, target ${target}: ${error.message}\n${stderr}`);
      writeWhole(path.join(root, output), readFileSync(file));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  writeWhole(path.join(root, stamp), print);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log((await buildWasm({ force: process.argv.includes('--force') })) ? 'kernels built' : 'kernels up to date');
