// Constants of the objects' kernels that `tune objects` cannot set, by the eighteen sequences.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { follow, openParts, score, ways } from '../../objects/parts/follow.mjs';
import { openSequence, sequences } from '../../objects/parts/sequences.mjs';
import { at } from './lines.mjs';

/** Sequences are followed from these ways' first true box on, so many frames. */
const WAY = 'middle';
const FRAMES = 150;

export const about = (data) =>
  `${data.names.length} sequences from their middle on, ${FRAMES} frames at most, default settings, seed 1. Worth: the mean of F at ` +
  'overlap 0.25. Groups: sequences. The constants that are numbers of a record are chosen by `tune objects`.';

export const constants = at('assembly/objects', [
  ['filter-integrator.ts', 'RATE: f64 = 0.03', 0.02, 0.045],
  ['filter-integrator.ts', 'SETTLED: i32 = 3', 2, 5],
  ['filter-integrator.ts', 'PROVEN: i32 = 10', 7, 14],
  ['filter-integrator.ts', 'PROBATION: i32 = 8', 5, 12],
  ['filter-integrator.ts', 'STEP: f64 = 1.08', 1.05, 1.11],
  ['filter-integrator.ts', 'MOST_STEP: f64 = 1.1', 1.06, 1.15],
  ['filter-integrator.ts', 'PLACED_RIVALRY: f64 = 0.15', 0.1, 0.22],
  ['filter-integrator.ts', 'FOUND_RIVALRY: f64 = 0.3', 0.2, 0.4],
  ['filter-integrator-proposals.ts', 'ELSEWHERE: f64 = 0.5', 0.38, 0.65],
  ['filter-integrator-proposals.ts', 'PROMISING: f64 = 0.35', 0.27, 0.45],
  ['filter-integrator-proposals.ts', 'SCANS: i32 = 3', 2, 5],
  ['filter-integrator-proposals.ts', 'APART: f64 = 1.2', 0.9, 1.6],
  ['appearance-brightness.ts', 'WEIGHT: f32 = 0.3', 0.2, 0.45],
  ['appearance-histograms.ts', 'CLIP: f32 = 0.2', 0.15, 0.27],
  ['appearance-solve.ts', 'PULL_GROWS: f32 = 10', 7, 14],
  ['appearance.ts', 'RATE: f32 = 0.03', 0.02, 0.045],
]);

export async function prepare({ shared }) {
  if (!shared || !existsSync(path.join(shared, 'data/tld'))) return null;
  return { shared, names: Object.keys(sequences) };
}

function shortened(sequence) {
  const [first] = ways[WAY](sequence);
  const truth = sequence.truth.slice(first, first + FRAMES);
  return { ...sequence, truth, frames: truth.length, frame: (i) => sequence.frame(first + i) };
}

/** By sequence: F, and that it is one. */
export async function measure(given, { shared, names }) {
  const parts = await openParts(given);
  const groups = {};
  for (const name of names) {
    const sequence = shortened(openSequence(shared, name, undefined, { color: true }));
    groups[name] = { sequences: 1, f: score(await follow(parts, sequence, { seed: 1 })).f };
  }
  return groups;
}

export const worth = (counts) => counts.f / counts.sequences;
export const figures = (counts) => `mean F ${worth(counts).toFixed(3)} over ${counts.sequences} sequences`;
