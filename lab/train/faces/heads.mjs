// node lab/train/faces/heads.mjs [COUNT]: rendered heads that played no part in training, found at overlap 0.5 by the default and by
// the cascades, by skin tone, pose, size, camera and worn things, with Wilson's 95 % intervals; and other boxes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { idealBox } from '../../../bench/faces/parts/data.mjs';
import { share } from '../../../bench/parts/intervals.mjs';
import { overlap } from '../../../bench/parts/numbers.mjs';
import { generator } from '../../../tools/random.mjs';
import { sharedFolder } from '../../../tools/serve.mjs';
import { groupsOf } from './groups.mjs';
import { faces, lib } from './methods.mjs';

const FIRST = 9_000_000;
/** Mean sides of the box of the points, pixels. */
const SIZES = [28, 40, 60, 100, 160];
const METHODS = ['default', 'cascades'];

/** Half of the heads as the renderer draws them, half turned by any angle up to 75 degrees. */
function settingsOf(seed, random) {
  const settings = lib.drawSettings(seed);
  if (random() < 0.5) settings.yaw = 150 * random() - 75;
  return settings;
}

const model = lib.readModel(readFileSync(path.join(sharedFolder, 'data/ict/ict-face.bin')));
const renderer = new lib.Renderer(model);
const random = generator(5);
const count = Number(process.argv[2] ?? 1000);
const rows = new Map();
const others = Object.fromEntries(METHODS.map((method) => [method, 0]));
for (let i = 0; i < count; i++) {
  const settings = settingsOf(FIRST + i, random);
  const side = SIZES[i % SIZES.length];
  const [width, height] = [Math.round(3.2 * side), Math.round(2.8 * side)];
  const place = (length) => length / 2 + (random() - 0.5) * 0.6 * side;
  const { data, points, record } = renderer.render(settings, {
    width,
    height,
    side,
    x: place(width),
    y: place(height),
  });
  const box = idealBox(Array.from({ length: 68 }, (_, k) => [points[2 * k], points[2 * k + 1]]));
  const groups = groupsOf(settings, side, record.worn);
  for (const method of METHODS) {
    const { found } = await faces(method, { width, height, data: lib.grayOf(data) }, {});
    const hits = found.filter((face) => overlap(face, box) >= 0.5).length;
    others[method] += found.length - Math.min(1, hits);
    for (const group of groups) {
      if (!rows.has(group)) rows.set(group, { n: 0, default: 0, cascades: 0 });
      const row = rows.get(group);
      if (method === METHODS[0]) row.n++;
      row[method] += Math.min(1, hits);
    }
  }
}
for (const [group, { n, ...hits }] of [...rows].sort(([a], [b]) => a.localeCompare(b)))
  console.log(`${group}: n ${n}${METHODS.map((method) => `, ${method} ${share(hits[method], n, 0)} %`).join('')}`);
console.log(`other boxes in ${count} pictures${METHODS.map((method) => `, ${method} ${others[method]}`).join('')}`);
process.exit(0);
