/**
 * Renders heads for compose.py. Bundle it first: node lab/train/faces/bundle.mjs OUT.mjs
 * Then run: node OUT.mjs MODEL FOLDER FIRST COUNT
 * Heads are turned up to 80 degrees to a side. Blur and noise are left out, because the scenes add them.
 * Shards hold 50 heads. Each head is gray and alpha (SIDE x SIDE bytes each), then 136 floats of the 68 points and the roll in degrees.
 * One head in ten is seen from behind, which is not a face: AWAY is added to its roll.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { grayOf, Renderer } from '../../faces/render/face.ts';
import { readModel } from '../../faces/render/model.ts';
import type { Samples } from '../../faces/render/raster.ts';
import { drawSettings } from '../../faces/render/settings.ts';
import { Random } from '../../eyes/random.ts';

const SIDE = 160;
const SHARD = 50;
/** Mean side of the box of the points. */
const FACE = 72;
const AWAY = 1000;

function alphaOf({ triangle, width }: Samples): Uint8Array {
  const alpha = new Uint8Array(SIDE * SIDE);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      let seen = 0;
      for (let k = 0; k < 4; k++) seen += triangle[(2 * y + (k >> 1)) * width + 2 * x + (k & 1)]! >= 0 ? 1 : 0;
      alpha[y * SIDE + x] = Math.min(255, 64 * seen);
    }
  return alpha;
}

function settingsOf(seed: number) {
  const settings = drawSettings(seed);
  const random = new Random(seed, 31);
  const kind = random.unit();
  if (kind < 0.1) settings.yaw = random.uniform(118, 242);
  else if (kind < 0.3) settings.yaw = random.uniform(-80, 80);
  else if (kind < 0.5) settings.yaw = (random.unit() < 0.5 ? -1 : 1) * random.uniform(25, 70);
  if (random.unit() < 0.25) settings.pitch = random.uniform(-38, 38);
  if (kind < 0.5) settings.roll = random.normal(0, 6);
  const plain = { blur: 0.3, motion: 0, noise: 0, sharpen: 0, quality: 100, pixels: 200, colored: true };
  Object.assign(settings.camera, plain);
  return settings;
}

const [file, folder, first, count] = process.argv.slice(2) as [string, string, string, string];
const renderer = new Renderer(readModel(readFileSync(file)));
/** The samples of the last head. */
const drawn = (): Samples => (renderer as unknown as { samples: Samples }).samples;

for (let begin = Number(first); begin < Number(first) + Number(count); begin += SHARD) {
  const parts: Uint8Array[] = [];
  for (let seed = begin; seed < begin + SHARD; seed++) {
    const settings = settingsOf(seed);
    const middle = SIDE / 2 - 0.5;
    const face = renderer.render(settings, { width: SIDE, height: SIDE, side: FACE, x: middle, y: middle + 4 });
    const away = settings.yaw > 90 ? AWAY : 0;
    const numbers = Float32Array.from([...face.points, settings.roll + away]);
    parts.push(grayOf(face.data), alphaOf(drawn()), new Uint8Array(numbers.buffer));
  }
  const out = path.join(folder, `heads-${String(begin).padStart(7, '0')}.bin`);
  writeFileSync(`${out}.part`, Buffer.concat(parts));
  renameSync(`${out}.part`, out);
}
