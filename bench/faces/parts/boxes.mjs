// Boxes against annotated faces.
import { overlap } from '../../parts/numbers.mjs';

/** Per set: images, faces, those found at IoU 0.5, the sum of their IoU, other boxes. */
export function scoreBoxes(images, boxesOf) {
  const sets = {};
  images.forEach((image, i) => {
    const s = (sets[image.set] ??= { images: 0, faces: 0, found: 0, iou: 0, other: 0 });
    s.images++;
    const left = new Set(boxesOf[i]);
    for (const { box } of image.faces) {
      s.faces++;
      const [best] = [...left].sort((a, b) => overlap(b, box) - overlap(a, box));
      if (!best || overlap(best, box) < 0.5) continue;
      left.delete(best);
      s.found++;
      s.iou += overlap(best, box);
    }
    s.other += left.size;
  });
  return sets;
}

/** The smallest face is a share of the searched image, as it was for the peers. */
export async function detectAll(engine, images, options) {
  const out = [];
  for (const { width, height, data } of images) {
    const scale = Math.max(1, Math.max(width, height) / 640);
    out.push(await engine.detectFaces({ width, height, data }, { minSize: 30 * scale, ...options }));
  }
  return out;
}
