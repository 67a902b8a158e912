import { clamp, exponential } from './arithmetic.ts';
import { normalTable, Random } from './random.ts';

/** Gaussian blur in place (border replicated), `spare` of the same size; nothing below sigma 0.2. */
export function defocus(image: Float32Array, spare: Float32Array, width: number, height: number, sigma: number): void {
  if (sigma < 0.2) return;
  const radius = Math.ceil(3 * sigma);
  const kernel = new Float64Array(radius + 1);
  let sum = 0;
  for (let k = 0; k <= radius; k++) {
    kernel[k] = exponential((-k * k) / (2 * sigma * sigma));
    sum += k === 0 ? kernel[k] : 2 * kernel[k];
  }
  for (let k = 0; k <= radius; k++) kernel[k] /= sum;
  const line = new Float32Array(width + 2 * radius);
  for (let y = 0; y < height; y++) {
    const base = y * width;
    line.set(image.subarray(base, base + width), radius);
    line.fill(image[base], 0, radius);
    line.fill(image[base + width - 1], radius + width);
    for (let x = 0; x < width; x++) {
      const c = x + radius;
      let v = kernel[0] * line[c];
      for (let k = 1; k <= radius; k++) v += kernel[k] * (line[c - k] + line[c + k]);
      spare[base + x] = v;
    }
  }
  for (let y = 0; y < height; y++) {
    const base = y * width;
    for (let x = 0; x < width; x++) image[base + x] = kernel[0] * spare[base + x];
    for (let k = 1; k <= radius; k++) {
      const weight = kernel[k];
      const up = Math.max(0, y - k) * width;
      const down = Math.min(height - 1, y + k) * width;
      for (let x = 0; x < width; x++) image[base + x] += weight * (spare[up + x] + spare[down + x]);
    }
  }
}

/** Sensor noise of the given sigma, then 8 bits: round and clip, as a camera does. */
export function digitize(image: Float32Array, sigma: number, seed: number): Uint8Array {
  const data = new Uint8Array(image.length);
  if (sigma <= 0) {
    for (let i = 0; i < image.length; i++) data[i] = clamp(Math.floor(image[i] + 0.5), 0, 255);
    return data;
  }
  const table = normalTable();
  // two values out of one word; xorshift32 started by the better generator
  let state = new Random(seed, 31).word() | 1;
  let i = 0;
  for (; i + 1 < image.length; i += 2) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    data[i] = clamp(image[i] + sigma * table[state >>> 20] + 0.5, 0, 255);
    data[i + 1] = clamp(image[i + 1] + sigma * table[(state >>> 6) & 4095] + 0.5, 0, 255);
  }
  for (; i < image.length; i++) data[i] = clamp(image[i] + 0.5, 0, 255);
  return data;
}
