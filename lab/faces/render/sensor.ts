/** From linear light to the bytes of a photograph. */
import { clamp, smoothStep } from '../../eyes/arithmetic.ts';
import { codeBlocks, smear } from '../../eyes/camera.ts';
import { normalTable, Random } from '../../eyes/random.ts';
import { defocus } from '../../eyes/sensor.ts';
import type { Camera } from './light-settings.ts';

const CURVE = 4096;

/** Means of squares of `part` x `part` samples. */
export function shrink(plane: Float32Array, width: number, height: number, part: number): Float32Array {
  const out = new Float32Array(width * height);
  const scale = 1 / (part * part);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let j = 0; j < part; j++)
        for (let i = 0; i < part; i++) sum += plane[(y * part + j) * width * part + x * part + i];
      out[y * width + x] = scale * sum;
    }
  return out;
}

/** The same picture on another grid, linear between pixels. */
function resample(plane: ArrayLike<number>, from: number, fromRows: number, to: number, rows: number): Float32Array {
  const out = new Float32Array(to * rows);
  for (let y = 0; y < rows; y++) {
    const fy = clamp(((y + 0.5) * fromRows) / rows - 0.5, 0, fromRows - 1.001);
    const y0 = Math.floor(fy);
    for (let x = 0; x < to; x++) {
      const fx = clamp(((x + 0.5) * from) / to - 0.5, 0, from - 1.001);
      const x0 = Math.floor(fx);
      const at = y0 * from + x0;
      const top = plane[at] + (plane[at + 1] - plane[at]) * (fx - x0);
      const bottom = plane[at + from] + (plane[at + from + 1] - plane[at + from]) * (fx - x0);
      out[y * to + x] = top + (bottom - top) * (fy - y0);
    }
  }
  return out;
}

/** Level 0..255 for linear light 0..1, in CURVE steps: the same bytes wherever the power is taken. */
function toneCurve({ gamma, contrast, black, white }: Camera): Float32Array {
  return Float32Array.from({ length: CURVE + 1 }, (_, i) => {
    const v = Math.pow(i / CURVE, 1 / gamma);
    const curved = v + contrast * (smoothStep(0, 1, v) - v);
    return Math.round(25500 * clamp(black + (white - black) * curved, 0, 1)) / 100;
  });
}

/**
 * @param planes linear red, green, blue, 1 = white at `gain` 1
 * @param scale pixels of the picture for one of a 200 px picture
 * @returns RGBA
 */
export function photograph(
  planes: readonly Float32Array[],
  width: number,
  height: number,
  scale: number,
  gain: number,
  camera: Camera,
  seed: number,
): Uint8ClampedArray<ArrayBuffer> {
  const { balance, blur, motion, motionAngle, noise, sharpen, quality, colored } = camera;
  const share = Math.min(1, camera.pixels / 200);
  const [w, h] = [Math.round(width * share), Math.round(height * share)];
  const curve = toneCurve(camera);
  const spare = new Float32Array(width * height);
  const table = normalTable();
  const random = new Random(seed, 9);
  const out = new Uint8ClampedArray(4 * width * height).fill(255);
  const sources = colored ? planes : [mean(planes)];
  const sigma = Math.hypot(blur * scale, share < 1 ? 0.42 / share : 0);
  sources.forEach((plane, channel) => {
    defocus(plane, spare, width, height, sigma);
    if (motion > 0) smear(plane, width, height, motion * scale, motionAngle);
    const seen = share < 1 ? resample(plane, width, height, w, h) : plane;
    const factor = gain * balance[colored ? channel : 1];
    for (let i = 0; i < seen.length; i++) seen[i] = curve[clamp(Math.floor(CURVE * factor * seen[i] + 0.5), 0, CURVE)];
    if (sharpen > 0) {
      const soft = seen.slice();
      defocus(soft, spare, w, h, 1);
      for (let i = 0; i < seen.length; i++) seen[i] += sharpen * (seen[i] - soft[i]);
    }
    const bytes = new Uint8Array(seen.length);
    for (let i = 0; i < seen.length; i++) bytes[i] = clamp(seen[i] + noise * table[random.word() >>> 20] + 0.5, 0, 255);
    if (quality < 100) codeBlocks(bytes, w, h, quality);
    const whole = share < 1 ? resample(bytes, w, h, width, height) : bytes;
    for (let i = 0; i < whole.length; i++)
      if (colored) out[4 * i + channel] = whole[i];
      else out.fill(Math.round(whole[i]), 4 * i, 4 * i + 3);
  });
  return out;
}

const mean = ([r, g, b]: readonly Float32Array[]): Float32Array => r.map((v, i) => 0.3 * v + 0.59 * g[i] + 0.11 * b[i]);
