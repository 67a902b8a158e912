// What the trainer learns from: every face in some boxes that are off as the detector's are, half of them mirrored.
import { generator, normal } from '../../tools/random.mjs';
import { boxOf, jittered, mirror68, shapeSpace } from './shapes.mjs';
import { shared, sharedArray } from './dataset.mjs';

/** Of 68 points the distance of the outer eye corners, of others half of their box. */
export const measureOf = (points) =>
  points.length === 136 ? Math.hypot(points[72] - points[90], points[73] - points[91]) : boxOf(points).width / 2;

/** Degrees of yaw from which on faces count as turned. */
const TURNED = 25;

/**
 * Every `held`th face is not learned from: its samples come last, each in one box, and tell the error.
 * @returns `places`: corner of the unit square of the box and the ways along its sides, x and y of each (across negative
 * where mirrored); `truth`: points in that square; `basis`: the shape space, `residuals`: the way from the mean shape, along the basis
 */
export function makeSamples(faces, { boxes, turned, spread, held, coefficients, seed }) {
  const random = generator(seed);
  const { count, values, shapes } = faces;
  const mirrored = values === 136;
  const isHeld = (face) => held > 1 && face % held === held - 1;
  const all = [];
  const add = (face, flip) => {
    const box = jittered(
      boxOf(shapes.subarray(face * values, (face + 1) * values)),
      random,
      (own) => spread * normal(own),
    );
    all.push({ face, flip, ...box });
  };
  const isTurned = (face) => Math.abs(faces.records[face]?.yaw ?? 0) > TURNED;
  for (let n = 0; n < boxes + turned; n++)
    for (let face = 0; face < count; face++)
      if (!isHeld(face) && (n < boxes || isTurned(face)))
        for (const flip of mirrored ? [false, true] : [false]) add(face, flip);
  const learned = all.length;
  for (let face = 0; face < count; face++) if (isHeld(face)) add(face, false);

  const faceOf = sharedArray(Uint32Array, all.length);
  const places = sharedArray(Float64Array, 6 * all.length);
  const truth = sharedArray(Float32Array, values * all.length);
  // A distance in the unit square times this is one in eyes' distances.
  const measures = sharedArray(Float32Array, all.length);
  all.forEach(({ face, flip, x, y, width, height }, s) => {
    const [w, h] = [width - 1, height - 1];
    const points = shapes.subarray(face * values, (face + 1) * values);
    faceOf[s] = face;
    places.set(flip ? [x + w, y, -w, 0, 0, h] : [x, y, w, 0, 0, h], 6 * s);
    measures[s] = w / measureOf(points);
    for (let p = 0; p < values / 2; p++) {
      const from = 2 * (flip ? mirror68[p] : p);
      truth[s * values + 2 * p] = (points[from] - places[6 * s]) / places[6 * s + 2];
      truth[s * values + 2 * p + 1] = (points[from + 1] - y) / h;
    }
  });
  const mean = sharedArray(Float32Array, values);
  const sums = new Float64Array(values);
  for (let k = 0; k < learned * values; k++) sums[k % values] += truth[k];
  sums.forEach((sum, k) => (mean[k] = sum / learned));
  const size = Math.min(coefficients, values);
  const basis = shared(shapeSpace(truth.subarray(0, learned * values), mean, size, random));
  const residuals = sharedArray(Float32Array, size * all.length);
  for (let s = 0; s < all.length; s++)
    along({ mean, basis, size }, truth.subarray(s * values), residuals.subarray(s * size));
  return { count: all.length, learned, faceOf, places, truth, measures, mean, basis, residuals, size };
}

/** A shape's way from the mean along each direction of the basis. */
export function along({ mean, basis, size }, shape, out) {
  const values = mean.length;
  for (let d = 0; d < size; d++) {
    let sum = 0;
    for (let k = 0; k < values; k++) sum += (shape[k] - mean[k]) * basis[d * values + k];
    out[d] = sum;
  }
}
