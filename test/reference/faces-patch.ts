/** What landmark models of our own read faces from, plainly: a square of one size, and means of squares in it. */
import type { LandmarkPatch } from '../../src/models/landmarks.ts';

export interface Gray {
  width: number;
  height: number;
  data: ArrayLike<number>;
}

interface Face {
  pixels: number[][];
  margin: number;
  zoom: number;
  gain: number;
}

/** Gray between four pixels, by weights of 256ths, rounded; beyond the border as at it. */
function between({ width, height, data }: Gray, x: number, y: number): number {
  const [u, v] = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
  const [left, top] = [Math.floor(u), Math.floor(v)];
  const [wx, wy] = [Math.floor(256 * (u - left)), Math.floor(256 * (v - top))];
  const at = (dx: number, dy: number) => data[Math.min(top + dy, height - 1) * width + Math.min(left + dx, width - 1)]!;
  const row = (dy: number) => at(0, dy) * (256 - wx) + at(1, dy) * wx;
  return Math.floor((row(0) * (256 - wy) + row(1) * wy + 32768) / 65536);
}

/** Where the unit square of shapes lies in the image: its corner, and the ways along its two sides. */
export interface Frame {
  corner: [number, number];
  across: [number, number];
  down: [number, number];
}

/** The place of the image that is at (u, v) of the unit square. */
export const placeIn = ({ corner, across, down }: Frame, u: number, v: number): [number, number] => [
  corner[0] + u * across[0] + v * down[0],
  corner[1] + u * across[1] + v * down[1],
];

/** Mean of 2 x 2 pixels evenly spread over one of the patch, at (i, j) of it. */
function spread({ width, height, data }: Gray, place: (i: number, j: number) => [number, number]): number {
  let sum = 0;
  for (const q of [-0.25, 0.25])
    for (const p of [-0.25, 0.25]) {
      const [u, v] = place(p, q).map((w) => Math.floor(w + 0.5)) as [number, number];
      sum += data[Math.min(Math.max(v, 0), height - 1) * width + Math.min(Math.max(u, 0), width - 1)]!;
    }
  return Math.floor((sum + 2) / 4);
}

export function patchOf(image: Gray, frame: Frame, { side, zoom }: LandmarkPatch): Face {
  const margin = (side - zoom) / 2;
  const turned = frame.across[1] !== 0 || frame.down[0] !== 0;
  const fine = !turned && Math.max(frame.across[0], frame.down[1]) / (zoom - 1) >= 1.5;
  const pixels = Array.from({ length: side }, (_, j) =>
    Array.from({ length: side }, (_, i) => {
      const place = (p: number, q: number) =>
        placeIn(frame, (i + p - margin) / (zoom - 1), (j + q - margin) / (zoom - 1));
      return fine ? spread(image, place) : between(image, ...place(0, 0));
    }),
  );
  const inside = pixels.slice(margin, side - margin).flatMap((row) => row.slice(margin, side - margin));
  const mean = inside.reduce((a, b) => a + b) / inside.length;
  const variance = inside.reduce((sum, v) => sum + (v - mean) ** 2, 0) / inside.length;
  return { pixels, margin, zoom, gain: 64 / Math.max(4, Math.sqrt(variance)) };
}

/** Mean gray about a place in the unit square of the box, for the patch's contrast, as a whole number. */
export function squareMean({ pixels, margin, zoom, gain }: Face, u: number, v: number, reach: number): number {
  const most = pixels.length - 1 - reach;
  const [x, y] = [u, v].map((w) => Math.min(most, Math.max(reach, Math.floor(margin + w * (zoom - 1) + 0.5))));
  let sum = 0;
  for (let j = y! - reach; j <= y! + reach; j++) for (let i = x! - reach; i <= x! + reach; i++) sum += pixels[j]![i]!;
  return Math.floor((sum * gain) / (2 * reach + 1) ** 2 + 0.5);
}
