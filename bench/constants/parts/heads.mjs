// Constants of a head's pose, of looking for its points again and of when they are trusted, by rendered faces.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { generator } from '../../../tools/random.mjs';
import { boxOf, jittered } from '../../../tools/train/shapes.mjs';
import { errors } from '../../faces/parts/data.mjs';
import { at } from './lines.mjs';

const [FACES, SEED, SIDE] = [300, 61, 200];
/** Of the pictures' size: the smallest have 20 pixels between the eyes. */
const SIZES = [1, 0.5, 0.3, 0.2];
/** Errors that are worth nothing: degrees, and shares of the distance of the outer eye corners. */
const [TURNED, AWAY] = [15, 0.15];
/** Points lie well up to this error (`confidence faces`). */
const WELL = 0.1;
/** The renderer's angles are positive where the nose is lowered, and against the clock. */
const SIGNS = { yaw: 1, pitch: -1, roll: -1 };

export const about = (faces) =>
  `${faces.length} faces of \`render:faces\`, seed ${SEED}, which no model has learned from, at ${SIZES.join(', ')} of their size, boxes as the detector's. Worth: the ` +
  `mean of three: pose where the points lie well (0 from ${TURNED} degrees on), points (0 from ${AWAY} on), and of warnings the mean of the shares of points that ` +
  `lie well without one and of others with one. Groups: faces.`;

export const constants = at('src/faces', [
  ['head.ts', 'LONGEST = 0.6', 0.4, 0.9],
  ['head.ts', 'if (point < 17) return 0.1', 0.05, 0.2],
  ['head.ts', 'if (point < 27) return 0.2', 0.1, 0.4],
  ['head.ts', 'return point < 48 ? 1 : 0.3', 0.2, 0.45],
  ['head.ts', 'const trust = { eyes: 16', 12, 20, 24],
  ['head.ts', 'const trust = { eyes: 16, yaw: 0.7', 0.6, 0.8],
  ['head.ts', 'const trust = { eyes: 16, yaw: 0.7, pitch: 0.5', 0.4, 0.62],
  ['head.ts', 'const trust = { eyes: 16, yaw: 0.7, pitch: 0.5, residual: 0.12', 0.09, 0.16],
  ['head.ts', 'residual: 0.12, confidence: 0.5', 0.4, 0.6, 0.7],
  ['landmarks.ts', 'ENOUGH = 0.8', 0.7, 0.9],
  ['landmarks.ts', 'const OTHERS = [\n  [0.12', 0.08, 0.17],
  ['landmarks.ts', '[0, 0.1', 0.07, 0.14],
  ['landmarks.ts', '[0, 0, 0.85', 0.78, 0.91],
  ['landmarks.ts', '[0, 0, 1.18', 1.1, 1.28],
]);

export async function prepare({ importTs, shared }) {
  if (!shared || !existsSync(path.join(shared, 'data/ict'))) return null;
  const { drawFraming, grayOf, readModel, Renderer } = await importTs('tools/faces/render/index.ts');
  const renderer = new Renderer(readModel(readFileSync(path.join(shared, 'data/ict/ict-face.bin'))));
  return Array.from({ length: FACES }, (_, i) => {
    const one = (Math.imul(SEED, 0x9e3779b1) + i) | 0;
    const { data, points, record } = renderer.render(one, drawFraming(one, SIDE));
    return { image: { width: SIDE, height: SIDE, data: grayOf(data) }, points: Float32Array.from(points), record };
  });
}

/** By face: fits and what they are worth, poses, points that lie well and others, and those called so. */
export async function measure({ importTs, root }, faces) {
  const library = await importTs('bench/faces/parts/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await library.Runtime.create({ module });
  const model = library.readLandmarks(new Uint8Array(readFileSync(path.join(root, 'models/landmarks-68.bin'))));
  const random = generator(9);
  const groups = {};
  for (const [i, { image, points, record }] of faces.entries()) {
    const counts = (groups[`face ${i}`] = {
      fits: 0,
      points: 0,
      poses: 0,
      pose: 0,
      well: 0,
      trusted: 0,
      ill: 0,
      warned: 0,
    });
    for (const size of SIZES) {
      const source = runtime.plane(image.width, image.height, 'u8', image.data);
      const plane = library.driveNow(runtime, (scope) => library.reduceTo(scope, source, Math.round(size * SIDE)));
      const truth = points.map((v) => (v + 0.5) * size - 0.5);
      const box = jittered(boxOf(truth), random);
      const [{ shape, confidence }] = library.driveNow(runtime, (scope) =>
        library.fitFaces(scope, plane, [box], model, { again: true }),
      );
      plane.dispose();
      if (source !== plane) source.dispose();
      const { nme } = errors(shape, truth);
      const measures = library.measureFace(shape, confidence);
      const trusted = Boolean(measures && !measures.warnings.length);
      counts.fits++;
      counts.points += Math.max(0, 1 - nme / AWAY);
      if (nme > WELL) {
        counts.ill++;
        counts.warned += Number(!trusted);
        continue;
      }
      counts.well++;
      counts.trusted += Number(trusted);
      const off = Object.entries(SIGNS).map(([angle, sign]) =>
        measures ? Math.abs((measures[angle] * 180) / Math.PI - sign * record[angle]) : Infinity,
      );
      counts.poses++;
      counts.pose += Math.max(0, 1 - (off[0] + off[1] + off[2]) / 3 / TURNED);
    }
  }
  runtime.dispose();
  return groups;
}

const partsOf = ({ fits, points, poses, pose, well, trusted, ill, warned }) => [
  pose / poses,
  points / fits,
  (trusted / well + warned / ill) / 2,
];
export const worth = (counts) => partsOf(counts).reduce((a, b) => a + b, 0) / 3;
export const figures = (counts) => {
  const [pose, points] = partsOf(counts);
  const { trusted, well, warned, ill } = counts;
  return `pose ${pose.toFixed(3)}, points ${points.toFixed(3)}, ${trusted} of ${well} that lie well without a warning, ${warned} of ${ill} others with one`;
};
