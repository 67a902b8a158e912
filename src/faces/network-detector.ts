/**
 * Faces by a network (models/faces.bin, lab/train/faces). It answers for cells of 8 x 8 pixels. It finds faces of about
 * 16 to 120 pixels, turned by any angle. The image is searched at sizes a factor of 2 apart.
 */
import { overlap } from '../image/numbers.ts';
import type { Cascade } from '../models/cascade.ts';
import type { FaceJudge } from '../models/face-judge.ts';
import type { Network } from '../models/network.ts';
import { networkAnswers } from '../network/run.ts';
import type { Box } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { withoutDoubles } from './confirmation.ts';
import type { FaceBox } from './grouping.ts';
import type { DetectionValues } from './parameters.ts';
import { findFaces } from './detector.ts';
import { reduceTo } from './resize.ts';
import { placed, squareOfBox, uprightCrop } from './upright.ts';

/** Pixels of a cell, and numbers of its answer (lab/train/faces/detector.py). */
const CELL = 8;
const OUTPUTS = 16;
/** Side in pixels that sizes are given by. */
const UNIT = 32;
/** Side at which the smallest wanted faces are searched, and the factor from one size of the image to the next. */
const SMALLEST = 24;
const FACTOR = 2;
/** Images whose long side is smaller are not searched. */
const LEAST = 32;

type NetworkFace = FaceBox & { score: number };
type Values = Pick<DetectionValues, 'minSize' | 'maxSize' | 'minScore' | 'maxSide'>;

/** Long sides of the images to search, largest first. */
export function searchedSides(longest: number, { minSize, maxSide }: Pick<Values, 'minSize' | 'maxSide'>): number[] {
  const most = maxSide ? Math.min(1, maxSide / longest) : 1;
  const sides: number[] = [];
  for (let side = longest * Math.min(most, SMALLEST / Math.max(1, minSize)); side >= LEAST; side /= FACTOR)
    sides.push(Math.round(side));
  return sides.length ? sides : [Math.min(longest, LEAST)];
}

/** Whether no cell next to it is surer. */
function isPeak(answers: Float32Array, columns: number, rows: number, x: number, y: number): boolean {
  const own = answers[OUTPUTS * (y * columns + x)]!;
  for (let v = Math.max(0, y - 1); v <= Math.min(rows - 1, y + 1); v++)
    for (let u = Math.max(0, x - 1); u <= Math.min(columns - 1, x + 1); u++)
      if (answers[OUTPUTS * (v * columns + u)]! > own) return false;
  return true;
}

/** Faces of the answers of one size; `fx`, `fy`: pixels of the source for one of the searched image. */
function facesOf(answers: Float32Array, columns: number, fx: number, fy: number, minScore: number): NetworkFace[] {
  const rows = answers.length / OUTPUTS / columns;
  const faces: NetworkFace[] = [];
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const [odds, dx, dy, size, cosine, sine, ...five] = answers.subarray(OUTPUTS * (y * columns + x), OUTPUTS * (y * columns + x + 1)) as unknown as [number, number, number, number, number, number, ...number[]]; // prettier-ignore
      const score = 1 / (1 + Math.exp(-odds));
      if (score < minScore || !isPeak(answers, columns, rows, x, y)) continue;
      const side = UNIT * 2 ** Math.min(Math.max(size, -3), 4);
      const [u, v] = [CELL * (x + 0.5 + dx), CELL * (y + 0.5 + dy)];
      const points = Float32Array.from(five, (p, k) => (k % 2 ? fy * (v + side * p) : fx * (u + side * p)) - 0.5);
      const [width, height] = [side * fx, side * fy];
      const box = { x: u * fx - width / 2, y: v * fy - height / 2, width, height };
      faces.push({ ...box, neighbors: 1, score, roll: Math.atan2(sine, cosine), points });
    }
  return faces;
}

/** Gray levels as the network reads them. */
function* floatsOf(scope: Scope, image: Plane): Plan<Plane> {
  const levels = (yield* scope.read(image)) as Uint8Array;
  return scope.own(scope.runtime.plane(image.width, image.height, 'f32', Float32Array.from(levels)));
}

/** The part of a box that is in the source. */
function inside<T extends FaceBox>(face: T, { width, height }: { width: number; height: number }): T {
  const [left, top] = [Math.max(0, face.x), Math.max(0, face.y)];
  const [right, bottom] = [Math.min(width, face.x + face.width), Math.min(height, face.y + face.height)];
  return { ...face, x: left, y: top, width: right - left, height: bottom - top };
}

/** Faces of any size in an image, surest first. Gives way after each size. */
function* seenFaces(scope: Scope, source: Plane, network: Network, values: Values): Plan<FaceBox[]> {
  const { minScore } = values;
  const longest = Math.max(source.width, source.height);
  const faces: NetworkFace[] = [];
  yield* scope.onArena(source);
  for (const side of searchedSides(longest, values))
    faces.push(
      ...(yield* scope.part(function* (inner): Plan<NetworkFace[]> {
        const image = side < longest ? yield* reduceTo(inner, source, side) : source;
        const picture = yield* floatsOf(inner, image);
        const { numbers, width } = yield* networkAnswers(inner, picture, network);
        const [fx, fy] = [source.width / image.width, source.height / image.height];
        return facesOf(numbers, width / OUTPUTS, fx, fy, minScore);
      })),
    );
  return withoutDoubles(faces, minScore).map((face) => inside(face, source));
}

const isWanted = ({ width }: FaceBox, { minSize, maxSize }: Values) =>
  width >= minSize && (!maxSize || width <= maxSize);

/** Faces in an image, surest first. */
export function* networkFaces(scope: Scope, source: Plane, network: Network, values: Values): Plan<FaceBox[]> {
  return (yield* seenFaces(scope, source, network, values)).filter((face) => isWanted(face, values));
}

/** Score from which a face needs no other evidence. It was chosen with the photographs of `npm run bench -- accuracy faces`. */
const SURE = 0.8;
/** The network rules out what it sees with a lower score: no face of these photographs, but nearly all false positives. */
const LEAST_SEEN = 0.1;
/** Minimum score of a face that the cascades look at again, upright. */
const WORTH_A_LOOK = 0.3;
/** The upright crop for the cascades: faces of 48 pixels, and as much around them as a search needs. */
const LOOK = { side: 96, margin: 2 };
const SMALLEST_LOOKED = 32;
/** Errors of the network's turn that are tried, in radians. Cascades find faces that are turned by up to a sixth. */
const STEP = 1 / 3;
const TURNS = [0, STEP, -STEP, 2 * STEP, -2 * STEP];
/** Overlap of two boxes of one face. */
const SAME = 0.3;

/** The network's boxes are smaller than the cascades', most of all for small faces. */
const hasCenterOf = ({ x, y, width, height }: Box, other: Box) =>
  Math.abs(2 * (other.x - x) + other.width - width) < width &&
  Math.abs(2 * (other.y - y) + other.height - height) < height;

type Cascades = readonly [first: Cascade, second: Cascade | null, judge: FaceJudge | null];

/** The face, if the cascades find it in an upright crop, with the turn of that crop. Null if they do not. */
function* confirmed(
  scope: Scope,
  source: Plane,
  face: FaceBox,
  [first, second, judge]: Cascades,
  values: DetectionValues,
): Plan<FaceBox | null> {
  const limits = { minSize: SMALLEST_LOOKED, maxSize: 0, maxSide: 0 };
  const side = LOOK.side / LOOK.margin;
  const own = { x: (LOOK.side - side) / 2, y: (LOOK.side - side) / 2, width: side, height: side };
  for (const more of TURNS) {
    const roll = (face.roll ?? 0) + more;
    const found = yield* scope.part(function* (inner): Plan<FaceBox[]> {
      const picture = yield* uprightCrop(inner, source, squareOfBox({ ...face, roll }), LOOK, 'u8');
      return yield* findFaces(inner, picture, first, second, { ...values, ...limits }, judge);
    });
    yield* scope.turn();
    const same = found.find((other) => overlap(other, own) > SAME);
    if (!same) continue;
    // Two different views of the same face: their odds are multiplied.
    const [seen, looked] = [face.score!, same.score ?? 0.5];
    const score = (seen * looked) / (seen * looked + (1 - seen) * (1 - looked));
    if (score >= values.minScore)
      return { ...face, roll: Math.atan2(Math.sin(roll), Math.cos(roll)), neighbors: same.neighbors, score };
  }
  return null;
}

/**
 * Turn that the faces of a photograph share, in radians, clockwise. More than half of their log-odds agree on it. 0 if
 * they are upright, or turned in different ways.
 */
export function sharedTurn(faces: readonly FaceBox[]): number {
  const likely = faces.filter(({ score = 0 }) => score > 0.5);
  const sum = (some: readonly FaceBox[], of: (turn: number) => number) =>
    some.reduce((all, { score = 0, roll = 0 }) => all + Math.log(score / (1 - score)) * of(roll), 0);
  const weigh = (some: readonly FaceBox[]) => sum(some, () => 1);
  const like = likely.map(({ roll: own = 0 }) =>
    likely.filter(({ roll = 0 }) => Math.cos(roll - own) > Math.cos(STEP)),
  );
  const [most = []] = like.sort((a, b) => weigh(b) - weigh(a));
  if (!(weigh(most) > weigh(likely) / 2)) return 0;
  const turn = Math.atan2(sum(most, Math.sin), sum(most, Math.cos));
  return Math.abs(turn) < STEP / 2 ? 0 : turn;
}

/** Faces that the cascades find once the whole photograph is upright. */
function* turnedFaces(
  scope: Scope,
  source: Plane,
  turn: number,
  [first, second, judge]: Cascades,
  values: DetectionValues,
): Plan<FaceBox[]> {
  const { width, height } = source;
  const [c, s] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const whole = Math.max(c * width + s * height, s * width + c * height);
  const scale = searchedSides(Math.max(width, height), values)[0]! / Math.max(width, height);
  const square = { x: (width - 1) / 2, y: (height - 1) / 2, side: whole, turn };
  const look = { side: Math.ceil(whole * scale), margin: 1 };
  const limits = { minSize: values.minSize * scale, maxSize: values.maxSize * scale, maxSide: 0 };
  const found = yield* scope.part(function* (inner): Plan<FaceBox[]> {
    const picture = yield* uprightCrop(inner, source, square, look, 'u8');
    return yield* findFaces(inner, picture, first, second, { ...values, ...limits }, judge);
  });
  return found.map((face) => {
    const [x, y] = placed(square, look, face.x + (face.width - 1) / 2, face.y + (face.height - 1) / 2);
    const [w, h] = [face.width / scale, face.height / scale];
    const box = { x: x + 0.5 - w / 2, y: y + 0.5 - h / 2, width: w, height: h };
    return inside({ ...face, ...box, roll: turn }, source);
  });
}

/**
 * Adds faces of the network to the faces of the cascades: those with a high score, and those that the cascades find once
 * they are turned upright. Faces of the cascades that it does not see are removed. If most faces are turned alike, the cascades search the whole photograph at that turn. Faces of
 * the cascades get turn and points from a face with a high score.
 */
export function* addNetworkFaces(
  scope: Scope,
  source: Plane,
  { network, cascades }: { network: Network; cascades: Cascades },
  faces: FaceBox[],
  values: DetectionValues,
): Plan<void> {
  const minScore = Math.min(LEAST_SEEN, values.minScore);
  const seen = yield* seenFaces(scope, source, network, { ...values, minScore });
  const turn = sharedTurn(seen);
  if (turn)
    for (const face of yield* turnedFaces(scope, source, turn, cascades, values))
      if (!faces.some((other) => overlap(other, face) > SAME)) faces.push(face);
  const ruledIn = faces.filter((face) => seen.some((other) => hasCenterOf(face, other)));
  faces.splice(0, faces.length, ...ruledIn);
  for (const face of seen) {
    const known = faces.find((other) => overlap(other, face) > SAME);
    const sure = face.score! >= SURE;
    if (known && sure) Object.assign(known, { roll: face.roll, points: face.points });
    if (known || face.score! < Math.min(WORTH_A_LOOK, values.minScore) || !isWanted(face, values)) continue;
    if (sure && face.score! >= values.minScore) faces.push(face);
    // The cascades have searched for upright faces already.
    else if (!sure && Math.abs(face.roll ?? 0) >= STEP / 2) {
      const also = yield* confirmed(scope, source, face, cascades, values);
      if (also) faces.push(also);
    }
  }
  faces.sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
}
