// Objects: F at overlap 0.25 over the first frames of sequences, defaults, seed 1.
import { ofGroups, widestOf } from '../../../bench/parts/intervals.mjs';
import { mean, overlap } from '../../../bench/parts/numbers.mjs';
import { openSequence } from '../../../bench/objects/parts/sequences.mjs';
import { placeBox, sourceOf } from './pictures.mjs';

const NAMES = ['david', 'jumping', 'crossing', 'human7'];
const FRAMES = 25;

/** The frames as pictures. A sequence is decoded whole, and only its beginning is kept. */
function beginning(shared, name) {
  const { frame, truth } = openSequence(shared, name, undefined, { color: true });
  const pictures = Array.from({ length: FRAMES }, (_, i) => {
    const { width, height, data } = frame(i);
    if (data instanceof Uint8Array) return { width, height, channels: 1, data: data.slice() };
    const rgb = new Uint8Array(3 * width * height).map((_, k) => data[4 * Math.floor(k / 3) + (k % 3)]);
    return { width, height, channels: 3, data: rgb };
  });
  return { name, pictures, truth: truth.slice(0, FRAMES) };
}

export async function objects({ shared, engine }) {
  const pieces = NAMES.map((name) => beginning(shared, name));
  const means = [];
  return {
    title: `Objects: the first ${FRAMES} frames of ${pieces.length} sequences`,
    about: '100 F at overlap 0.25; a dash: the box is smaller than the tracker takes',
    columns: [...NAMES, 'mean'],
    intervals: () => [
      `Mean: bootstrap over the ${pieces.length} sequences, so few that it is rough, 95 %, where it is widest, ${widestOf(means, 1)}.`,
    ],
    async measure(change) {
      const values = [];
      for (const piece of pieces) values.push(await follow(engine, piece, change));
      const taken = values.filter((value) => !Number.isNaN(value));
      means.push([mean(taken).toFixed(1), ofGroups(taken)]);
      return [...values, mean(taken)].map((value) => ({ value, unit: 'points' }));
    },
  };
}

/** 100 F; NaN where the tracker refuses the box as too small. */
async function follow(engine, { pictures, truth }, change) {
  const tracker = engine.createObjectTracker({ seed: 1 });
  let [given, right, present] = [1, 1, 1];
  try {
    for (const [i, picture] of pictures.entries()) {
      const { picture: changed, map } = await change(picture, i);
      const source = sourceOf(changed);
      const wanted = truth[i] && placeBox(map, truth[i]);
      if (i === 0) {
        await tracker.start(source, wanted);
        continue;
      }
      const { box } = await tracker.process(source, { timestamp: 40 * i });
      if (box) given++;
      if (wanted) present++;
      if (box && wanted && overlap(box, wanted) > 0.25) right++;
    }
  } catch (error) {
    if (error.code !== 'invalid-argument') throw error;
    return NaN;
  } finally {
    await tracker.dispose();
  }
  return (200 * right) / (given + present);
}
