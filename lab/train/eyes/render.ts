/**
 * Renders eyes for train.py. Bundle it first with `node lab/train/faces/bundle.mjs OUT.mjs lab/train/eyes/render.ts`, then run
 * `node OUT.mjs FOLDER SEED FIRST COUNT`.
 *
 * The frames are the wide set, half of them with lids at any height. One in 25 shows dark shapes. Shards hold 64 frames. Each frame
 * is SIDE x SIDE gray levels and NUMBERS floats. These are width, height, 1 if there is an eye, and 1 if its pupil is bright. Then
 * follow x, y, major, minor and angle of pupil and limbus, and the rows of both lids at 16 columns.
 */
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { wideFrame } from '../../eyes/index.ts';
import { shapesFrame } from '../../eyes/shapes.ts';
import type { Ellipse, Lids, Scene } from '../../eyes/scene.ts';
import { closeLids } from './lids.ts';

const SIDE = 224;
const SHARD = 64;
const NUMBERS = 46;
const COLUMNS = 16;
const WIDTHS = [SIDE, SIDE, SIDE, 2 * SIDE];

interface Stored {
  readonly pixels: Uint8Array;
  readonly numbers: Float32Array;
}

/** At SIDE pixels across, in a square of them. */
function stored(width: number, height: number, data: Uint8Array, scene: Scene | null, bright: boolean): Stored {
  const times = width > SIDE ? width / SIDE : 1;
  const [across, down] = [Math.floor(width / times), Math.min(SIDE, Math.floor(height / times))];
  const pixels = new Uint8Array(SIDE * SIDE);
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) {
      let sum = 0;
      for (let k = 0; k < times * times; k++)
        sum += data[(y * times + Math.floor(k / times)) * width + x * times + (k % times)]!;
      pixels[y * SIDE + x] = Math.round(sum / (times * times));
    }
  const numbers = new Float32Array(NUMBERS);
  numbers.set([across, down, scene ? 1 : 0, bright ? 1 : 0]);
  const place = (v: number) => (v + 0.5) / times - 0.5;
  const ellipse = ({ x, y, major, minor, angle }: Ellipse) => [place(x), place(y), major / times, minor / times, angle];
  const rows = (list: Float32Array) =>
    Array.from({ length: COLUMNS }, (_, j) => place(list[Math.round((j * (width - 1)) / (COLUMNS - 1))]!));
  const lids = ({ upper, lower }: Lids) => [...rows(upper), ...rows(lower)];
  if (scene) numbers.set([...ellipse(scene.pupil), ...ellipse(scene.limbus), ...lids(scene.lids)], 4);
  return { pixels, numbers };
}

function frame(index: number, seed: number): Stored {
  if (index % 25 === 24)
    for (let i = index; ; i += 25) {
      const { width, height, data } = shapesFrame(i, seed);
      if (width <= SIDE) return stored(width, height, data, null, false);
    }
  let scene: Scene | null = null;
  const { width, height, data, meta } = wideFrame(index, seed, {
    widths: WIDTHS,
    close: closeLids,
    drawn: (s) => (scene = s),
  });
  return stored(width, height, data, scene, meta.polarity === 'bright');
}

const [folder, seed, first, count] = process.argv.slice(2) as [string, string, string, string];
for (let begin = Number(first); begin < Number(first) + Number(count); begin += SHARD) {
  const parts: Uint8Array[] = [];
  for (let index = begin; index < begin + SHARD; index++) {
    const { pixels, numbers } = frame(index, Number(seed));
    parts.push(pixels, new Uint8Array(numbers.buffer));
  }
  const out = path.join(folder, `eyes-${seed}-${String(begin).padStart(7, '0')}.bin`);
  writeFileSync(`${out}.part`, Buffer.concat(parts));
  renameSync(`${out}.part`, out);
}
