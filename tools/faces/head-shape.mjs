// Writes src/faces/head-shape.ts: where points of the neutral face of the ICT Face Model Light lie in space.
// node tools/faces/head-shape.mjs [ict-face.bin]
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { main, root } from '../setup.mjs';
import { readModel } from './ict-face.mjs';

/** Twentieths of a centimeter: finer than two annotators agree. */
const UNITS = 20;
/** Between the eyes, about where a head turns. */
const DEPTH = 9;
/** Those that say where a head is turned: jaw, brows, nose, eye corners, corners and bow of the mouth. */
const used = [...Array(37).keys(), 39, 42, 45, 48, 51, 54];

await main(() => {
  const model = readModel(process.argv[2] ?? path.join(root, '../shared/data/ict/ict-face.bin'));
  const given = model.lists.landmarks68.map((vertex) => [...model.neutral.subarray(3 * vertex, 3 * vertex + 3)]);
  const points = given.map((point) => [...point]);
  for (const [a, b, weight] of model.labelFix)
    points[a] = points[a].map((v, c) => v + weight * (given[b][c] - given[a][c]));
  const rows = used.map((point) => {
    const [x, y, z] = points[point];
    return `  [${point}, ${[x, y, z - DEPTH].map((v) => Math.round(UNITS * v)).join(', ')}],`;
  });
  writeFileSync(
    path.join(root, 'src/faces/head-shape.ts'),
    `/**
 * Points of the neutral face of the ICT Face Model Light (USC Institute for Creative Technologies, MIT license, see NOTICE):
 * which of the 68, and where it lies, x to the right of the picture, y up, z out of the face, in twentieths of a centimeter.
 * Written by tools/faces/head-shape.mjs.
 */
export const headShape: readonly (readonly [point: number, x: number, y: number, z: number])[] = [
${rows.join('\n')}
];
`,
  );
});
