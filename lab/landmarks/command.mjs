// The trainer's command, one file with all that it needs (lab/train-landmarks.mjs makes it), and its threads.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { packLandmarks } from '../../src/models/landmarks.ts';
import { readFaces } from './dataset.mjs';
import { defaults, trainLandmarks } from './train.mjs';
import { work } from './worker.mjs';

export { defaults, detectorBox, packLandmarks, readFaces, trainLandmarks };

/**
 * How the boxes that faces are trained with lie to those of frontalface_alt: these are as large, but lie higher by 0.065 of
 * their side (means over the 41 faces of helen and afw that it finds).
 */
const detectorBox = { x: 0, y: 0.065, size: 1 };

const ownOptions = { form: '8-bit', notice: '', faces: '' };
const numbers = Object.keys(defaults);

/** One line that is written over itself in a terminal. */
function showProgress(started, { cascades, trees }) {
  let last = 0;
  return ({ cascade, tree }) => {
    const now = performance.now();
    if (now - last < 500) return;
    last = now;
    const [done, of] = [cascade * trees + tree - started.trees, cascades * trees - started.trees];
    const left = ((now - started.at) / done) * (of - done);
    if (process.stdout.isTTY)
      process.stdout.write(`\rcascade ${cascade + 1}, tree ${tree} of ${trees}, ${Math.ceil(left / 1000)} s left   `);
  };
}

/** Seconds by the clock and of the processor, all threads, since the process began, with those of a training that goes on. */
function clock(before = { seconds: 0, processor: 0 }) {
  const { user, system } = process.cpuUsage();
  return { seconds: before.seconds + process.uptime(), processor: before.processor + (user + system) / 1e6 };
}

/**
 * @param load  gives the faces of what is named first on the command line
 * @returns what the whole training took: { seconds, processor, faces, threads, cascades, trees }
 */
export async function command(args, load = readFaces) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: Object.fromEntries([...numbers, ...Object.keys(ownOptions)].map((name) => [name, { type: 'string' }])),
  });
  const [from, to] = positionals;
  if (!to) throw new Error('Name the folder of faces and the model: npm run lab -- train-landmarks faces model.bin');
  const given = Object.fromEntries(numbers.filter((n) => values[n]).map((n) => [n, Number(values[n])]));
  const wrong = numbers.find((name) => name in given && !(given[name] >= 0));
  if (wrong) throw new Error(`--${wrong} must be a number, not ${values[wrong]}.`);
  const options = { ...defaults, ...given, box: detectorBox };
  options.notice = values.notice ? readFileSync(values.notice, 'utf8') : '';
  const faces = await load(from, values.faces ? Number(values.faces) : undefined);
  console.log(`${faces.count} faces of ${faces.side} pixels, ${options.threads} threads`);
  // What a training has come to is kept beside the model, with all that it depends on.
  const { threads: _, ...settings } = options;
  const identity = JSON.stringify([faces.count, faces.side, from, settings]);
  const part = `${to}.part`;
  const kept = existsSync(part) ? deserialize(readFileSync(part)) : null;
  const resume = kept?.identity === identity ? kept.checkpoint : null;
  if (resume) console.log(`goes on after cascade ${resume.done}`);
  const started = { at: performance.now(), trees: (resume?.done ?? 0) * options.trees };
  const progress = showProgress(started, options);
  const percent = (share) => (100 * share).toFixed(2);
  const model = await trainLandmarks(faces, { ...options, resume }, (message) => {
    if (!message.done) return progress(message);
    const { done, learned, held, checkpoint } = message;
    const seconds = Math.round((performance.now() - started.at) / 1000);
    console.log(
      `\rcascade ${done} of ${options.cascades}: error ${percent(learned)} % of the eyes' distance, of faces held back ${percent(held)} %, ${seconds} s`,
    );
    writeFileSync(`${part}.new`, serialize({ identity, checkpoint, took: clock(resume ? kept.took : undefined) }));
    renameSync(`${part}.new`, part);
  });
  const bytes = packLandmarks(model, values.form ?? ownOptions.form);
  writeFileSync(to, bytes);
  rmSync(part, { force: true });
  console.log(`${to}: ${bytes.length} bytes`);
  const took = clock(resume ? kept.took : undefined);
  console.log(`The whole training: ${took.seconds.toFixed(0)} s, ${took.processor.toFixed(0)} s of the processor`);
  const { threads, cascades, trees } = options;
  return { ...took, faces: faces.count, threads, cascades, trees };
}

if (workerData?.trainer) {
  const { state, rank } = workerData.trainer;
  work(state, rank, (message) => parentPort.postMessage(message));
} else if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await command(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
