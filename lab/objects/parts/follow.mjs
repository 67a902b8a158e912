// A sequence followed by the tracker's parts in Node, with other constants than the defaults if need be: what is decided of
// each frame, and what a choice of boxes comes to.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { overlap } from '../../../bench/parts/numbers.mjs';

/** The parts, and the kernels. */
export async function openParts({ root, importTs }) {
  const parts = await importTs('lab/objects/parts/inner.ts');
  const kernels = readFileSync(path.join(root, 'dist/kernels.wasm'));
  return { ...parts, kernels, module: await WebAssembly.compile(kernels) };
}

/** Four sequences of one: each way begins with the first true box it comes to. */
export const ways = {
  forward: (sequence) => fromFrame(sequence, 0),
  backward: (sequence) => backwards(sequence, sequence.frames - 1),
  middle: (sequence) => fromFrame(sequence, Math.floor(0.35 * sequence.frames)),
  'middle back': (sequence) => backwards(sequence, Math.floor(0.65 * sequence.frames)),
};

function fromFrame({ truth, frames }, from) {
  const first = truth.findIndex((box, i) => box && i >= from);
  return Array.from({ length: frames - first }, (_, i) => first + i);
}

function backwards({ truth }, from) {
  const first = truth.findLastIndex((box, i) => box && i <= from);
  return Array.from({ length: first + 1 }, (_, i) => first - i);
}

/**
 * Of every frame but the first: what is followed, whether it is shown, and how much of the target it holds. `rule`:
 * constants of src/objects/filter-integrator.ts, `look`: of the filters (APPEARANCE_RULE in src/objects/filter-integrator.ts).
 */
export async function follow(parts, sequence, { seed = 1, rule = {}, look = {}, way = 'forward' }) {
  const { Runtime, SharedFrame, Target, objectParameters, resolveParameters, toPlane } = parts;
  const values = resolveParameters(objectParameters, { seed }, 'bench objects');
  const runtime = await Runtime.create({ module: parts.module });
  const { driver } = runtime;
  const make = async (i) => {
    const frame = sequence.frame(i);
    const kind = frame.data instanceof Uint8ClampedArray ? 'rgba' : 'gray';
    const plane = await toPlane(runtime, { kind, ...frame }, 'color', { backend: 'wasm' });
    const shared = driver.now(SharedFrame.make(runtime, plane, values));
    plane.dispose();
    return shared;
  };
  const [first, ...others] = ways[way](sequence);
  let before = await make(first);
  const target = new Target(runtime, 1, sequence.truth[first], values, before.colored);
  const { record, appearance } = target.integrator;
  record.set(rule);
  appearance.record.set(look);
  driver.now(target.begin(before, sequence.truth[first]));
  before.disposeDetection();
  const rows = [];
  for (const i of others) {
    const frame = await make(i);
    const { box } = driver.now(target.process(before, frame));
    frame.disposeDetection();
    before.dispose();
    before = frame;
    const truth = sequence.truth[i];
    rows.push({
      shown: box !== null,
      // What would be reported if nothing were held back.
      followed: record.get('chain') === 1,
      rivalry: record.get('rivalry'),
      // Set where it is found again, and counted down from the next frame on.
      again: record.get('probation') === 8,
      unproven: record.get('unproven') === 1,
      trusted: record.get('trustedFor'),
      present: Boolean(truth),
      inside: truth ? overlap(boxAt(record), truth) : 0,
    });
  }
  before.dispose();
  target.dispose();
  runtime.dispose();
  return rows;
}

const boxAt = (record) => Object.fromEntries(['x', 'y', 'width', 'height'].map((key) => [key, record.get(key)]));

/** F at 0.25 and silence of what `reported` picks; the first frame is the user's. */
export function score(rows, reported = (row) => row.shown) {
  let [given, right, present, absent, silent] = [1, 1, 1, 0, 0];
  for (const row of rows) {
    const box = reported(row);
    if (box) given++;
    if (box && row.inside > 0.25) right++;
    if (row.present) present++;
    else absent++;
    if (!row.present && !box) silent++;
  }
  return { f: (2 * right) / (given + present), absent, silent };
}

const meanOf = (list) => list.reduce((sum, v) => sum + v, 0) / list.length;

/** What scores of sequences come to: mean F, and the share of all absent frames without a box. */
export function judge(scores) {
  const absent = scores.reduce((sum, one) => sum + one.absent, 0);
  const silent = scores.reduce((sum, one) => sum + one.silent, 0);
  return { f: meanOf(scores.map(({ f }) => f)), silence: absent ? silent / absent : 1 };
}

/** Wanted in absent frames. */
export const SILENT = 0.9;

/**
 * Index of the best setting by `scores[name][setting]` of these sequences: the highest mean F of those that are silent in 90 %
 * of the absent frames (of none, the most silent).
 */
export function choose(names, scores) {
  const judged = scores[names[0]].map((_, k) => ({ k, ...judge(names.map((name) => scores[name][k])) }));
  const quiet = judged.filter(({ silence }) => silence >= SILENT);
  const best = quiet.length
    ? quiet.reduce((a, b) => (b.f > a.f ? b : a))
    : judged.reduce((a, b) => (b.silence > a.silence ? b : a));
  return best.k;
}

/** For each sequence the choice of the others; then that of all. */
export const leaveOneOut = (names, scores) => ({
  held: names.map((name) =>
    choose(
      names.filter((other) => other !== name),
      scores,
    ),
  ),
  all: choose(names, scores),
});
