/** The 68 points of iBUG as annotators place them in a picture. */
import { smoothStep } from '../../eyes/arithmetic.ts';
import type { Atlas } from './person.ts';
import type { Mesh } from './scene.ts';
import type { Look } from './look-settings.ts';
import type { FaceSettings } from './settings.ts';

/** The projection of a point in the camera's axes: to the right and down. */
export type View = (x: number, y: number, z: number) => [number, number];

/** Annotators follow the upper part of the brow: above its middle by this share of half its breadth. */
const BROW_ABOVE = 0.25;

/**
 * As FaceModel.labelFix, in the picture, from the points that the fix has moved: the bridge and the tip of the nose, the lids,
 * lips and chin, by the mean of photographs (helen, afw) against that of renders.
 */
const PLACED: [number, number, number][] = [
  [27, 28, 0.2],
  [28, 29, 0.33],
  [29, 30, 0.4],
  [30, 33, 0.26],
  [37, 38, 0.25],
  [44, 43, 0.25],
  [41, 40, 0.17],
  [46, 47, 0.17],
  [5, 48, 0.03],
  [6, 48, 0.05],
  [7, 59, 0.05],
  [8, 57, 0.06],
  [9, 55, 0.05],
  [10, 54, 0.05],
  [11, 54, 0.03],
  [50, 61, 0.13],
  [51, 62, 0.15],
  [52, 63, 0.13],
  [56, 65, 0.1],
  [57, 66, 0.1],
  [58, 67, 0.1],
];
/** Seen from the front annotators draw the cheeks wider, points 0 to 4: by these shares of the face's width there. */
const WIDER = [0.021, 0.018, 0.017, 0.014, 0.009];

/** x, y of each point, as `view` gives them. The mesh is the person's, placed in the camera's axes. */
export function labelsOf(atlas: Atlas, mesh: Mesh, settings: FaceSettings, view: View): Float64Array {
  const { model } = atlas;
  const p = mesh.position;
  const see = (vertex: number) => view(p[3 * vertex], p[3 * vertex + 1], p[3 * vertex + 2]);
  const points = model.landmarks.map(see);
  const moved = points.map(([x, y]) => [x, y]);
  for (const [a, b, weight] of model.labelFix)
    for (let k = 0; k < 2; k++) moved[a][k] += weight * (points[b][k] - points[a][k]);
  moved[31] = see(model.wings[0]);
  moved[35] = see(model.wings[1]);
  const { from, to, half } = settings.look.brow;
  for (let i = 0; i < 5; i++) {
    const along = from - 0.02 + ((to - from + 0.05) * i) / 4;
    const above = heightOf(settings.look.brow, along) + BROW_ABOVE * half * breadthAt(along);
    const [x, y] = atlas.brow.at(along, above);
    for (const side of [1, -1]) {
      const [a, b, c, second, third] = atlas.find(side * x, y);
      const [u, v, w] = [0, 1, 2].map(
        (k) => p[3 * a + k] + second * (p[3 * b + k] - p[3 * a + k]) + third * (p[3 * c + k] - p[3 * a + k]),
      );
      moved[side > 0 ? 22 + i : 21 - i] = view(u, v, w);
    }
  }
  contour(atlas, settings.roll, see).forEach((point, i) => (moved[i] = point));
  const before = moved.map(([x, y]) => [x, y]);
  const frontal = smoothStep(28, 8, Math.abs(settings.yaw));
  const wider = WIDER.flatMap((share, i): typeof PLACED => [
    [i, 16 - i, -share * frontal],
    [16 - i, i, -share * frontal],
  ]);
  for (const [a, b, weight] of [...PLACED, ...wider])
    for (let k = 0; k < 2; k++) moved[a][k] += weight * (before[b][k] - before[a][k]);
  return Float64Array.from(moved.flat());
}

/** How far the middle of a painted brow lies above the model's line, cm: that line is the upper edge of the ridge. */
export const heightOf = ({ raise, arch }: Look['brow'], along: number): number =>
  raise + arch * 4 * along * (1 - along) - 0.32 * Math.max(0, 0.9 - along) + 1.2 * Math.max(0, along - 0.9);

/** How much of its breadth a brow has along its line. */
export function breadthAt(along: number): number {
  if (along < 0.3) return 0.75 + 0.83 * along;
  return Math.max(0.25, 1 - (along - 0.3) * 1.05);
}

/**
 * Points 0 to 16: of each list of candidates the one farthest out, seen along the direction that the point has on a face from
 * the front; then spread evenly from the ears to the chin.
 */
function contour({ model }: Atlas, roll: number, see: (vertex: number) => [number, number]): [number, number][] {
  const angle = (roll * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const front = (i: number) => {
    const at = 3 * model.landmarks[Math.max(0, Math.min(16, i))];
    return [model.neutral[at], model.neutral[at + 1]];
  };
  const chosen = model.jawCandidates.map((candidates, i) => {
    const [[ax, ay], [bx, by]] = [front(i - 1), front(i + 1)];
    // to the right of the way along the jaw: outwards, y up; then turned with the head, y down
    const [nx, ny] = [by - ay, -(bx - ax)];
    const [dx, dy] = [c * nx - s * ny, -(s * nx + c * ny)];
    let [best, most] = [see(candidates[0]), -Infinity];
    for (const candidate of candidates) {
      const [x, y] = see(candidate);
      const out = x * dx + y * dy;
      if (out > most) [best, most] = [[x, y], out];
    }
    return best;
  });
  const [right, left] = [chosen.slice(0, 9), chosen.slice(8).reverse()];
  return [...evenly(right), ...evenly(left).reverse().slice(1)];
}

/** As many points on the same line, at equal distances along it. */
function evenly(line: [number, number][]): [number, number][] {
  const way = [0];
  for (let i = 1; i < line.length; i++)
    way.push(way[i - 1] + Math.hypot(line[i][0] - line[i - 1][0], line[i][1] - line[i - 1][1]));
  let i = 0;
  return line.map((_, k) => {
    const at = (k / (line.length - 1)) * way[way.length - 1];
    while (i + 2 < line.length && way[i + 1] < at) i++;
    const t = (at - way[i]) / (way[i + 1] - way[i]);
    return [line[i][0] + t * (line[i + 1][0] - line[i][0]), line[i][1] + t * (line[i + 1][1] - line[i][1])];
  });
}
