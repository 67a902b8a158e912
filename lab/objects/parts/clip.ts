/** Frames of a clip, enlarged by cubic convolution (Keys 1981, a = -0.5), the same in Node and in a page. */
import type { Box, GrayImage } from '../../../src/results/types.ts';

export interface Clip {
  name: string;
  width: number;
  height: number;
  /** Of the first frame. */
  box: Box;
  frames: Uint8Array[];
}

const cubic = (t: number) => {
  const x = Math.abs(t);
  if (x < 1) return 1.5 * x ** 3 - 2.5 * x ** 2 + 1;
  return x < 2 ? -0.5 * x ** 3 + 2.5 * x ** 2 - 4 * x + 2 : 0;
};

/** Four neighbors and their weights for every sample of a longer line. */
function taps(from: number, to: number): { at: Int32Array; weights: Float32Array } {
  const at = new Int32Array(4 * to);
  const weights = new Float32Array(4 * to);
  for (let i = 0; i < to; i++) {
    const x = ((i + 0.5) * from) / to - 0.5;
    for (let k = 0; k < 4; k++) {
      const place = Math.floor(x) - 1 + k;
      at[4 * i + k] = Math.min(from - 1, Math.max(0, place));
      weights[4 * i + k] = cubic(x - place);
    }
  }
  return { at, weights };
}

function enlarge(data: Uint8Array, from: { width: number; height: number }, width: number, height: number): GrayImage {
  const across = taps(from.width, width);
  const down = taps(from.height, height);
  const rows = new Float32Array(width * from.height);
  for (let y = 0; y < from.height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let k = 4 * x; k < 4 * x + 4; k++) sum += across.weights[k]! * data[y * from.width + across.at[k]!]!;
      rows[y * width + x] = sum;
    }
  const out = new Uint8ClampedArray(width * height); // rounds and clamps
  for (let y = 0; y < height; y++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => width * down.at[4 * y + k]!) as [number, number, number, number];
    const [u, v, w, t] = down.weights.subarray(4 * y, 4 * y + 4) as unknown as [number, number, number, number];
    for (let x = 0; x < width; x++)
      out[y * width + x] = u * rows[a + x]! + v * rows[b + x]! + w * rows[c + x]! + t * rows[d + x]!;
  }
  return { width, height, data: new Uint8Array(out.buffer) };
}

/** The clip at another size; its box grows with it. */
export function enlarged(clip: Clip, width: number, height: number): Clip {
  const [sx, sy] = [width / clip.width, height / clip.height];
  const { x, y, width: w, height: h } = clip.box;
  return {
    name: clip.name,
    width,
    height,
    box: { x: x * sx, y: y * sy, width: w * sx, height: h * sy },
    frames: sx === 1 && sy === 1 ? clip.frames : clip.frames.map((frame) => enlarge(frame, clip, width, height).data),
  };
}

/** The sizes of the paper's table 3. */
export const SIZES = [
  [480, 270],
  [960, 540],
  [1920, 1080],
] as const;
