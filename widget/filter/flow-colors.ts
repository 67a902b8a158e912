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

const wheel: readonly (readonly number[])[] = steps.flatMap((count, i) =>
  Array.from({ length: count }, (_, k) => {
    const [from, to] = [corners[i]!, corners[(i + 1) % 6]!];
    return from.map((v, c) => v + ((to[c]! - v) * k) / count);
  }),
);

/** Color of a motion whose length is `speed` of the greatest, 0 white to 1 full; above that darker. Into `out`. */
export function flowColor(u: number, v: number, speed: number, out: Uint8ClampedArray, at: number): void {
  const turn = (Math.atan2(-v, -u) / Math.PI + 1) / 2;
  const place = turn * (wheel.length - 1);
  const k = Math.floor(place);
  const [a, b] = [wheel[k]!, wheel[(k + 1) % wheel.length]!];
  for (let c = 0; c < 3; c++) {
    const full = a[c]! + (b[c]! - a[c]!) * (place - k);
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
  for (let i = 0; i < u.length; i++) {
    if (!valid[i]) continue;
    // hypot takes five times as long.
    flowColor(u[i]!, v[i]!, Math.sqrt(u[i]! ** 2 + v[i]! ** 2) / greatest, picture.data, 4 * i);
    picture.data[4 * i + 3] = 255;
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
