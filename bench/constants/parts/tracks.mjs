// Constants by which faces are followed and known again, by scenes with heads of rendered persons.
import { failuresOf, personsOf, scenesOf } from '../../faces/lost.mjs';
import { at } from './lines.mjs';

/** Other persons and scenes than those of `lost faces`. */
const SEED = 74;

export const about = (persons) =>
  `${scenesOf(persons, SEED).length} scenes with heads of ${persons.length} rendered persons, boxes alone: covered, slid over, behind a pillar, crossing, ` +
  'replaced (as `lost faces` has them, others). Worth: the share of the heads that keep their id. Groups: scenes. The four constants ' +
  'that `lost faces` chooses are not among them.';

export const constants = at('src/faces', [
  ['face-track.ts', 'DISAGREEMENT = 0.15', 0.11, 0.2],
  ['face-track.ts', 'SMALLEST = 16', 12, 21],
  ['face-track.ts', 'COVERED = 0.4', 0.3, 0.5],
  ['face-track.ts', 'CLEAR = 0.85', 0.75, 0.95],
  ['face-track.ts', 'TAKEN_ON = 0.05', 0.035, 0.07],
  ['face-track.ts', 'PLAUSIBLE = 0.3', 0.22, 0.4],
  ['face-track.ts', 'NO_FACE = 0.1', 0.07, 0.14],
  ['face-track.ts', 'DOUBTS = 4', 3, 6],
  ['motion.ts', 'ASTRAY = 0.02', 0.014, 0.028],
  ['motion.ts', 'LEAST_SHARE = 0.4', 0.3, 0.5],
  ['motion.ts', 'MEDIANS = 2.5', 1.9, 3.3],
  ['motion.ts', 'SMALLEST_SCALE, LARGEST_SCALE] = [0.7', 0.6, 0.8],
  ['motion.ts', 'SMALLEST_SCALE, LARGEST_SCALE] = [0.7, 1.4', 1.25, 1.65],
  ['tracker.ts', 'PATIENCE = { landmarks: 12', 8, 17],
  ['tracker.ts', 'PATIENCE = { landmarks: 12, boxes: 4', 3, 6],
  ['tracker.ts', 'SAME = 0.3', 0.22, 0.4],
  ['search.ts', 'SOON = 0.5', 0.38, 0.65],
  ['one-face.ts', 'ONE = 0.6', 0.45, 0.75],
  ['lost-faces.ts', 'far: 6', 4, 8],
  ['lost-faces.ts', 'size: 2', 1.6, 2.5],
  ['lost-faces.ts', 'blind: 60', 40, 80],
  ['lost-faces.ts', 'briefly: 10', 7, 14],
  ['lost-faces.ts', 'distance: 0.03', 0.02, 0.04],
  ['lost-faces.ts', 'age: 3', 2, 5],
]);

export const prepare = (given) => personsOf(given, SEED);

/** By scene: heads, and those that lose their id. */
export async function measure({ importTs }, persons) {
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, backend: 'wasm' });
  const groups = {};
  for (const [i, { kind, scene, own }] of scenesOf(persons, SEED).entries())
    groups[`${kind} ${i}`] = {
      heads: scene.at(0).length,
      lost: await failuresOf(engine, { scene, own }),
    };
  await engine.dispose();
  return groups;
}

export const worth = ({ heads, lost }) => 1 - lost / heads;
export const figures = ({ heads, lost }) => `${heads - lost} of ${heads} heads keep their id`;
