// `npm run lab` lists what the laboratory has; `npm run lab -- <name...>` runs one:
//   npm run lab -- train-eyes FOLDER      a program, lab/train-eyes.mjs, with all that follows
//   npm run lab -- paper objects          a benchmark, lab/objects/paper.mjs, run like a benchmark of bench/
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { benches, chosenOf, listed, runAll, splitWords } from '../bench/run.mjs';
import { main, root } from '../tools/setup.mjs';

const folder = path.join(root, 'lab');

/** Programs with a command line: files of lab/ itself, except benchmarks. [{ name, about }] */
export function programs() {
  const others = new Set(['lab/run.mjs', ...benches('lab').map(({ file }) => file)]);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.mjs') && !others.has(`lab/${file}`))
    .map((file) => ({
      name: file.replace('.mjs', ''),
      about: readFileSync(path.join(folder, file), 'utf8').split('\n', 1)[0].replace('// ', ''),
    }));
}

async function runFromCommandLine() {
  const given = process.argv.slice(2);
  const known = programs();
  if (known.some(({ name }) => name === given[0])) {
    const [name, ...rest] = given;
    const program = path.join(folder, `${name}.mjs`);
    process.exitCode = spawnSync(process.execPath, [program, ...rest], { stdio: 'inherit' }).status ?? 1;
    return;
  }
  const all = benches('lab');
  const [words, args] = splitWords(given);
  const list = `Programs:\n${listed(known)}\nBenchmarks:\n${listed(all)}`;
  if (!words) return console.log(`\`npm run lab -- <name>\`\n${list}`);
  const chosen = chosenOf(all, words);
  if (!chosen.length) throw new Error(`The laboratory has no '${words}'. It has:\n${list}`);
  await runAll(chosen, args);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(runFromCommandLine);
