// Annotated faces of photographs as the trainer reads rendered ones: square pictures, the face in the middle half of each.
import { sharedArray } from './dataset.mjs';
import { samplePatch } from './patch.mjs';
import { LARGER, boxOf } from './shapes.mjs';

/** @param list  [{ image: { width, height, data }, points: [x, y, ...] }] */
export function cropFaces(list, side = 200) {
  const count = list.length;
  const values = list[0]?.points.length ?? 0;
  if (!count || list.some(({ points }) => points.length !== values || !points.every(Number.isFinite)))
    throw new Error('Every face needs equally many points, and there must be faces.');
  const gray = sharedArray(Uint8Array, count * side * side);
  const shapes = sharedArray(Float32Array, count * values);
  list.forEach(({ image, points }, n) => {
    const box = boxOf(points);
    const step = (2 * box.width) / LARGER / side;
    const [left, top] = [box.x + box.width / 2 - (side * step) / 2, box.y + box.height / 2 - (side * step) / 2];
    samplePatch(image, left, top, step, step, side, gray.subarray(n * side * side, (n + 1) * side * side));
    points.forEach((v, k) => (shapes[n * values + k] = (v - (k % 2 ? top : left)) / step));
  });
  return { count, side, values, gray, shapes, records: [] };
}
