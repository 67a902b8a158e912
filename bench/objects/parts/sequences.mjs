// The sequences of ../shared/data/tld, with the true box of every frame (null: absent or hidden).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The five of the TLD set, `crossing`, and twelve more of other sets. Sizes as their SOURCES.md gives them; the others are gray. */
export const sequences = {
  car: { width: 320, height: 240 },
  david: { width: 320, height: 240 },
  jumping: { width: 352, height: 288 },
  panda: { width: 312, height: 233, colored: true },
  pedestrian2: { width: 320, height: 240, colored: true },
  crossing: { width: 360, height: 240, colored: true },
  bag: { width: 480, height: 360, colored: true },
  bolt: { width: 640, height: 360, colored: true },
  car1: { width: 320, height: 240 },
  dog1: { width: 320, height: 240 },
  freeman1: { width: 360, height: 240 },
  gull2: { width: 1280, height: 720, colored: true },
  human7: { width: 320, height: 240, colored: true },
  jogging1: { width: 352, height: 288, colored: true },
  motorrolling: { width: 640, height: 360, colored: true },
  person12: { width: 1280, height: 720, colored: true },
  skiing: { width: 1280, height: 720, colored: true },
  woman: { width: 352, height: 288, colored: true },
};

/** On these the tracker's first constants were chosen. */
export const firstSix = ['car', 'david', 'jumping', 'panda', 'pedestrian2', 'crossing'];

function decode(folder, name, filter, colored) {
  const source =
    name === 'crossing'
      ? ['-pattern_type', 'glob', '-i', path.join(folder, 'frames/*.jpg')]
      : ['-i', path.join(folder, `${name}.${firstSix.includes(name) ? 'mpg' : 'webm'}`)];
  const { stdout, error, status, stderr } = spawnSync(
    'ffmpeg',
    [
      '-v',
      'error',
      ...source,
      '-vf',
      [...filter, 'format=rgb24', colored ? 'format=rgba' : 'format=gray'].join(','),
      '-f',
      'rawvideo',
      '-',
    ],
    { maxBuffer: 2 ** 31 - 1 },
  );
  if (error) throw new Error(`ffmpeg is needed to decode the sequences (apt-get install ffmpeg): ${error.message}`);
  if (status !== 0) throw new Error(String(stderr));
  return stdout;
}

/** Boxes of the first six are 1-based corners in the files (MATLAB, OTB); here x, y of the first pixel from 0. */
function truthOf(folder, name) {
  const file = name === 'crossing' ? 'groundtruth_rect.csv' : 'groundtruth.csv';
  const rows = readFileSync(path.join(folder, file), 'utf8').trim().split('\n').slice(1);
  return rows.map((row) => {
    const [, a, b, c, d, visible] = row.split(',').map(Number);
    if (name === 'crossing') return { x: a - 1, y: b - 1, width: c, height: d };
    const first = firstSix.includes(name) ? 1 : 0;
    return visible === 1 ? { x: a - first, y: b - first, width: c - a + 1, height: d - b + 1 } : null;
  });
}

/**
 * { width, height, frames: count, frame(i) -> GrayImage, truth: (box | null)[] }; `size`: enlarged, bicubic; `color`: frames
 * are RGBA where the sequence has colors.
 */
export function openSequence(shared, name, { width, height } = sequences[name], { color = false } = {}) {
  const size = { width, height };
  const folder = path.join(shared, 'data/tld', name);
  const own = sequences[name];
  const scaled = size.width !== own.width || size.height !== own.height;
  const colored = color && Boolean(own.colored);
  const pixels = decode(folder, name, scaled ? [`scale=${size.width}:${size.height}:flags=bicubic`] : [], colored);
  const bytes = size.width * size.height * (colored ? 4 : 1);
  const Samples = colored ? Uint8ClampedArray : Uint8Array;
  const truth = truthOf(folder, name).map(
    (box) =>
      box && {
        x: (box.x * size.width) / own.width,
        y: (box.y * size.height) / own.height,
        width: (box.width * size.width) / own.width,
        height: (box.height * size.height) / own.height,
      },
  );
  return {
    ...size,
    frames: Math.min(truth.length, pixels.length / bytes),
    frame: (i) => ({ ...size, data: new Samples(pixels.buffer, pixels.byteOffset + i * bytes, bytes) }),
    truth,
  };
}
