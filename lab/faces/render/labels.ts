/** The 68 points of iBUG as annotators place them in a picture. */
import { smoothStep } from '../../eyes/arithmetic.ts';
import type { Atlas } from './person.ts';
import type { Mesh } from './scene.ts';
import type { Look } from './look-settings.ts';
import type { FaceSettings } from './settings.ts';

/** The projection of a point in the camera's axes: to the right and down. */
export type View = (x: number, y: number, z: number) => [number, number];

/** Annotators follow the upper part of the brow: above its middle by this share of half its breadth. */
const BROW_ABOVE = 0.7;

/**
 * As FaceModel.labelFix, in the picture, from the points that the fix has moved; the other side follows its mirror image. By what
 * a model that had learned from renders found on photographs (helen, afw), in the median of each point.
 */
const PLACED: [number, number, number][] = [
  [5, 48, -0.04],
  [6, 48, -0.03],
  [7, 59, -0.07],
  [8, 57, -0.02],
  [27, 28, 0.07],
  [28, 29, 0.12],
  [29, 30, 0.18],
  [30, 33, 0.16],
  [31, 33, 0.1],
  [37, 38, 0.25],
  [37, 41, 0.06],
  [38, 40, 0.06],
  [40, 38, -0.06],
  [41, 40, 0.17],
  [41, 37, -0.06],
  [49, 60, 0.2],
  [50, 61, 0.18],
  [50, 51, 0.12],
  [51, 62, 0.25],
  [57, 66, 0.1],
  [58, 67, 0.1],
];
const BOTH = PLACED.flatMap(([a, b, weight]): typeof PLACED => [
  [a, b, weight],
  ...(mirrored(a) === a ? [] : ([[mirrored(a), mirrored(b), weight]] as typeof PLACED)),
]);
function mirrored(point: number): number {
  const sums = [
    [0, 17, 16],
    [17, 27, 43],
    [31, 36, 66],
    [36, 40, 81],
    [40, 42, 87],
    [42, 46, 81],
    [46, 48, 87],
    [48, 55, 102],
    [55, 60, 114],
    [60, 65, 124],
    [65, 68, 132],
  ];
  const sum = sums.find(([from, to]) => point >= from && point < to);
  return sum ? sum[2] - point : point;
}
/** Seen from the front annotators draw the cheeks wider, points 0 to 4: by these shares of the face's width there. */
const WIDER = [0.014, 0.011, 0.009, 0.008, 0.007];
/** The line of the jaw begins lower than the model's by this share of the way to its second point. */
const LOWER = 0.2;
/** Shares of the brow's length at which its points lie. */
const ALONG_BROW = [0.03, 0.265, 0.51, 0.8, 1.03];

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
    const along = from + (to - from) * ALONG_BROW[i];
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
  for (const [a, b, weight] of [...BOTH, ...wider])
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
export function contour(
  { model }: Pick<Atlas, 'model'>,
  roll: number,
  see: (vertex: number) => [number, number],
): [number, number][] {
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
  for (const [end, next] of [
    [0, 1],
    [16, 15],
  ])
    chosen[end] = [0, 1].map((k) => chosen[end][k] + LOWER * (chosen[next][k] - chosen[end][k])) as [number, number];
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
