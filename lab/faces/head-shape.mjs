// Writes src/faces/head-shape.ts: where points of a mean face lie in space, of rendered faces whose poses are known.
//   node lab/faces/head-shape.mjs FOLDER [--write]      (FOLDER: npm run lab -- render-faces)
// Points that annotators place by what they see (the contour of the jaw, brows) lie on no vertex: so it is asked which places
// explain them best, a least squares over all faces, in turn with scale and shift of each face. Prints how well the angles of one
// half of the faces are found with the shape of the other.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import path from 'node:path';
import { table } from '../../bench/parts/table.mjs';
import { importTs } from '../../tools/import-ts.mjs';
import { main, root } from '../../tools/setup.mjs';
import { readFaces } from '../landmarks/dataset.mjs';

/** Those that say where a head is turned: jaw, brows, nose, eye corners, corners and bow of the mouth. */
const used = [...Array(37).keys(), 39, 42, 45, 48, 51, 54];
/** Half the distance of the outer eye corners in the table. */
const UNITS = 90;
const ROUNDS = 60;
const degree = Math.PI / 180;
const axes = [0, 1, 2];

/** x and y of the picture (y up) as rows of the rotation by yaw, then pitch, then roll, as `measureFace` has these. */
function rowsOf({ yaw, pitch, roll }) {
  const [a, b, c] = [yaw, pitch, roll].map((angle) => [Math.cos(angle), Math.sin(angle)]);
  const across = [a[0], 0, a[1]];
  const up = [-b[1] * a[1], b[0], b[1] * a[0]];
  return [axes.map((i) => c[0] * across[i] + c[1] * up[i]), axes.map((i) => c[0] * up[i] - c[1] * across[i])];
}

/** The renderer's angles are positive where the nose is lowered, and against the clock. */
const poseOf = ({ yaw, pitch, roll }) => ({ yaw: yaw * degree, pitch: -pitch * degree, roll: -roll * degree });

const mean = (list) => list.reduce((sum, v) => sum + v, 0) / list.length;
const dot = (row, place) => row.reduce((sum, v, i) => sum + v * place[i], 0);

/** Places of the used points, the middle of the eyes' outer corners at 0. */
function learn(faces, leastSquares) {
  let shape = used.map((point) => [
    mean(faces.map(({ points }) => points[2 * point])),
    -mean(faces.map(({ points }) => points[2 * point + 1])),
    0,
  ]);
  for (let round = 0; round < ROUNDS; round++) {
    const seen = faces.map(({ rows, points }) => {
      const flat = used.flatMap((point, i) =>
        rows.map((row, k) => [dot(row, shape[i]), (k ? -1 : 1) * points[2 * point + k], k]),
      );
      const columns = ([v, , k], into) => into.set([v, k ? 0 : 1, k ? 1 : 0]);
      const { coefficients } = leastSquares(
        flat.length,
        3,
        (i, into) => columns(flat[i], into),
        (i) => flat[i][1],
      );
      const [scale, x, y] = coefficients;
      return { rows, at: (point) => [(points[2 * point] - x) / scale, (-points[2 * point + 1] - y) / scale] };
    });
    shape = used.map((point) => {
      const equations = seen.flatMap(({ rows, at }) => at(point).map((value, k) => [rows[k], value]));
      return [
        ...leastSquares(
          equations.length,
          3,
          (i, into) => into.set(equations[i][0]),
          (i) => equations[i][1],
        ).coefficients,
      ];
    });
    const [left, right] = [36, 45].map((point) => shape[used.indexOf(point)]);
    const middle = axes.map((i) => (left[i] + right[i]) / 2);
    const scale = UNITS / Math.hypot(...axes.map((i) => right[i] - middle[i]));
    shape = shape.map((place) => place.map((v, i) => scale * (v - middle[i])));
  }
  return shape;
}

const sourceOf = (shape) => `/**
 * Points of a mean face in space: index among the 68, and position (x to the right of the image, y up, z out of the
 * face). Half the distance between the outer eye corners is ${UNITS}. Learned from rendered faces, written by
 * lab/faces/head-shape.mjs.
 */
// prettier-ignore
const places = [
${used.map((_, i) => `  ${shape[i].map((v) => Math.round(v)).join(', ')},`).join('\n')}
];

export const headShape = /* @__PURE__ */ [...Array(37).keys(), 39, 42, 45, 48, 51, 54].map(
  (point, i) => [point, ...places.slice(3 * i, 3 * i + 3)] as unknown as readonly [number, number, number, number],
);
`;

await main(async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } });
  const [folder] = positionals;
  if (!folder) throw new Error('Name a folder of rendered faces: npm run lab -- render-faces FOLDER');
  const { fitHead, leastSquares } = await importTs('test/node/faces/library.ts');
  const { records, shapes } = readFaces(folder);
  const faces = records.map((record, i) => ({
    pose: poseOf(record),
    rows: rowsOf(poseOf(record)),
    points: shapes.slice(136 * i, 136 * (i + 1)),
  }));
  const half = faces.length >> 1;
  const [one, two] = [faces.slice(0, half), faces.slice(half)];
  const lines = ['yaw', 'pitch', 'roll'].map((angle) => {
    const errors = [
      [one, two],
      [two, one],
    ].flatMap(([from, to]) => {
      const shape = learn(from, leastSquares).map((place, i) => [used[i], ...place]);
      return to.map(({ points, pose }) => Math.abs(fitHead(points, shape)[angle] - pose[angle]) / degree);
    });
    errors.sort((a, b) => a - b);
    return [angle, mean(errors).toFixed(2), errors[Math.floor(0.9 * errors.length)].toFixed(2)];
  });
  console.log(table([['', 'mean error, degrees', '90 %'], ...lines]));
  if (values.write) writeFileSync(path.join(root, 'src/faces/head-shape.ts'), sourceOf(learn(faces, leastSquares)));
});
