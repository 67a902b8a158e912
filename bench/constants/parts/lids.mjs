// Constants by which the open eye is learned, by sequences put together from pictures of rendered persons.
import { generator } from '../../../tools/random.mjs';
import { look } from '../../../tools/faces/eyes/figures.mjs';
import { prepare as personsOf } from './eyes.mjs';
import { at } from './lines.mjs';

/** Near the camera first, then farther away. */
const SIZES = [1, 0.6];
/** Frames a second, and of each distance. */
const [RATE, FRAMES] = [30, 750];
/** Frames from one blink to the next, of a blink, and between looks: least and most. */
const [APART, SHUT, LOOKS] = [
  [50, 200],
  [3, 8],
  [10, 60],
];
/** Half-closed looks among the others, and lids that are open, and shut. */
const [HALF, OPEN, CLOSED] = [0.1, 0.15, 0.95];
/** Sequences of a person. */
const RUNS = 3;
/** An open frame that is called a blink counts so many times (tools/faces/eyes/blinks.mjs). */
const COST = 2;

export const about = (persons) =>
  `${persons.length} rendered persons, ${RUNS} sequences of each: ${FRAMES / RATE} s near the camera and as long farther away (${SIZES.join(' and ')} of the size), ${RATE} frames a ` +
  `second, looks that change every ${LOOKS.map((n) => (n / RATE).toFixed(1)).join(' to ')} s, some with half-closed lids, blinks every ${APART.map((n) => (n / RATE).toFixed(1)).join(' to ')} s. Worth: frames of shut eyes that are ` +
  'called blinks and, twice, frames of open ones that are not; frames without an answer count as wrong. Groups: persons.';

export const constants = at('src/faces', [
  ['eye-state.ts', 'KEPT = 120', 80, 180],
  ['eye-state.ts', 'APART = 50', 33, 100],
  ['eye-state.ts', 'LEAST_KNOWN = 6', 4, 8, 12],
  ['eye-state.ts', 'OPEN = 0.6', 0.5, 0.75],
]);

const lidsOf = ({ record }) => (record.blink[0] + record.blink[1]) / 2;

/** By person: the trusted measures of pictures of each kind of lids, at each size. */
export async function prepare(given) {
  const pictures = await personsOf(given);
  if (!pictures) return null;
  const { faces, kernels, model } = pictures;
  const library = await given.importTs('tools/faces/eyes/library.ts');
  const runtime = await library.Runtime.create({ module: await WebAssembly.compile(kernels) });
  const seen = look(library, runtime, library.readLandmarks(new Uint8Array(model)), faces, SIZES);
  runtime.dispose();
  const persons = new Map();
  for (const { share, record, measures } of seen) {
    if (measures.warnings.length || record.worn.includes('sunglasses')) continue;
    const sizes = persons.get(record.person) ?? SIZES.map(() => ({ open: [], half: [], shut: [] }));
    persons.set(record.person, sizes);
    const lids = lidsOf({ record });
    const kind = lids < OPEN ? 'open' : lids > CLOSED ? 'shut' : 'half';
    sizes[SIZES.indexOf(share)][kind].push(measures.eyes.map(({ opening }) => opening));
  }
  return [...persons]
    .filter(([, sizes]) => sizes.every(({ open, shut }) => open.length >= 2 && shut.length))
    .map(([person, sizes]) => ({ person, sizes }));
}

/** Frames of one distance: { openings, kind }. */
function framesOf({ open, half, shut }, random) {
  const within = ([least, most]) => least + Math.floor(random() * (most - least + 1));
  const one = (list) => list[Math.floor(random() * list.length)];
  const frames = [];
  let [blink, look] = [within([0, APART[1]]), 0]; // also while the eyes are shut for the first time
  let shown = null;
  while (frames.length < FRAMES) {
    if (frames.length >= blink) {
      const openings = one(shut);
      for (let n = within(SHUT); n > 0; n--) frames.push({ openings, kind: 'shut' });
      blink = frames.length + within(APART);
    }
    if (frames.length >= look) {
      const kind = half.length && random() < HALF ? 'half' : 'open';
      shown = { openings: one(kind === 'half' ? half : open), kind };
      look = frames.length + within(LOOKS);
    }
    frames.push(shown);
  }
  return frames;
}

/** By person: frames of open and of shut eyes, and those called right. */
export async function measure({ importTs }, persons) {
  const { EyeState, isBlink } = await importTs('src/faces/eye-state.ts');
  const groups = {};
  for (const { person, sizes } of persons) {
    const counts = (groups[`person ${person}`] = { open: 0, opened: 0, shut: 0, closed: 0 });
    for (let run = 0; run < RUNS; run++) {
      const random = generator(31 * person + run);
      const state = new EyeState();
      const frames = sizes.flatMap((size) => framesOf(size, random));
      for (const [i, { openings, kind }] of frames.entries()) {
        const eyes = openings.map((opening) => ({ opening }));
        const openness = state.openness({ eyes }, (1000 * i) / RATE);
        const blink = openness && isBlink(openness);
        if (kind === 'open') counts.opened += Number(blink === false);
        if (kind === 'shut') counts.closed += Number(blink === true);
        if (kind !== 'half') counts[kind]++;
      }
    }
  }
  return groups;
}

export const worth = ({ open, opened, shut, closed }) => (closed / shut + (COST * opened) / open) / (1 + COST);
export const figures = ({ open, opened, shut, closed }) =>
  `${closed} of ${shut} frames of shut eyes called blinks, ${opened} of ${open} frames of open ones not`;
