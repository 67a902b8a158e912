import { clamp } from './arithmetic.ts';
import { hardFrame, type HardMeta } from './hard-set.ts';
import { normalTable, Random } from './random.ts';
import { defocus } from './sensor.ts';
import type { EyeFrame, Truth } from './scene.ts';

/**
 * Frames of the hard set as other cameras would have them: a window of the frame at another size, turned or mirrored,
 * with another tone curve, overexposed or dim, softer or noisier. Frame i depends on the seed and i alone. The
 * confidence of the robust detector is fitted to these, so that it does not learn one camera.
 */
export interface VariedMeta extends HardMeta {
  /** Output pixels per pixel of the hard frame. */
  scale: number;
}

export function* variedSet(options: { count: number; seed: number }): Generator<EyeFrame<VariedMeta>> {
  for (let i = 0; i < options.count; i++) yield variedFrame(i, options.seed);
}

interface Window {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A window that keeps the pupil, if there is one, entirely inside in three of four frames and its center in all. */
function chooseWindow(random: Random, { width, height, truth }: EyeFrame<HardMeta>): Window {
  const { circle, ellipse } = truth;
  const least = circle ? Math.max(3 * circle.r, 150) : 160;
  const w = Math.min(width, random.uniform(least, 1.2 * width));
  const h = Math.min(height, Math.max(w * random.uniform(0.7, 1.1), 0.8 * least));
  if (!ellipse || !circle)
    return { x: random.uniform(0, width - w), y: random.uniform(0, height - h), width: w, height: h };
  const margin = random.unit() < 0.75 ? 1.15 * circle.r : 0.4 * circle.r;
  const place = (center: number, size: number, whole: number) =>
    clamp(center - random.uniform(Math.min(margin, size / 2), Math.max(size - margin, size / 2)), 0, whole - size);
  return { x: place(ellipse.x, w, width), y: place(ellipse.y, h, height), width: w, height: h };
}

/** Area means of the window. */
function resample(data: Uint8Array, stride: number, rows: number, box: Window, width: number, height: number) {
  const out = new Float32Array(width * height);
  const sx = box.width / width;
  const sy = box.height / height;
  const taps = Math.max(1, Math.ceil(Math.max(sx, sy)) * 2);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let j = 0; j < taps; j++) {
        const fy = clamp(box.y + (y + (j + 0.5) / taps) * sy - 0.5, 0, rows - 1.001);
        const iy = Math.floor(fy);
        for (let i = 0; i < taps; i++) {
          const fx = clamp(box.x + (x + (i + 0.5) / taps) * sx - 0.5, 0, stride - 1.001);
          const ix = Math.floor(fx);
          const at = iy * stride + ix;
          const wx = fx - ix;
          const top = data[at]! + (data[at + 1]! - data[at]!) * wx;
          const bottom = data[at + stride]! + (data[at + stride + 1]! - data[at + stride]!) * wx;
          sum += top + (bottom - top) * (fy - iy);
        }
      }
      out[y * width + x] = sum / (taps * taps);
    }
  return out;
}

export function variedFrame(index: number, seed: number): EyeFrame<VariedMeta> {
  const frame = hardFrame(index, seed);
  const random = new Random(seed, index, 23);
  const box = chooseWindow(random, frame);
  const longest = random.pick([128, 192, 256, 320, 400, 480, 640]);
  const scale = Math.min(1.25, longest / Math.max(box.width, box.height));
  let width = Math.max(96, Math.round(box.width * scale));
  let height = Math.max(96, Math.round(box.height * scale));
  const sx = width / box.width;
  const sy = height / box.height;
  let image = resample(frame.data, frame.width, frame.height, box, width, height);
  let { truth } = frame;
  let { ellipse } = truth;
  if (ellipse) {
    const k = (sx + sy) / 2;
    ellipse = {
      ...ellipse,
      x: (ellipse.x + 0.5 - box.x) * sx - 0.5,
      y: (ellipse.y + 0.5 - box.y) * sy - 0.5,
      major: ellipse.major * k,
      minor: ellipse.minor * k,
    };
  }
  const turn = random.unit();
  if (turn < 0.2) {
    image.reverse();
    if (ellipse) ellipse = { ...ellipse, x: width - 1 - ellipse.x, y: height - 1 - ellipse.y };
  } else if (turn < 0.4) {
    const flipped = new Float32Array(image.length);
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) flipped[x * height + y] = image[y * width + x]!;
    image = flipped;
    [width, height] = [height, width];
    if (ellipse) ellipse = { ...ellipse, x: ellipse.y, y: ellipse.x, angle: (1.5 * Math.PI - ellipse.angle) % Math.PI };
  }
  defocus(image, new Float32Array(image.length), width, height, random.uniform(-0.6, 1.2));
  const gain = random.uniform(0.7, 2);
  const offset = random.uniform(-25, 25);
  const gamma = random.uniform(0.6, 1.6);
  const noise = random.uniform(0, 3);
  const table = normalTable();
  const data = Uint8Array.from(image, (v) => {
    const tone = 255 * Math.pow(clamp((gain * v + offset) / 255, 0, 1), gamma);
    return clamp(tone + noise * table[random.word() >>> 20]! + 0.5, 0, 255);
  });
  const circle = ellipse && { x: ellipse.x, y: ellipse.y, r: (ellipse.major + ellipse.minor) / 4 };
  truth = { ...truth, ellipse, circle } satisfies Truth;
  return { width, height, data, truth, meta: { ...frame.meta, scale } };
}
