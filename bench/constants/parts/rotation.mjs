// Constants by which the turn of a target is measured, by pieces of pictures that turn before others.
import { generator } from '../../../tools/random.mjs';
import { turningPictures, turningScene } from '../../objects/parts/turning.mjs';
import { at } from './lines.mjs';

const FRAMES = 60;
/** Degrees a frame. */
const RATES = [0, 2, 5, 10];
/** As those of `rotation objects`; other places of the pictures. */
const TARGETS = [
  ['photographer', 'portrait', 300, 180, 28],
  ['photographer', 'portrait', 150, 380, 36],
  ['portrait', 'photographer', 160, 200, 36],
  ['portrait', 'photographer', 260, 330, 28],
  ['photographer', 'portrait', 420, 250, 20],
  ['portrait', 'photographer', 330, 160, 20],
];
/** How many at random places there are with another seed, and their radii. */
const [OTHERS, RADII] = [8, [20, 28, 36, 24]];
/** Degrees: an angle that is off by more is wrong. */
const RIGHT = 5;

export const about = ({ targets }) =>
  `${targets.length} pieces of two pictures that turn by ${RATES.join(', ')} degrees a frame, ${FRAMES} frames each; other pieces than those of \`rotation objects\`. Worth: ` +
  `the share of the frames whose angle is within ${RIGHT} degrees; none counts as wrong. Groups: pieces.`;

export const constants = at('src/objects', [
  ['rotation.ts', 'REACH, NEAR] = [12', 8, 17],
  ['rotation.ts', 'REACH, NEAR] = [12, 2', 1, 3],
  ['rotation.ts', 'BELIEVED, LEARNED, RATE] = [0.4', 0.3, 0.5],
  ['rotation.ts', 'BELIEVED, LEARNED, RATE] = [0.4, 0.7', 0.6, 0.8],
  ['rotation.ts', 'BELIEVED, LEARNED, RATE] = [0.4, 0.7, 0.05', 0.035, 0.07],
  ['rotation.ts', 'STEPS, AWAY, MOST] = [[0.08', 0.06, 0.11],
  ['rotation.ts', 'STEPS, AWAY, MOST] = [[0.08, 0.03', 0.02, 0.045],
  ['rotation.ts', 'STEPS, AWAY, MOST] = [[0.08, 0.03], 0.5', 0.35, 0.7],
  ['rotation.ts', 'STEPS, AWAY, MOST] = [[0.08, 0.03], 0.5, 1.5', 1.25, 1.8],
]);

function somewhere(pictures, seed) {
  const random = generator(seed);
  return Array.from({ length: OTHERS }, (_, i) => {
    const pair = i % 2 ? ['portrait', 'photographer'] : ['photographer', 'portrait'];
    const radius = RADII[i >> 1];
    const within = (size) => Math.round(radius + 10 + random() * (size - 2 * radius - 20));
    const { width, height } = pictures[pair[0]];
    return [...pair, within(width), within(height), radius];
  });
}

export const prepare = ({ root, more = 0 }) => ({
  seed: 100 + more,
  targets: more ? somewhere(turningPictures(root), more) : TARGETS,
});

/** By piece: frames, and those whose angle is right. */
export async function measure({ importTs, root }, { seed, targets }) {
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, threads: 1, backend: 'wasm' });
  const pictures = turningPictures(root);
  const groups = {};
  for (const [n, target] of targets.entries()) {
    const counts = (groups[`piece ${n}`] = { frames: 0, right: 0 });
    for (const rate of RATES) {
      const scene = turningScene(pictures, target, rate, seed + n);
      const tracker = engine.createObjectTracker({ rotation: true });
      await tracker.start(scene.frame(0), scene.box);
      for (let t = 1; t <= FRAMES; t++) {
        const { angle } = await tracker.process(scene.frame(t), { timestamp: 40 * t });
        counts.frames++;
        counts.right += Number(scene.off(angle, t) <= RIGHT);
      }
      await tracker.dispose();
    }
  }
  await engine.dispose();
  return groups;
}

export const worth = ({ frames, right }) => right / frames;
export const figures = ({ frames, right }) => `${right} of ${frames} frames within ${RIGHT} degrees`;
