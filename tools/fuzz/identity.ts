/**
 * Sequences of runs of the command over folders whose files are renamed, exchanged, touched and changed, all of them of one
 * size and one time of change. Planning, lists, keys and writing are the command's own; the engine is replaced: what it finds
 * is the sum of the picture. After each run every result must be of the input that it is listed for, and no result of another
 * input may be gone.
 */
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  appendFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { analyseWith, type Runner } from '../../src/command/analyse.ts';
import { entryFromText, type Entry } from '../../src/command/entry.ts';
import { runJob } from '../../src/command/job.ts';
import { keyOf } from '../../src/command/job-key.ts';
import { manifestName } from '../../src/command/manifest.ts';
import { claimed, parsed, planned } from '../../src/command/plan.ts';
import { resultsAt } from '../../src/command/queue/locations.ts';
import { analysisOptions } from '../../src/command/usage.ts';
import { isFile } from '../../src/command/whole-files.ts';
import { FoveolaError, type Engine, type GrayImage } from '../../src/node/index.ts';
import { tiffFile } from '../../test/support/tiff-writer.ts';
import { below, oneOf, randomOf, type Bytes, type Random } from './mutation.ts';
import type { Trial } from './targets.ts';

const FOLDERS = ['0', 'A', 'B', 'C'];
const FILES = ['x.tif', 'y.tif', 's/x.tif', 'S/X.tif'];
const CONTENTS = 5;
const STEPS = 12;
const WIDTH = 4;
const TIME = new Date(1_600_000_000_000);

const sumOf = ({ data }: GrayImage) => data.reduce((sum, value, i) => sum + value * (i + 1), 0);

/** Gives the sum of a picture as a line, and the picture as its edges. */
const engine = {
  capabilities: { threads: 1 },
  canny: async (image: GrayImage) => image,
  houghLines: async (image: GrayImage) => [{ rho: sumOf(image), theta: 0, votes: 1, x1: 0, y1: 0, x2: 0, y2: 0 }],
} as unknown as Engine;

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The pictures, and what of a result shows which of them it is of. */
interface Pool {
  contents: Bytes[];
  /** By what is found in a picture: the hash of its file. */
  ofSum: Map<string, string>;
}

async function pool(): Promise<Pool> {
  const samples = (i: number) => Array.from({ length: WIDTH * WIDTH }, (_, k) => (k * 7 + i * 31) % 251);
  const contents = await Promise.all(
    Array.from({ length: CONTENTS }, (_, i) => tiffFile([{ width: WIDTH, height: WIDTH, data: samples(i) }])),
  );
  if (new Set(contents.map(({ length }) => length)).size !== 1) throw new Error('The files differ in size.');
  const sums = contents.map((bytes, i) => {
    const image = { width: WIDTH, height: WIDTH, data: Uint8Array.from(samples(i)) };
    return [String(sumOf(image)), hash(bytes)] as const;
  });
  return { contents, ofSum: new Map(sums) };
}

/** The hash of the file that a result was made of, by its rows (CSV), by its metadata (the JSON file of a CSV), or by both. */
function sourceOf(text: string, { ofSum }: Pool): string {
  const named = /"sha256": ?"([0-9a-f]{64})/.exec(text)?.[1];
  const seen = ofSum.get((/^(\d+),0,1,/m.exec(text) ?? /"rho": ?(\d+),\s*"theta": ?0,/.exec(text))?.[1] ?? '');
  const source = named ?? seen;
  if (source === undefined || (seen ?? source) !== source) throw new Error(`a mixed table: ${named} ${seen}`);
  return source;
}

/** A folder with inputs and results, which things happen to. */
class World {
  readonly root = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'foveola-identity-'));
  readonly out = this.at('r');
  readonly log: string[] = [];
  constructor(
    readonly pool: Pool,
    readonly random: Random,
  ) {
    for (const folder of FOLDERS.slice(0, 3))
      for (const file of FILES) if (random() < 0.6) this.put(`${folder}/${file}`);
    if (random() < 0.3) symlinkSync(this.at('A'), this.at('L'));
  }

  at(...parts: string[]): string {
    return path.join(this.root, ...parts);
  }

  put(file: string): void {
    mkdirSync(path.dirname(this.at(file)), { recursive: true });
    rmSync(this.at(file), { force: true }); // not through a hard link
    writeFileSync(this.at(file), oneOf(this.random, this.pool.contents));
    utimesSync(this.at(file), TIME, TIME);
  }

  /** Inputs, relative to the root. */
  files(): string[] {
    return FOLDERS.flatMap((folder) => (existsSync(this.at(folder)) ? below_(this.at(folder), folder) : []));
  }

  /** Results with their contents, those that are set aside included. */
  results(): Map<string, string> {
    const files = existsSync(this.out) ? below_(this.out, '') : [];
    return new Map(
      files
        .filter((file) => file !== manifestName && !/^\.foveola\//.test(file))
        .map((file) => [file, readFileSync(path.join(this.out, file), 'latin1')]),
    );
  }
}

/** Files below a folder, with another name for that in front. */
const below_ = (folder: string, name: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.posix.join(name, path.relative(folder, path.join(entry.parentPath, entry.name))))
    .sort();

const swap = (a: string, b: string) => {
  renameSync(a, `${a}.swap`);
  renameSync(b, a);
  renameSync(`${a}.swap`, b);
};

/** What happens between two runs. */
const events: Readonly<Record<string, (world: World) => string>> = {
  swap(world) {
    const [a, b] = [oneOf(world.random, world.files()), oneOf(world.random, world.files())];
    if (a !== b) swap(world.at(a), world.at(b));
    return `${a} ${b}`;
  },
  'swap folders'(world) {
    const [a, b] = ['0', 'A', 'B'].filter((folder) => existsSync(world.at(folder)));
    if (a && b) swap(world.at(a), world.at(b));
    return `${a} ${b}`;
  },
  rename(world) {
    const [from, to] = [
      oneOf(world.random, world.files()),
      `${oneOf(world.random, FOLDERS)}/${oneOf(world.random, FILES)}`,
    ];
    if (existsSync(world.at(to))) return 'nothing';
    mkdirSync(path.dirname(world.at(to)), { recursive: true });
    renameSync(world.at(from), world.at(to));
    return `${from} ${to}`;
  },
  'rename a folder'(world) {
    const [from, to] = [oneOf(world.random, FOLDERS), oneOf(world.random, FOLDERS)];
    if (!existsSync(world.at(from)) || existsSync(world.at(to))) return 'nothing';
    renameSync(world.at(from), world.at(to));
    return `${from} ${to}`;
  },
  touch(world) {
    const file = oneOf(world.random, world.files());
    utimesSync(world.at(file), new Date(), new Date(TIME.getTime() + below(world.random, 1e6)));
    return file;
  },
  change(world) {
    const file = oneOf(world.random, world.files());
    world.put(file);
    return file;
  },
  add(world) {
    const file = `${oneOf(world.random, FOLDERS)}/${oneOf(world.random, FILES)}`;
    world.put(file);
    return file;
  },
  link(world) {
    const [from, to] = [
      oneOf(world.random, world.files()),
      `${oneOf(world.random, FOLDERS)}/${oneOf(world.random, FILES)}`,
    ];
    if (existsSync(world.at(to))) return 'nothing';
    mkdirSync(path.dirname(world.at(to)), { recursive: true });
    linkSync(world.at(from), world.at(to));
    return `${from} ${to}`;
  },
  'remove a result'(world) {
    const results = [...world.results().keys()];
    if (!results.length) return 'nothing';
    const file = oneOf(world.random, results);
    rmSync(path.join(world.out, file));
    return file;
  },
  'damage the list'(world) {
    const list = path.join(world.out, manifestName);
    if (!existsSync(list)) return 'nothing';
    const kind = below(world.random, 3);
    if (kind === 0) truncateSync(list, below(world.random, statSync(list).size + 1));
    else if (kind === 1)
      appendFileSync(list, oneOf(world.random, ['null\n', '7\n', '[]\n', '{"name":"x"}\n', '{"a', '"\n']));
    else rmSync(list);
    return String(kind);
  },
};

/** Does jobs here, and sometimes dies behind one, before it is listed. */
const here = (random: Random): Runner =>
  async function* (jobs) {
    for (const job of jobs) {
      const result = await runJob(job, engine);
      if (random() < 0.04) throw new FoveolaError('aborted', 'Died.');
      yield [result];
    }
  };

type Values = ReturnType<typeof parsed<typeof analysisOptions>>['values'];

/** As the workers of a queue do it, each with its own view of the folder. */
async function byWorkers(values: Values, words: readonly string[]): Promise<number> {
  const out = values.out!;
  const results = resultsAt(out);
  const listed = await results.outputs();
  const plan = await planned('edges', values, words, { out, isResult: (file) => listed.has(file) });
  const claims = await claimed(plan.jobs, (job) => results.claim(job));
  let failed = plan.faults.length;
  for (const { job } of claims) {
    const { own: _, known: __, ...queued } = job;
    const wanted = keyOf(hash(readFileSync(job.input)), job);
    const worker = resultsAt(out);
    const claim = await worker.claim({ ...queued, wanted });
    if ('taken' in claim) failed++;
    else if (claim.entry?.key !== wanted || !(await worker.holds(claim.job, claim.entry))) {
      await worker.folder(claim.job, async () => out);
      const result = await runJob(claim.job, engine);
      if (result.status === 'failed') failed++;
      else await worker.keep(claim.job, claim.job, result);
    }
  }
  return failed ? 2 : 0;
}

const silent = { write: () => true, isTTY: false } as unknown as NodeJS.WriteStream;

function wordsOf(world: World): string[] {
  const { random } = world;
  const list = [...FOLDERS, 'L', ...world.files(), '?/x.tif', '*/**/*.tif', '.'];
  const words = Array.from({ length: 1 + below(random, 3) }, () => oneOf(random, list));
  return words.map((word) => world.at(word));
}

/** The results that are listed and are as they are listed, by their files; what is listed later counts. */
function ownersOf(world: World): Map<string, Entry> {
  const list = path.join(world.out, manifestName);
  const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : [];
  const entries = path.join(world.out, '.foveola');
  const single = existsSync(entries)
    ? below_(entries, '').map((file) => readFileSync(path.join(entries, file), 'utf8'))
    : [];
  const owners = new Map<string, Entry>();
  for (const text of [...lines, ...single]) {
    const entry = entryFromText(text);
    entry?.outputs.forEach((file, i) => owners.set(file, { ...entry, hashes: [entry.hashes[i]!] }));
  }
  for (const [file, { hashes }] of owners) if (!isFile(path.join(world.out, file), hashes[0]!)) owners.delete(file);
  return owners;
}

/** Which file it is, wherever links lead. */
const fileAt = (file: string) => (existsSync(file) ? statSync(file).ino : null);
const isSame = (a: string, b: string) => a === b || (fileAt(a) !== null && fileAt(a) === fileAt(b));

/** What a run may do to a result that was there: replace it by that of the same input, and keep it aside if its bytes have changed. */
function checkKept(
  world: World,
  before: Map<string, string>,
  owners: Map<string, Entry>,
  now: Map<string, Entry>,
): void {
  const after = world.results();
  for (const [file, text] of before) {
    if (after.get(file) === text) continue;
    const sha256 = sourceOf(text, world.pool);
    if (file.startsWith('.foveola-replaced/')) {
      if (!after.has(file)) throw new Error(`${file} is gone`);
      continue;
    }
    const [owner, by] = [owners.get(file), now.get(file)];
    if (!owner) throw new Error(`${file}, which is not listed, is replaced`);
    if (by && !isSame(by.input, owner.input)) throw new Error(`${file} of ${owner.input} is replaced by ${by.input}`);
    if (after.has(file) && sourceOf(after.get(file)!, world.pool) === sha256) continue;
    if (after.get(`.foveola-replaced/${sha256.slice(0, 16)}/${file}`) !== text)
      throw new Error(`${file} of ${owner.input} is overwritten`);
  }
}

/** Every result that is listed is of the bytes that it is listed for. */
function checkListed(world: World, now: Map<string, Entry>): void {
  const after = world.results();
  for (const [file, entry] of now)
    if (sourceOf(after.get(file)!, world.pool) !== entry.sha256) throw new Error(`${file} is listed for another input`);
}

/** Every input that was named has a result of its own bytes. */
function checkDone(world: World, words: readonly string[], now: Map<string, Entry>): void {
  const done = new Set([...now.values()].filter(({ outputs }) => outputs.every((file) => now.has(file))));
  for (const file of world.files()) {
    const input = world.at(file);
    if (!words.some((word) => word === input || word === path.join(world.root, file.split('/')[0]!))) continue;
    const sha256 = hash(readFileSync(input));
    if (![...done].some((entry) => entry.sha256 === sha256 && isSame(entry.input, input)))
      throw new Error(`${file} has no result, and the run says that it has`);
  }
}

async function run(world: World): Promise<void> {
  const { random } = world;
  const words = wordsOf(world);
  const format = oneOf(random, ['csv', 'csv', 'csv', 'json'] as const);
  const force = random() < 0.08;
  const { values } = parsed(
    ['--operation', 'lines', '--format', format, '--out', world.out, ...(force ? ['--force'] : [])],
    analysisOptions,
  );
  const [before, owners] = [world.results(), ownersOf(world)];
  const queued = random() < 0.3;
  let code: number;
  try {
    code = await (queued ? byWorkers(values, words) : analyseWith(here(random), 'edges', values, words, silent));
  } catch (error) {
    if (!(error instanceof FoveolaError) || error.code !== 'invalid-argument') throw error;
    code = 1;
  }
  world.log.push(
    `${queued ? 'queue' : 'run'} ${words.map((word) => path.relative(world.root, word) || '.').join(' ')} ${format}${force ? ' --force' : ''} -> ${code}`,
  );
  const now = ownersOf(world);
  if (!force) checkKept(world, before, owners, now);
  if (code === 1 && [...before].some(([file, text]) => world.results().get(file) !== text))
    throw new Error('exit 1 changed results');
  checkListed(world, now);
  if (code === 0) checkDone(world, words, now);
}

function sequence(pictures: Pool, seed: number): Trial {
  let log: string[] = [];
  const trial: Trial = {
    async run() {
      const world = new World(pictures, randomOf(seed));
      log = world.log;
      try {
        for (let step = 0; step < STEPS; step++) {
          if (world.random() < 0.45) await run(world);
          else if (world.files().length) {
            const name = oneOf(world.random, Object.keys(events));
            world.log.push(`${name} ${events[name]!(world)}`);
          } else world.put('A/x.tif');
        }
        await run(world);
      } finally {
        rmSync(world.root, { recursive: true, force: true });
      }
    },
    changes: [],
    with: () => trial,
    shown: () => `\n  ${log.join('\n  ')}`,
  };
  return trial;
}

export const identity = async () => {
  const pictures = await pool();
  return (random: Random): Trial => sequence(pictures, below(random, 2 ** 32));
};
