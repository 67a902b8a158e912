// Objects: what decides whether a box is reported, chosen with one sequence left out at a time, and the reliability of confidence.
//   --only car,david  --seed 1
// Each sequence is followed once. What is reported of a frame then depends on two numbers, which change nothing of what is
// followed: the least confidence, and how many frames in a row a target that was found again must be trusted until its box
// is shown. Chosen is the pair with the highest mean F at 0.25 of those that are silent in 90 % of the absent frames (of none,
// the most silent).
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { overlap } from '../parts/numbers.mjs';
import { fixed, Report } from '../parts/report.mjs';
import { openSequence, sequences } from './parts/sequences.mjs';

const SILENT = 0.9;
const LEAST = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const PROOF = [0, 2, 4, 6, 10, 15, 25];
const settings = LEAST.flatMap((least) => PROOF.map((proof) => ({ least, proof })));
const named = ({ least, proof }) => `${least}, ${proof} frames`;
const meanOf = (list) => list.reduce((sum, v) => sum + v, 0) / list.length;

/** Of every frame but the first: whether a box is believed in, how much, and how much of the target it holds. */
function follow(parts, module, sequence, seed) {
  const { Runtime, Plane, SharedFrame, Target, objectParameters, resolveParameters } = parts;
  const values = resolveParameters(objectParameters, { seed }, 'confidence objects');
  return Runtime.create({ module }).then((runtime) => {
    const { driver } = runtime;
    const make = ({ width, height, data }) => {
      const plane = Plane.from(runtime, width, height, 'u8', data);
      const frame = driver.now(SharedFrame.make(runtime, plane, values));
      plane.dispose();
      return frame;
    };
    let before = make(sequence.frame(0));
    const target = new Target(runtime, 1, sequence.truth[0], values);
    driver.now(target.begin(before, sequence.truth[0]));
    before.disposeDetection();
    const rows = [];
    for (let i = 1; i < sequence.frames; i++) {
      const frame = make(sequence.frame(i));
      const { box, confidence } = driver.now(target.process(before, frame));
      frame.disposeDetection();
      before.dispose();
      before = frame;
      const integrator = target.integrator.record;
      const truth = sequence.truth[i];
      rows.push({
        shown: box !== null,
        confidence,
        // Set where it is found again, and counted down from the next frame on.
        again: integrator.get('probation') === 8,
        trusted: integrator.get('trustedFor'),
        present: Boolean(truth),
        inside: box && truth ? overlap(box, truth) : 0,
      });
    }
    before.dispose();
    target.dispose();
    runtime.dispose();
    return rows;
  });
}

/** F at 0.25 and silence of what would be reported; the first frame is the user's. */
function score(rows, { least, proof }) {
  let [given, right, present, absent, silent] = [1, 1, 1, 0, 0];
  let waits = false;
  for (const row of rows) {
    if (row.again) waits = true;
    if (row.trusted >= proof) waits = false;
    const reported = row.shown && row.confidence >= least && !waits;
    if (reported) given++;
    if (reported && row.inside > 0.25) right++;
    if (row.present) present++;
    else absent++;
    if (!row.present && !reported) silent++;
  }
  return { f: (2 * right) / (given + present), absent, silent };
}

function judge(names, all, k) {
  const scores = names.map((name) => all[name][k]);
  const absent = scores.reduce((sum, one) => sum + one.absent, 0);
  const silence = absent ? scores.reduce((sum, one) => sum + one.silent, 0) / absent : 1;
  return { k, f: meanOf(scores.map(({ f }) => f)), silence };
}

function choose(names, all) {
  const judged = settings.map((_, k) => judge(names, all, k));
  const quiet = judged.filter(({ silence }) => silence >= SILENT);
  return quiet.length
    ? quiet.reduce((a, b) => (b.f > a.f ? b : a))
    : judged.reduce((a, b) => (b.silence > a.silence ? b : a));
}

export default async function confidence(given) {
  const { args, shared, log, root, importTs } = given;
  if (!shared || !existsSync(path.join(shared, 'data/tld'))) return log('skipped: no sequences here');
  const option = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
  const names = option('--only', Object.keys(sequences).join(',')).split(',');
  const seed = Number(option('--seed', 1));
  const parts = await importTs('bench/objects/parts/inner.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.st.wasm')));
  const report = new Report(given);
  const all = {};
  const frames = [];
  for (const name of names) {
    const rows = await follow(parts, module, openSequence(shared, name), seed);
    frames.push(...rows);
    all[name] = settings.map((setting) => score(rows, setting));
  }
  report.heading(
    `Least confidence, and frames of proof, chosen with one of ${names.length} sequences left out (seed ${seed})`,
  );
  const held = names.map((name) => ({
    name,
    ...choose(
      names.filter((other) => other !== name),
      all,
    ),
  }));
  const inSample = choose(names, all);
  const today = settings.findIndex(({ least, proof }) => least === 0.5 && proof === 0);
  report.table([
    ['', 'chosen without it', 'F held out', 'F in sample', 'F at 0.5, 0 frames'],
    ...held.map(({ name, k }) => [
      name,
      named(settings[k]),
      ...[k, inSample.k, today].map((at) => fixed(all[name][at].f, 3)),
    ]),
  ]);
  const heldSums = held.map(({ name, k }) => all[name][k]);
  const sum = (key) => heldSums.reduce((total, one) => total + one[key], 0);
  const plain = judge(names, all, today);
  report.line(
    `Mean F at 0.25: held out ${fixed(meanOf(heldSums.map(({ f }) => f)), 3)}, in sample ${fixed(inSample.f, 3)} (${named(settings[inSample.k])}), at 0.5, 0 frames ${fixed(plain.f, 3)}; silent when absent: held out ${fixed(sum('silent') / sum('absent'), 3)}, in sample ${fixed(inSample.silence, 3)}, at 0.5, 0 frames ${fixed(plain.silence, 3)}.`,
  );
  report.heading('Reliability: frames with a box, by confidence');
  report.table([
    ['confidence', 'frames', 'overlap above 0.25'],
    ...Array.from({ length: 10 }, (_, d) => {
      const within = frames.filter((row) => row.shown && Math.min(9, Math.floor(10 * row.confidence)) === d);
      const right = within.filter(({ inside }) => inside > 0.25).length;
      return [
        `${fixed(d / 10)} to ${fixed((d + 1) / 10)}`,
        within.length,
        within.length ? fixed(right / within.length, 3) : '-',
      ];
    }).filter(([, count]) => count),
  ]);
}
