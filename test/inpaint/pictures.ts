/** Small seeded pictures and masks for the tests of inpainting. */
import type { GrayImage } from '../../src/results/types.ts';
import { generator } from '../parity/cases.ts';

export const contents = ['noise', 'waves', 'two colors', 'tiles'] as const;

export function picture(width: number, height: number, content: (typeof contents)[number], seed: number): ImageData {
  const random = generator(seed);
  const image = new ImageData(width, height);
  for (let i = 0; i < 4 * width * height; i++) {
    const [c, x, y] = [i % 4, (i >> 2) % width, Math.floor((i >> 2) / width)];
    if (content === 'noise') image.data[i] = 256 * random();
    else if (content === 'waves')
      image.data[i] = 128 + 60 * Math.sin(0.7 * x + c) + 50 * Math.cos(0.5 * y) + 10 * random();
    else if (content === 'two colors') image.data[i] = (2 * x > width ? 200 : 30) + 4 * random();
    else image.data[i] = 40 * (x % 5) + 20 * (y % 4) + 10 * c;
  }
  return image;
}

/** Some rectangles of at most `side` pixels a side, also across the edges. */
export function rectangles(width: number, height: number, count: number, side: number, seed: number): GrayImage {
  const random = generator(seed);
  const mask = { width, height, data: new Uint8Array(width * height) };
  for (let n = 0; n < count; n++) {
    const [left, top] = [Math.floor(random() * width), Math.floor(random() * height)];
    const [right, bottom] = [left + 1 + random() * side, top + 1 + random() * side];
    for (let y = top; y < Math.min(height, bottom); y++)
      for (let x = left; x < Math.min(width, right); x++) mask.data[y * width + x] = 1 + Math.floor(255 * random());
  }
  return mask;
}

/** One rectangle. */
export function rectangle(width: number, height: number, x: number, y: number, w: number, h: number): GrayImage {
  const mask = { width, height, data: new Uint8Array(width * height) };
  for (let v = y; v < y + h; v++) mask.data.fill(255, v * width + x, v * width + x + w);
  return mask;
}
