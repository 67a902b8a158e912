// Constants: those of a system's sources one at a time around what they are, chosen on named data and held out by group.
//   npm run bench -- constants --system pupil   (or another of SYSTEMS, each a list in bench/constants/parts/)
//   --only words of a constant's place or name  --seed 1000: other rendered data (pupil, widths)  --jobs 2  --write
// Each value is put into a copy of the tree, kernels are built where they are what changes, and the copy is measured in a process
// of its own. What was measured is kept in build/constants, so that a run that was stopped goes on; other sources begin again.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serialize } from 'node:v8';
import { fingerprint } from '../../tools/fingerprint.mjs';
import { copyBuilt, copyOfTree, replaceOnce } from '../../tools/tree-copy.mjs';
import { argument } from '../parts/kept-result.mjs';
import { fixed, Report } from '../parts/report.mjs';
import { choose, merged, totalOf } from './parts/choice.mjs';

export const SYSTEMS = [
  ...['pupil', 'recordings', 'vessels', 'widths', 'ends', 'field', 'fundus', 'retina'],
  ...['faces', 'tracks', 'points', 'heads', 'eyes', 'lids', 'objects', 'follower', 'rotation', 'series'],
];

const LAST_NUMBER = /-?[\d.]+(?![\s\S]*\d)/;
/** `export const NAME: f32 = `, `name: `, `name: number({ default: `; of an expression the whole text is the name. */
const NAME = /^(?:export )?(?:const )?(\w+)(?:: \w+)?(?: =|: number\(\{\s*default:|:) -?[\d.]+$/;

/** A line of a list: the file, what stands there with the value in use, and what is tried instead. */
export function readLine([file, from, ...tried]) {
  const used = Number(LAST_NUMBER.exec(from)[0]);
  const name = NAME.exec(from)?.[1] ?? from.replace(/\s+/g, ' ');
  return { file, name, used, tried, textOf: (value) => from.replace(LAST_NUMBER, String(value)), from };
}

const run = (folder, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let words = '';
    child.stderr.on('data', (text) => (words += text));
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${args[0]}: ${words.slice(-2000)}`))));
  });

/** A copy of the tree that measures one change after another. */
class Copy {
  #folder = copyOfTree('constants');
  #outer = path.dirname(this.#folder);
  #kept = path.join(this.#outer, 'kept');
  #known = false;
  #listed = null;

  /** What the change comes to, or null where its kernels do not build. */
  async measure(system, data, change) {
    const result = path.join(this.#outer, 'result.json');
    const kernels = change?.file.startsWith('assembly/');
    if (kernels && !this.#known) copyBuilt(this.#folder, this.#kept);
    this.#known ||= kernels;
    await (this.#listed ??= run(this.#folder, ['tools/lists.mjs'])); // generated sources, which git does not know
    const putBack = change ? replaceOnce(this.#folder, change.file, change.from, change.to) : () => {};
    if (!putBack) throw new Error(`${change.file} does not have '${change.from}' once.`);
    try {
      if (kernels) await run(this.#folder, ['tools/build-wasm.mjs', '--plain', '--single']);
      await run(this.#folder, ['bench/constants/parts/measure.mjs', system, data, result, change?.file ?? '']);
      return JSON.parse(readFileSync(result, 'utf8'));
    } finally {
      putBack();
      if (kernels) copyBuilt(this.#kept, this.#folder);
    }
  }

  remove() {
    rmSync(this.#outer, { recursive: true, force: true });
  }
}

/** What every change comes to, by its key; those that were measured before are not measured again. */
async function measureAll(changes, { system, data, jobs, kept, log }) {
  const done = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
  const waiting = changes.filter(({ key }) => !done[key]);
  const total = waiting.length;
  let ready = 0;
  const work = async () => {
    const copy = new Copy();
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        done[next.key] = await copy.measure(system, data, next.change);
        writeFileSync(kept, JSON.stringify(done));
        log(`${++ready} of ${total}: ${next.key}`);
      }
    } finally {
      copy.remove();
    }
  };
  if (total) await Promise.all(Array.from({ length: Math.min(jobs, total) }, work));
  return done;
}

const keyOf = ({ file, name }, value) => `${file} ${name} ${value}`;

function rowOf(constant, groups, { worth, digits = 4 }) {
  const { used, tried } = constant;
  const { worths, best, held, gain, error, better } = choose(groups, worth);
  const others = tried.map((value, i) => `${value}: ${fixed(worths[i + 1], digits)}`).join(', ');
  const values = [used, ...tried];
  const verdict = better === null ? 'kept' : `${values[better]} is better`;
  return [
    `${constant.name} (${path.basename(constant.file)})`,
    used,
    fixed(worths[0], digits),
    others,
    best ? `${values[best]} (+${fixed(gain, digits)}, error ${fixed(error, digits)})` : used,
    fixed(worths[best], digits),
    fixed(held, digits),
    verdict,
  ];
}

export default async function constants(given) {
  const { args, root, log } = given;
  const system = argument(args, '--system');
  if (!SYSTEMS.includes(system)) return log(`Say which: --system ${SYSTEMS.join(', ')}`);
  const subject = await import(`./parts/${system}.mjs`);
  const only = argument(args, '--only')?.split(',');
  const lines = subject.constants.map(readLine);
  const chosen = lines.filter((one) => !only || only.some((word) => `${one.file} ${one.name}`.includes(word)));
  const more = Number(argument(args, '--seed') ?? 0);
  const prepared = await subject.prepare({ ...given, more });
  if (!prepared) return log('skipped: its data are not here');
  const bytes = serialize(prepared);
  const folder = path.join(root, 'build/constants');
  mkdirSync(folder, { recursive: true });
  const data = path.join(folder, `${system}.data`);
  writeFileSync(data, bytes);
  const version = createHash('sha256')
    .update(fingerprint(root, ['src', 'assembly', `bench/constants/parts/${system}.mjs`]))
    .update(bytes)
    .digest('hex')
    .slice(0, 12);
  const changes = chosen.flatMap((one) =>
    one.tried.map((value) => ({
      key: keyOf(one, value),
      change: { file: one.file, from: one.from, to: one.textOf(value) },
    })),
  );
  const jobs = Number(argument(args, '--jobs') ?? 1);
  const kept = path.join(folder, `${system}-${version}.json`);
  const done = await measureAll([{ key: 'as it is', change: null }, ...changes], {
    ...{ system, data, jobs, kept, log },
  });
  const report = new Report(given);
  report.line(subject.about(prepared, more));
  report.line(
    'Each constant alone, the others as they are. Held out: every group judged by the value that the other groups choose. A value is ' +
      'better where its gain is more than twice the error of the gain (jackknife over the groups).',
  );
  const asItIs = done['as it is'];
  const rows = chosen.map((one) =>
    rowOf(one, [asItIs, ...one.tried.map((value) => merged(asItIs, done[keyOf(one, value)]))], subject),
  );
  report.table([['constant', 'used', 'worth', 'tried', 'best', 'in sample', 'held out', 'verdict'], ...rows]);
  const unchanged = rows.filter((row) => row.at(-1) === 'kept').length;
  report.line(`As it is: ${subject.figures(totalOf(asItIs))}. ${unchanged} of ${rows.length} constants are kept.`);
  report.finish('docs/accuracy-tables.md', `constants ${system}`, `constants --system ${system}`);
}
