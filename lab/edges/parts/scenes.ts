/** The images of the benchmarks of edges: a rendered eye, and overlapping shapes with many edges. Seeded, any size. */
import { paperFrame } from '../../eyes/index.ts';

export interface Scene {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A frame of the paper's rendered set, scaled by averages of 4x4 samples. */
export function eyeScene(width: number, height: number): Scene {
  const frame = paperFrame(5);
  if (frame.width === width && frame.height === height) return { name: 'eye', width, height, data: frame.data };
  const data = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      let sum = 0;
      for (let k = 0; k < 16; k++) {
        const sx = Math.floor(((x + ((k & 3) + 0.5) / 4) * frame.width) / width);
        const sy = Math.floor(((y + ((k >> 2) + 0.5) / 4) * frame.height) / height);
        sum += frame.data[sy * frame.width + sx]!;
      }
      data[i] = Math.round(sum / 16);
    }
  return { name: 'eye', width, height, data };
}

/** Rectangles, discs and stripes on top of each other, with a little noise. */
export function shapeScene(width: number, height: number): Scene {
  let state = 20261;
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const data = new Uint8Array(width * height).fill(120);
  const side = Math.min(width, height);
  for (let n = 0; n < 60; n++) {
    const kind = n % 3;
    const [cx, cy, r] = [random() * width, random() * height, side * (0.03 + 0.12 * random())];
    const level = 30 + 200 * random();
    const turn = Math.PI * random();
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const reach = Math.ceil(1.5 * r);
    for (let y = Math.max(0, Math.floor(cy - reach)); y < Math.min(height, cy + reach); y++)
      for (let x = Math.max(0, Math.floor(cx - reach)); x < Math.min(width, cx + reach); x++) {
        const u = c * (x - cx) + s * (y - cy);
        const v = c * (y - cy) - s * (x - cx);
        const inside =
          kind === 0
            ? Math.hypot(u, v) < r
            : Math.abs(u) < r && Math.abs(v) < 0.7 * r && (kind === 1 || Math.floor((u + r) / (0.1 * side)) % 2 === 0);
        if (inside) data[y * width + x] = level;
      }
  }
  for (let i = 0; i < data.length; i++) data[i] = Math.max(0, Math.min(255, data[i]! + 12 * (random() - 0.5)));
  return { name: 'shapes', width, height, data };
}
