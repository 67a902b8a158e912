/**
 * Optical flow as colors: direction is hue, speed is saturation. The wheel of 55 hues of Baker et al., "A Database and
 * Evaluation Methodology for Optical Flow", 2011, which flow is usually shown with.
 */
import type { OpticalFlowResult } from '../../src/index.ts';

/** Steps between red, yellow, green, cyan, blue, magenta and red. */
const steps = [15, 6, 4, 11, 13, 6];
const corners = [
  [255, 0, 0],
  [255, 255, 0],
  [0, 255, 0],
  [0, 255, 255],
  [0, 0, 255],
  [255, 0, 255],
] as const;

/** Red, green and blue of each step; the first once more at the end. Flat numbers: a picture asks for hundreds of thousands. */
const hues = steps.reduce((sum, count) => sum + count);
const wheel = new Float64Array(3 * (hues + 1));
steps.reduce((first, count, i) => {
  const [from, to] = [corners[i]!, corners[(i + 1) % 6]!];
  for (let k = 0; k < count; k++)
    for (let c = 0; c < 3; c++) wheel[3 * (first + k) + c] = from[c]! + ((to[c]! - from[c]!) * k) / count;
  return first + count;
}, 0);
wheel.copyWithin(3 * hues, 0, 3);

/** Color of a motion whose length is `speed` of the greatest, 0 white to 1 full; above that darker. Into `out`. */
export function flowColor(u: number, v: number, speed: number, out: Uint8ClampedArray, at: number): void {
  const place = (Math.atan2(-v, -u) / Math.PI + 1) * (0.5 * (hues - 1));
  const k = Math.floor(place);
  const share = place - k;
  for (let c = 0, i = 3 * k; c < 3; c++, i++) {
    const full = wheel[i]! + (wheel[i + 3]! - wheel[i]!) * share;
    out[at + c] = speed <= 1 ? 255 - speed * (255 - full) : 0.75 * full;
  }
}

/** Speed that nine tenths of the measured pixels do not exceed, at least half a pixel. */
export function typicalSpeed({ u, v, valid }: OpticalFlowResult): number {
  const speeds: number[] = [];
  const step = Math.max(1, Math.floor(u.length / 4000));
  for (let i = 0; i < u.length; i += step) if (valid[i]) speeds.push(Math.hypot(u[i]!, v[i]!));
  speeds.sort((a, b) => a - b);
  return Math.max(0.5, speeds[Math.floor(0.9 * speeds.length)] ?? 0);
}

/** The flow as a picture; transparent where it was not measured. */
export function flowPicture({ width, height, u, v, valid }: OpticalFlowResult, greatest: number): ImageData {
  const picture = new ImageData(width, height);
  const { data } = picture;
  for (let i = 0; i < u.length; i++) {
    if (!valid[i]) continue;
    const [x, y] = [u[i]!, v[i]!];
    flowColor(x, y, Math.sqrt(x * x + y * y) / greatest, data, 4 * i); // hypot takes five times as long
    data[4 * i + 3] = 255;
  }
  return picture;
}

/** The key: each direction in its color, the rim is the greatest speed. */
export function flowKey(radius: number): ImageData {
  const side = 2 * radius + 1;
  const picture = new ImageData(side, side);
  for (let y = -radius; y <= radius; y++)
    for (let x = -radius; x <= radius; x++) {
      const length = Math.hypot(x, y);
      const at = 4 * ((y + radius) * side + x + radius);
      flowColor(x, y, Math.min(1, length / radius), picture.data, at);
      picture.data[at + 3] = 255 * Math.max(0, Math.min(1, radius + 0.5 - length));
    }
  return picture;
}
