// Pictures whose hole has one right filling: textures that repeat, and two of them with a straight border.
import { generator } from '../../../tools/random.mjs';

/** A tile of smoothed random colors that repeats seamlessly. */
function tile(width, height, random, mean) {
  const noise = Array.from({ length: 3 * width * height }, () => random());
  return (x, y, c) => {
    let sum = 0;
    for (let j = -1; j <= 1; j++)
      for (let i = -1; i <= 1; i++) {
        const [u, v] = [(((x + i) % width) + width) % width, (((y + j) % height) + height) % height];
        sum += noise[3 * (v * width + u) + c];
      }
    return mean[c] + 130 * (sum / 9 - 0.5);
  };
}

function paint(width, height, color) {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) data[4 * (y * width + x) + c] = color(x, y, c);
      data[4 * (y * width + x) + 3] = 255;
    }
  return { width, height, data };
}

/** A square of `side` in the middle of a picture, as a mask. */
export function squareMask(width, height, { x, y, side }) {
  const data = new Uint8Array(width * height);
  for (let v = y; v < y + side; v++) data.fill(255, v * width + x, v * width + x + side);
  return { width, height, data };
}

/** [{ name, image, hole }] */
export function exactCases() {
  const [width, height] = [300, 240];
  const hole = { x: 105, y: 75, side: 90 };
  const random = generator(20041);
  const cases = [];
  for (const [a, b] of [
    [12, 8],
    [23, 17],
    [31, 37],
  ]) {
    const color = tile(a, b, random, [140, 120, 100]);
    cases.push({ name: `texture of period ${a} x ${b}`, image: paint(width, height, color), hole });
  }
  const [left, right] = [tile(12, 8, random, [190, 90, 60]), tile(10, 14, random, [60, 110, 190])];
  const two = (name, onLeft) =>
    cases.push({
      name: `two textures, ${name} border`,
      image: paint(width, height, (x, y, c) => (onLeft(x, y) ? left : right)(x, y, c)),
      hole,
    });
  two('upright', (x) => x < 150);
  two('level', (x, y) => y < 120);
  const flat =
    ([r, g, b]) =>
    (x, y, c) =>
      [r, g, b][c];
  const [warm, cool] = [flat([200, 120, 60]), flat([40, 90, 160])];
  for (const [name, onLeft] of [
    ['upright', (x) => x < 150],
    ['diagonal', (x, y) => x - 150 < y - 120],
  ])
    cases.push({
      name: `two plain colors, ${name} border`,
      image: paint(width, height, (x, y, c) => (onLeft(x, y) ? warm : cool)(x, y, c)),
      hole,
    });
  return cases;
}
