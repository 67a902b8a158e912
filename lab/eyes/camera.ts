import { clamp, cosine, sine } from './arithmetic.ts';
import { normalTable, type Random } from './random.ts';

/** What cameras and recorders do to an image: the shutter, two fields, the tone curve, noise, few levels, coded blocks. */

/** Mean along a line of the given length, px, in the direction of `angle`. */
export function smear(image: Float32Array, width: number, height: number, length: number, angle: number): void {
  if (length < 1) return;
  const taps = Math.min(17, Math.ceil(length) + 1);
  const from = image.slice();
  const at = (x: number, y: number) => from[y * width + x]!;
  const dx = cosine(angle) * length;
  const dy = sine(angle) * length;
  image.fill(0);
  for (let k = 0; k < taps; k++) {
    const t = k / (taps - 1) - 0.5;
    for (let y = 0; y < height; y++) {
      const fy = clamp(y + t * dy, 0, height - 1);
      const y0 = Math.min(height - 2, Math.floor(fy));
      const wy = fy - y0;
      for (let x = 0; x < width; x++) {
        const fx = clamp(x + t * dx, 0, width - 1);
        const x0 = Math.min(width - 2, Math.floor(fx));
        const wx = fx - x0;
        const top = at(x0, y0) + (at(x0 + 1, y0) - at(x0, y0)) * wx;
        const bottom = at(x0, y0 + 1) + (at(x0 + 1, y0 + 1) - at(x0, y0 + 1)) * wx;
        image[y * width + x]! += (top + (bottom - top) * wy) / taps;
      }
    }
  }
}

/** Two fields that are `shift` pixels apart: odd rows half of it to the right, even rows to the left. */
export function interlace(image: Float32Array, width: number, height: number, shift: number): void {
  const line = new Float32Array(width);
  for (let y = 0; y < height; y++) {
    const by = y & 1 ? shift / 2 : -shift / 2;
    line.set(image.subarray(y * width, (y + 1) * width));
    for (let x = 0; x < width; x++) {
      const fx = clamp(x - by, 0, width - 1.001);
      const x0 = Math.floor(fx);
      image[y * width + x] = line[x0]! + (line[Math.min(width - 1, x0 + 1)]! - line[x0]!) * (fx - x0);
    }
  }
}

/** From light to bytes. */
export interface Tone {
  gain: number;
  offset: number;
  gamma: number;
  noise: number;
  /** Gray levels that the recorder keeps, 256: all. */
  levels: number;
}

export const toneOf = ({ gain, offset, gamma }: Tone, v: number): number =>
  255 * Math.pow(clamp((gain * v + offset) / 255, 0, 1), gamma);

export function develop(image: Float32Array, tone: Tone, random: Random): Uint8Array {
  const table = normalTable();
  const step = 255 / (tone.levels - 1);
  // A curve of 1024 steps: the same bytes wherever the power is taken.
  const curve = Float32Array.from({ length: 1025 }, (_, i) => Math.fround(toneOf(tone, i / 2 - 64)));
  return Uint8Array.from(image, (v) => {
    const seen = curve[clamp(Math.floor(2 * (v + 64) + 0.5), 0, 1024)]! + tone.noise * table[random.word() >>> 20]!;
    const kept = tone.levels < 256 ? Math.floor(seen / step + 0.5) * step : seen;
    return clamp(kept + 0.5, 0, 255);
  });
}

/** As if it had been recorded at half its size and enlarged, linear between samples. */
export function enlarge(data: Uint8Array, width: number, height: number): void {
  const w = width >> 1;
  const h = height >> 1;
  const small = new Float32Array(w * h);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const p = 2 * y * width + 2 * x;
      small[y * w + x] = Math.floor((data[p]! + data[p + 1]! + data[p + width]! + data[p + width + 1]!) / 4 + 0.5);
    }
  for (let y = 0; y < height; y++) {
    const fy = clamp((y - 0.5) / 2, 0, h - 1);
    const y0 = Math.min(h - 2, Math.floor(fy));
    for (let x = 0; x < width; x++) {
      const fx = clamp((x - 0.5) / 2, 0, w - 1);
      const x0 = Math.min(w - 2, Math.floor(fx));
      const at = y0 * w + x0;
      const top = small[at]! + (small[at + 1]! - small[at]!) * (fx - x0);
      const bottom = small[at + w]! + (small[at + w + 1]! - small[at + w]!) * (fx - x0);
      data[y * width + x] = top + (bottom - top) * (fy - y0) + 0.5;
    }
  }
}

/** Luminance quantization of ITU-T T.81, annex K. */
// prettier-ignore
const QUANTIZATION = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
  18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100,
  103, 99,
];

/** Codes and decodes blocks of 8x8 as JPEG of this quality (1 to 100) would; what is left of the last block stays. */
export function codeBlocks(data: Uint8Array, width: number, height: number, quality: number): void {
  const scale = quality < 50 ? 50 / quality : (100 - quality) / 50;
  const basis = Array.from({ length: 64 }, (_, i) => {
    const k = i >> 3;
    return (k ? 0.5 : Math.sqrt(0.125)) * cosine(((2 * (i & 7) + 1) * k * Math.PI) / 16);
  });
  const block = new Float64Array(64);
  const half = new Float64Array(64);
  for (let y0 = 0; y0 + 8 <= height; y0 += 8)
    for (let x0 = 0; x0 + 8 <= width; x0 += 8) {
      for (let i = 0; i < 64; i++) block[i] = data[(y0 + (i >> 3)) * width + x0 + (i & 7)]! - 128;
      for (let i = 0; i < 64; i++) {
        let sum = 0;
        for (let k = 0; k < 8; k++) sum += basis[(i & 7) * 8 + k]! * block[(i >> 3) * 8 + k]!;
        half[i] = sum;
      }
      for (let i = 0; i < 64; i++) {
        let sum = 0;
        for (let k = 0; k < 8; k++) sum += basis[(i >> 3) * 8 + k]! * half[k * 8 + (i & 7)]!;
        const q = Math.max(1, Math.floor(QUANTIZATION[i]! * scale + 0.5));
        block[i] = q * Math.round(sum / q);
      }
      for (let i = 0; i < 64; i++) {
        let sum = 0;
        for (let k = 0; k < 8; k++) sum += basis[k * 8 + (i & 7)]! * block[(i >> 3) * 8 + k]!;
        half[i] = sum;
      }
      for (let i = 0; i < 64; i++) {
        let sum = 0;
        for (let k = 0; k < 8; k++) sum += basis[k * 8 + (i >> 3)]! * half[k * 8 + (i & 7)]!;
        data[(y0 + (i >> 3)) * width + x0 + (i & 7)] = clamp(Math.floor(sum + 128.5), 0, 255);
      }
    }
}
