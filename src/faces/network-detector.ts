/**
 * Faces by a network (models/faces.bin, lab/train/faces). It answers for cells of 8 x 8 pixels. It finds faces of about
 * 16 to 120 pixels, turned by any angle. The image is searched at sizes a factor of 2 apart.
 */
import { overlap } from '../image/numbers.ts';
import type { Network } from '../models/network.ts';
import { networkAnswers } from '../network/run.ts';
import type { Box } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { withoutDoubles } from './confirmation.ts';
import type { FaceBox } from './grouping.ts';
import type { DetectionValues } from './parameters.ts';
import { findFaces, planSearch } from './detector.ts';
import { reduceTo } from './resize.ts';
import { ALL_AROUND, lookAround, NEAREST, SAME, sharedTurn, STEP, turnedUpright, type Cascades } from './turned.ts';

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
/**
 * Score of the network from which it has seen a face of the cascades. A lower score counts against the face, but not more
 * than the second one.
 */
const SEEN = 0.1;
const LEAST_SEEN = 0.02;
/** Minimum score of a face that the cascades search again, in upright crops. */
const LIKELY = 0.5;
/** Maximum error of the network's turn for a face that the cascades find at that turn, in radians. */
const NEAR = 2.5 * STEP;

/** The network's boxes are smaller than the cascades', most of all for small faces. */
const hasCenterOf = ({ x, y, width, height }: Box, other: Box) =>
  Math.abs(2 * (other.x - x) + other.width - width) < width &&
  Math.abs(2 * (other.y - y) + other.height - height) < height;

const isNear = (roll = 0, other = 0) => Math.cos(roll - other) > Math.cos(NEAR);
const sameAs = (faces: readonly FaceBox[], one: Box) => faces.find((other) => overlap(other, one) > SAME);

interface FaceModels {
  readonly network: Network;
  readonly cascades: Cascades;
}

/** Two different views of one face: their odds are multiplied. */
function bothScores({ score: a = 0.5 }: { score?: number }, { score: b = 0.5 }: { score?: number }): number {
  return (a * b) / (a * b + (1 - a) * (1 - b));
}

/** Faces of the photograph that is turned as a whole, found once it is upright. */
function* turnedFaces(
  scope: Scope,
  source: Plane,
  turn: number,
  models: FaceModels,
  values: DetectionValues,
): Plan<FaceBox[]> {
  const scale = planSearch(source.width, source.height, values).width / source.width;
  const limits = { minSize: values.minSize * scale, maxSize: values.maxSize * scale, maxSide: 0 };
  const own = { ...values, ...limits };
  const [first, second, judge] = models.cascades;
  return yield* scope.part(function* (inner): Plan<FaceBox[]> {
    const { picture, back } = yield* turnedUpright(inner, source, turn, scale);
    const found = yield* findFaces(inner, picture, first, second, own, judge);
    yield* addNetworkFaces(inner, picture, models, found, own, true);
    return found.map((face) => inside(back(face), source)).filter(({ width, height }) => width > 0 && height > 0);
  });
}

/** Faces of the network as the cascades find them in upright crops: pairs of both. */
function* lookAtAll(
  scope: Scope,
  source: Plane,
  faces: readonly FaceBox[],
  { cascades }: FaceModels,
  values: DetectionValues,
): Plan<(readonly [FaceBox, FaceBox])[]> {
  const looked: (readonly [FaceBox, FaceBox])[] = [];
  for (const [k, face] of faces.entries()) {
    const turns = k < ALL_AROUND ? undefined : NEAREST;
    const found = yield* lookAround(scope, source, face, cascades, values, turns);
    if (found) looked.push([face, found]);
  }
  return looked;
}

/** The turn of a photograph by its faces as the cascades find them. */
const turnOf = (looked: readonly (readonly [FaceBox, FaceBox])[]) =>
  sharedTurn(looked.map(([face, found]) => ({ ...found, score: face.score! })));

/**
 * Adds faces of the network to the faces of the cascades: those with a high score, and likely ones that the cascades find
 * once they are turned upright. If most faces are turned alike, both search the whole photograph at that turn. Faces of
 * the cascades that the network does not see are less likely. Faces of the cascades get turn and points from a face with
 * a high score.
 */
export function* addNetworkFaces(
  scope: Scope,
  source: Plane,
  models: FaceModels,
  faces: FaceBox[],
  values: DetectionValues,
  isUpright = false,
): Plan<void> {
  const minScore = Math.min(LEAST_SEEN, values.minScore);
  const seen = yield* seenFaces(scope, source, models.network, { ...values, minScore });
  const likely = seen.filter(({ score }) => score! > LIKELY);
  const isKnown = (face: FaceBox) => isNear(face.roll) && sameAs(faces, face);
  const known = likely.filter(isKnown);
  const looked = yield* lookAtAll(scope, source, likely.filter((face) => !isKnown(face)), models, values); // prettier-ignore
  const isTurned = !isUpright && looked.some(([, { roll }]) => Math.abs(roll!) > STEP / 2);
  // Cascades also find faces that are turned a little, so the turn of known faces counts as well.
  const turn = isTurned ? turnOf([...looked, ...(yield* lookAtAll(scope, source, known, models, values))]) : 0;
  const upright = turn ? yield* turnedFaces(scope, source, turn, models, values) : [];
  // A photograph that was turned for faces of the network needs the network for each of its other faces.
  const enough = isUpright ? LIKELY : SEEN;
  const rest = faces.filter((face) => {
    const score = seen.find((other) => hasCenterOf(face, other))?.score ?? LEAST_SEEN;
    return score >= enough || bothScores(face, { score }) >= values.minScore;
  });
  faces.splice(0, faces.length, ...upright, ...rest.filter((face) => !sameAs(upright, face)));
  const add = (face: FaceBox) => {
    if (face.score! >= values.minScore && isWanted(face, values)) faces.push(face);
  };
  for (const [face, found] of looked)
    if (isNear(face.roll, found.roll) && !sameAs(faces, found))
      add({ ...inside(found, source), score: bothScores(face, found), points: face.points! });
  for (const face of seen.filter(({ score }) => score! >= SURE)) {
    const other = sameAs(faces, face);
    if (other) Object.assign(other, { roll: face.roll, points: face.points });
    else add(face);
  }
  faces.sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
}
