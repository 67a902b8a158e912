// Writes src/faces/head-shape.ts: where the points of the neutral face of the ICT Face Model Light lie in space.
// node tools/faces/head-shape.mjs [ict-face.bin]
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { main, root } from '../setup.mjs';
import { readModel } from './ict-face.mjs';

/** Twentieths of a centimeter: finer than two annotators agree. */
const UNITS = 20;
/** Between the eyes, about where a head turns. */
const DEPTH = 9;

await main(() => {
  const model = readModel(process.argv[2] ?? path.join(root, '../shared/data/ict/ict-face.bin'));
  const given = model.lists.landmarks68.map((vertex) => [...model.neutral.subarray(3 * vertex, 3 * vertex + 3)]);
  const points = given.map((point) => [...point]);
  for (const [a, b, weight] of model.labelFix) points[a] = points[a].map((v, c) => v + weight * (given[b][c] - given[a][c]));
  const rows = points.map(([x, y, z]) => `  ${[x, y, z - DEPTH].map((v) => Math.round(UNITS * v)).join(', ')},`);
  writeFileSync(
    path.join(root, 'src/faces/head-shape.ts'),
    `/**
 * The 68 points of the neutral face of the ICT Face Model Light (USC Institute for Creative Technologies, MIT license, see
 * NOTICE) in space, x, y and z of each in twentieths of a centimeter: x to the right of the picture, y up, z out of the
 * face. Written by tools/faces/head-shape.mjs.
 */
// prettier-ignore
export const headShape = [
${rows.join('\n')}
];
`,
  );
});
