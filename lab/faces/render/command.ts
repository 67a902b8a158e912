/**
 * npm run lab -- render-faces FOLDER [--count 10000] [--seed 1] [--jobs 2] [--model ict-face.bin] [--sheet sheet.png]
 * Renders faces into shards (dataset.ts). What is there already stays, so that a run that was ended goes on; the bytes do not
 * depend on the number of jobs. This file is the command and its worker: bundled into one file it needs nothing but Node.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { packShard, readShard, SHARD, shardName, type FaceSet } from './dataset.ts';
import { drawFraming, grayOf, Renderer } from './face.ts';
import { readModel } from './model.ts';
import { contactSheet } from './sheet.ts';

const SIDE = 200;
/** Of a face in its set and of the set: seeds of neighboring sets do not overlap. */
const seedOf = (set: number, face: number) => (Math.imul(set, 0x9e3779b1) + face) | 0;

interface Job {
  folder: string;
  model: string;
  seed: number;
  count: number;
}

/** Writes under another name first: a file of that name is whole. */
function writeWhole(file: string, bytes: Uint8Array | string): void {
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, bytes);
  renameSync(part, file);
}

function renderShard(renderer: Renderer, { folder, seed, count }: Job, index: number): void {
  const faces = Math.min(SHARD, count - index * SHARD);
  const pictures = new Uint8Array(faces * SIDE * SIDE);
  const points = new Float32Array(faces * 136);
  const records = Array.from({ length: faces }, (_, i) => {
    const one = seedOf(seed, index * SHARD + i);
    const face = renderer.render(one, drawFraming(one, SIDE));
    pictures.set(grayOf(face.data), i * SIDE * SIDE);
    points.set(face.points, i * 136);
    parentPort!.postMessage({ face: true });
    return face.record;
  });
  writeWhole(path.join(folder, shardName(index)), packShard({ side: SIDE, records, pictures, points }));
}

/** A worker: renders the shards that it is given. */
function work(job: Job): void {
  const renderer = new Renderer(readModel(readFileSync(job.model)));
  const ask = () => parentPort!.postMessage({ idle: true });
  parentPort!.on('message', (index: number) => {
    renderShard(renderer, job, index);
    ask();
  });
  ask();
}

const clock = (seconds: number) =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((v) => String(Math.floor(v)).padStart(2, '0')).join(':');

async function renderAll(job: Job, jobs: number): Promise<void> {
  const shards = Math.ceil(job.count / SHARD);
  const missing = Array.from({ length: shards }, (_, i) => i).filter(
    (i) => !existsSync(path.join(job.folder, shardName(i))),
  );
  if (missing.length < shards) console.log(`${shards - missing.length} of ${shards} shards are there already`);
  const faces = missing.reduce((sum, i) => sum + Math.min(SHARD, job.count - i * SHARD), 0);
  const begin = performance.now();
  let done = 0;
  const show = () => {
    const seconds = (performance.now() - begin) / 1000;
    const line = `${done} of ${faces} faces, ${(done / seconds).toFixed(1)} a second, ${clock((seconds / done) * (faces - done))} left`;
    if (process.stdout.isTTY) process.stdout.write(`\r${line}   `);
    else if (done % SHARD === 0 || done === faces) console.log(line);
  };
  const queue = missing.values();
  await Promise.all(
    Array.from(
      { length: Math.min(jobs, missing.length) },
      () =>
        new Promise<void>((resolve, reject) => {
          const worker = new Worker(new URL(import.meta.url), { workerData: job });
          worker.on('message', (message: { face?: true }) => {
            if (message.face) {
              done++;
              show();
              return;
            }
            const next = queue.next();
            if (next.done) void worker.terminate();
            else worker.postMessage(next.value);
          });
          worker.on('error', reject);
          worker.on('exit', () => resolve());
        }),
    ),
  );
  if (process.stdout.isTTY && faces) console.log();
}

/** The set that the folder holds, or is to hold: one folder has one seed and one count. */
function begin(folder: string, wanted: FaceSet): void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'faces.json');
  if (existsSync(file)) {
    const there = JSON.parse(readFileSync(file, 'utf8')) as FaceSet;
    if (there.seed !== wanted.seed || there.count !== wanted.count || there.side !== wanted.side)
      throw new Error(
        `${folder} holds ${there.count} faces of seed ${there.seed}; name these (--count, --seed) to go on, or take another folder.`,
      );
  } else writeWhole(file, `${JSON.stringify(wanted)}\n`);
}

export async function command(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      count: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      model: { type: 'string', default: 'ict-face.bin' },
      sheet: { type: 'string' },
    },
  });
  const [folder] = positionals;
  const [count, seed, jobs] = [values.count, values.seed, values.jobs].map(Number);
  if (!folder || positionals.length > 1)
    throw new Error('One folder is needed: npm run lab -- render-faces FOLDER [--count 10000] [--seed 1] [--jobs 2]');
  if (!(Number.isInteger(count) && count > 0 && Number.isInteger(seed) && Number.isInteger(jobs) && jobs > 0))
    throw new Error('--count and --jobs are whole numbers from 1, --seed is a whole number.');
  if (!existsSync(values.model))
    throw new Error(
      `There is no face model ${values.model}; name the ict-face.bin with --model (lab/faces/render/extract.mjs writes it).`,
    );
  begin(folder, { version: 1, seed, count, side: SIDE, shard: SHARD });
  await renderAll({ folder, model: values.model, seed, count }, jobs);
  if (values.sheet) {
    const { side, pictures, points, records } = readShard(readFileSync(path.join(folder, shardName(0))));
    const faces = records.map((_, i) => ({
      data: pictures.subarray(i * side * side, (i + 1) * side * side),
      points: points.subarray(136 * i, 136 * (i + 1)),
    }));
    writeWhole(values.sheet, contactSheet(faces, side));
  }
}

if (isMainThread)
  await command(process.argv.slice(2)).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
else work(workerData as Job);
