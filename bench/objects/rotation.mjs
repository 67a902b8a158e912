// Objects: how far a target has turned, against the truth: pieces of pictures that turn and move before others. [quick]
//   --frames N  --write
import path from 'node:path';
import { readGrayPng } from '../../test/support/png-reader.mjs';
import { generator } from '../../tools/random.mjs';
import { quantile } from '../parts/numbers.mjs';
import { rangeOfShare } from '../parts/intervals.mjs';
import { fixed, Report } from '../parts/report.mjs';

const [WIDTH, HEIGHT] = [320, 240];
const NOISE = 5;
/** Degrees a frame. */
const RATES = [0, 1, 3, 6, 12];
/** The target's picture, the ground's, the middle of the piece, its radius. */
const TARGETS = [
  ['photographer', 'portrait', 230, 110, 24],
  ['photographer', 'portrait', 360, 330, 40],
  ['portrait', 'photographer', 220, 110, 40],
  ['portrait', 'photographer', 300, 400, 24],
];

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

export default async function rotation(given) {
  const { args, importTs, root } = given;
  const frames = args.includes('--frames') ? Number(args[args.indexOf('--frames') + 1]) : 60;
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, threads: 1 });
  const pictures = Object.fromEntries(
    ['photographer', 'portrait'].map((name) => [name, readGrayPng(path.join(root, `test/media/${name}.png`))]),
  );
  const report = new Report(given);
  report.heading(
    `How far a target has turned: ${TARGETS.length} targets of 24 and 40 px radius, ${frames} frames each`,
  );
  const rows = [
    [
      'degrees a frame',
      'frames with a box',
      'interval, 95 %',
      'median error, degrees',
      '95 %',
      'within 5 degrees',
      'interval, 95 %',
    ],
  ];
  for (const rate of RATES) {
    const errors = [];
    let lost = 0;
    for (const [n, [own, other, ...place]] of TARGETS.entries()) {
      const random = generator(n + 1);
      const tracker = engine.createObjectTracker({ rotation: true });
      const at = (t) => [110 + 1.5 * t, 110 + 20 * Math.sin(t / 9)];
      const frame = (t) =>
        rendered(pictures[own], pictures[other], place, ...at(t), (rate * t * Math.PI) / 180, random);
      const [x, y] = at(0);
      const side = 2 * place[2];
      await tracker.start(frame(0), { x: x - place[2], y: y - place[2], width: side, height: side });
      for (let t = 1; t <= frames; t++) {
        const { angle } = await tracker.process(frame(t), { timestamp: 40 * t });
        if (Number.isNaN(angle)) lost++;
        else errors.push(Math.abs(((((angle * 180) / Math.PI - rate * t + 180) % 360) + 360) % 360 - 180)); // prettier-ignore
      }
      await tracker.dispose();
    }
    rows.push([
      rate,
      `${errors.length} of ${errors.length + lost}`,
      rangeOfShare(errors.length, errors.length + lost),
      ...[0.5, 0.95].map((share) => fixed(quantile(errors, share))),
      fixed(errors.filter((error) => error <= 5).length / errors.length, 3),
      rangeOfShare(errors.filter((error) => error <= 5).length, errors.length),
    ]);
  }
  report.table(rows);
  report.line(`Wilson’s intervals, frames taken as independent; they are of ${TARGETS.length} targets.`);
  await engine.dispose();
  report.finish('docs/accuracy-tables.md', 'rotation objects', 'rotation objects');
}
