// Every page for a machine with a GPU in one folder, and its results kept: --pack FOLDER [--only NAME,NAME]
//   writes FOLDER/commit beside the pages, the commit that they are of; copy it to the logs
//   --keep LOGS --machine WORDS --browser WORDS --chip NAME [--write]: takes LOGS/<page>.log, what each page left in
//   window.__result, into lab/results/<page>-<chip>.json; with --write the pages of docs/ as well
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { argument, readLog } from '../bench/parts/kept-result.mjs';

const DOOR = {
  'wasm-1': ['--backend', 'wasm'],
  'gpu-1': ['--backend', 'gpu'],
  'auto-1': ['--backend', 'auto'],
  'wasm-4': ['--backend', 'wasm', '--threads', '4'],
  'wasm-8': ['--backend', 'wasm', '--threads', '8'],
  'auto-8': ['--backend', 'auto', '--threads', '8'],
};
/** By the name of a page: the benchmark that packs and prints it, and what that is to be given. */
const PAGES = {
  parity: ['bench/parity/hardware.mjs'],
  ...Object.fromEntries(Object.entries(DOOR).map(([name, args]) => [`door-${name}`, ['bench/door/index.mjs', args]])),
  auto: ['lab/door/auto.mjs'],
  ladder: ['lab/pupil/ladder.mjs'],
  depth: ['lab/pupil/depth.mjs'],
  edges: ['lab/edges/hardware.mjs'],
  faces: ['lab/faces/hardware.mjs'],
  flow: ['lab/flow/hardware.mjs'],
  inpaint: ['lab/inpaint/hardware.mjs'],
  objects: ['lab/objects/hardware.mjs'],
  rates: ['lab/rates/hardware.mjs'],
  vessels: ['lab/vessels/hardware.mjs'],
};
const benchOf = async (root, file) => (await import(pathToFileURL(path.join(root, file)).href)).default;
const isDoor = (name) => name.startsWith('door-');

const git = (root, ...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/** The commit that pages are made of: figures of files that no commit has could not be measured again. */
function commitOf(root) {
  const changed = git(
    root,
    'status',
    '--porcelain',
    '--untracked-files=no',
    '--',
    'src',
    'assembly',
    'glsl',
    'bench',
    'lab',
  );
  if (changed) throw new Error(`Commit these first:\n${changed}`);
  return git(root, 'rev-parse', '--short', 'HEAD');
}

async function pack(given, folder, names) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'commit'), `${commitOf(given.root)}\n`);
  for (const name of names) {
    const [file, args = []] = PAGES[name];
    const below = path.join(folder, name);
    mkdirSync(below, { recursive: true });
    await (
      await benchOf(given.root, file)
    )({ ...given, args: ['--pack', below, ...args], log: () => {} });
    given.log(`${below}/page.html`);
  }
}

/** Writes the results; the runs of `door` are one of them. Returns [benchmark, file] of each. */
function keep({ args, root, log }, logs, names) {
  const date = new Date().toISOString().slice(0, 10);
  const commit = readFileSync(path.join(logs, 'commit'), 'utf8').trim();
  const about = { machine: argument(args, '--machine'), browser: argument(args, '--browser'), date, commit };
  const chip = argument(args, '--chip');
  if (Object.values({ ...about, chip }).includes(undefined)) throw new Error('Give --machine, --browser and --chip.');
  const kept = [];
  const write = (name, result) => {
    const file = `lab/results/${name}-${chip}.json`;
    writeFileSync(path.join(root, file), `${JSON.stringify({ ...about, result })}\n`);
    kept.push(file);
    return file;
  };
  const read = (name) => readLog(readFileSync(path.join(logs, `${name}.log`), 'utf8'));
  const there = names.filter((name) => existsSync(path.join(logs, `${name}.log`)));
  const runs = Object.fromEntries(there.filter(isDoor).map((name) => [name.slice(5), read(name)]));
  const made = there.filter((name) => !isDoor(name)).map((name) => [PAGES[name][0], write(name, read(name))]);
  if (Object.keys(runs).length) made.unshift(['bench/door/index.mjs', write('door', runs)]);
  log(kept.join('\n'));
  return made;
}

export default async function hardware(given) {
  const { args, log, root } = given;
  const only = argument(args, '--only')?.split(',');
  const names = Object.keys(PAGES).filter((name) => !only || only.some((word) => name.startsWith(word)));
  const folder = argument(args, '--pack');
  if (folder) return pack(given, path.resolve(folder), names);
  const logs = argument(args, '--keep');
  if (!logs) return log('Give --pack FOLDER, or --keep LOGS. See the first lines of lab/hardware.mjs.');
  const write = args.includes('--write') ? ['--write'] : [];
  for (const [file, result] of keep(given, path.resolve(logs), names))
    await (
      await benchOf(root, file)
    )({ ...given, args: ['--result', result, ...write] });
  return undefined;
}
