// Pieces of pictures that turn and move before others.
import path from 'node:path';
import { readGrayPng } from '../../../test/support/png-reader.mjs';
import { generator } from '../../../tools/random.mjs';

const [WIDTH, HEIGHT] = [320, 240];
const NOISE = 5;
/** A value between pixels. */
function sampled({ width, height, data }, x, y) {
  const [u, v] = [Math.max(0, Math.min(width - 1.001, x)), Math.max(0, Math.min(height - 1.001, y))];
  const [i, j] = [Math.floor(u), Math.floor(v)];
  const at = j * width + i;
  const above = data[at] * (1 - u + i) + data[at + 1] * (u - i);
  const below = data[at + width] * (1 - u + i) + data[at + width + 1] * (u - i);
  return above * (1 - v + j) + below * (v - j);
}

/** A frame: the piece about (x, y), turned by `angle`, before the ground, with noise. */
function rendered(piece, ground, [fromX, fromY, radius], x, y, angle, random) {
  const data = new Uint8Array(WIDTH * HEIGHT);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (let j = 0; j < HEIGHT; j++)
    for (let i = 0; i < WIDTH; i++) {
      const [u, v] = [i - x, j - y];
      const inside = u * u + v * v < radius * radius;
      const value = inside ? sampled(piece, fromX + c * u + s * v, fromY - s * u + c * v) : ground.data[(j + 90) * ground.width + i + 60]; // prettier-ignore
      data[j * WIDTH + i] = value + NOISE * 1.7 * (2 * random() - 1) + 0.5;
    }
  return { width: WIDTH, height: HEIGHT, data };
}

/** The two pictures by name. */
export const turningPictures = (root) =>
  Object.fromEntries(
    ['photographer', 'portrait'].map((name) => [name, readGrayPng(path.join(root, `test/media/${name}.png`))]),
  );

/**
 * A scene whose target turns by `rate` degrees a frame: its first box, and its frames, to be taken one after the other.
 * @param target  [its picture, the ground's, the middle of the piece, its radius]
 */
export function turningScene(pictures, [own, other, ...place], rate, seed) {
  const random = generator(seed);
  const at = (t) => [110 + 1.5 * t, 110 + 20 * Math.sin(t / 9)];
  const [x, y] = at(0);
  const radius = place[2];
  return {
    box: { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius },
    frame: (t) => rendered(pictures[own], pictures[other], place, ...at(t), (rate * t * Math.PI) / 180, random),
    /** Degrees by which an angle is off. */
    off: (angle, t) => Math.abs(((((angle * 180) / Math.PI - rate * t + 180) % 360) + 360) % 360 - 180), // prettier-ignore
  };
}
