// Boxes against annotated faces, and against those of OpenCV.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { overlap } from '../../parts/numbers.mjs';
import { cvDetector, openCv } from './opencv.mjs';

/** Per set: images, faces, those found at IoU 0.5, the sum of their IoU, other boxes, and how many of these are faces. */
export function scoreBoxes(images, boxesOf) {
  const sets = {};
  images.forEach((image, i) => {
    const s = (sets[image.set] ??= { images: 0, faces: 0, found: 0, iou: 0, other: 0, beside: 0 });
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
    s.beside += [...left].filter((own) => image.beside.some((box) => overlap(own, box) >= 0.4)).length;
  });
  return sets;
}

/** The smallest face is a share of the searched image, as it was for the peers. */
export async function detectAll(engine, images, options) {
  const out = [];
  for (const { width, height, data } of images) {
    const scale = Math.max(1, Math.max(width, height) / 640);
    out.push(await engine.detectFaces({ width, height, data }, { maxSide: 640, minSize: 30 * scale, ...options }));
  }
  return out;
}

function middle({ width, height, data }, side) {
  const [w, h] = [Math.min(width, side), Math.min(height, side)];
  const [x, y] = [(width - w) >> 1, (height - h) >> 1];
  const out = new Uint8Array(w * h);
  for (let j = 0; j < h; j++) out.set(data.subarray((y + j) * width + x, (y + j) * width + x + w), j * w);
  return { width: w, height: h, data: out };
}

/**
 * { set, name, iou } of every box of OpenCV.js (frontalface_alt), 0 where none of ours overlaps it. The same pixels for
 * both: images that need no reduction, and others cut to their middle.
 */
export async function openCvCases(engine, images, shared) {
  const { cv } = await openCv();
  const xml = readFileSync(path.join(shared, 'data/faces/models/haarcascade_frontalface_alt.xml'));
  const detect = cvDetector(cv, 'alt', new Uint8Array(xml));
  const cases = [];
  for (const image of images) {
    const cut = middle(image, 640);
    const reference = detect(cut);
    const ours = await engine.detectFaces(cut, { maxSide: 0, minSize: 30, verifier: null });
    for (const box of reference)
      cases.push({ set: image.set, name: image.name, iou: Math.max(0, ...ours.map((b) => overlap(b, box))) });
  }
  return cases;
}
