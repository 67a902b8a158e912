// Pupils: share with the center within 5 px of the set's own size, and silence where there is none, for each method.
import path from 'node:path';
import { widest } from '../../../bench/parts/intervals.mjs';
import { realSets } from '../../../bench/pupil/parts/real-sets.mjs';
import { place, readPicture, scaleOf, sourceOf } from './pictures.mjs';

const METHODS = ['robust', 'starburst', 'threshold', 'hough'];

export async function pupils({ shared, engine, every = 8 }) {
  const sets = realSets(shared)?.filter(({ images }) => images) ?? [];
  const frames = [];
  for (const { images, truth } of sets) {
    const taken = { true: 0, false: 0 };
    for (const [i, image] of images.entries()) {
      // Frames without a pupil are few.
      if (taken[truth[i].present]++ % (truth[i].present ? every : 2)) continue;
      const picture = await readPicture(path.join(shared, 'data/pupil', image), { gray: true });
      frames.push({ picture, truth: truth[i] });
    }
  }
  const present = frames.filter(({ truth }) => truth.present).length;
  const [near, quiet] = [[], []];
  return {
    title: `Pupils: ${present} frames with and ${frames.length - present} without one, each by itself`,
    about:
      'Percent with the center within 5 px of the set’s own size (a fall: more than 5 points), and how many of the ' +
      'frames without a pupil stay silent',
    columns: [...METHODS, ...METHODS.map((method) => `silent, ${method}`)],
    intervals: () => [`Within 5 px: ${widest(near)}`, `Silent: ${widest(quiet)}`],
    async measure(change) {
      const [right, silent] = [METHODS.map(() => 0), METHODS.map(() => 0)];
      const trackers = METHODS.map((method) => engine.createPupilTracker({ method }));
      for (const [i, { picture, truth }] of frames.entries()) {
        const { picture: changed, map } = await change(picture, i);
        for (const [m, tracker] of trackers.entries()) {
          await tracker.reset();
          const { pupils: found } = await tracker.process(sourceOf(changed), { timestamp: 0 });
          const [one] = found;
          if (!truth.present) silent[m] += one.found ? 0 : 1;
          else if (one.found) {
            const [x, y] = place(map, truth.x, truth.y);
            if (Math.hypot(one.x - x, one.y - y) <= 5 * scaleOf(map)) right[m]++;
          }
        }
      }
      for (const tracker of trackers) await tracker.dispose();
      const without = frames.length - present;
      near.push(...right.map((n) => [n, present]));
      quiet.push(...silent.map((n) => [n, without]));
      return [
        ...right.map((n) => ({ value: (100 * n) / present, unit: 'points' })),
        ...silent.map((n) => ({ value: (100 * n) / without, unit: 'points' })),
      ];
    },
  };
}
