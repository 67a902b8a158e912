/**
 * Faces that are turned in the image. The cascades know only upright faces, so they search crops around faces of the
 * network at all turns. They also search a photograph that is turned as a whole, once it is upright.
 */
import { overlap } from '../image/numbers.ts';
import type { Cascade } from '../models/cascade.ts';
import type { FaceJudge } from '../models/face-judge.ts';
import type { Box } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { findFaces } from './detector.ts';
import type { FaceBox } from './grouping.ts';
import type { DetectionValues } from './parameters.ts';
import { placed, squareOfBox, uprightCrop, type Look, type Square } from './upright.ts';

export type Cascades = readonly [first: Cascade, second: Cascade | null, judge: FaceJudge | null];

/** Number of turns that are searched, and the angle between them in radians: cascades find faces turned by up to half of it. */
const TURNS = 18;
export const STEP = (2 * Math.PI) / TURNS;
/** Number of turns, nearest to the network's, after which a face that was found is not searched at other turns. */
export const NEAREST = 5;
/** Number of faces, surest first, that are searched at all turns: they decide the turn of the photograph. */
export const ALL_AROUND = 3;
/** The upright crop for the cascades: faces of 32 pixels, and room for larger ones. */
const LOOK = { side: 48, margin: 1.5 };
const SMALLEST_LOOKED = 24;
/** Overlap of two boxes of one face. */
export const SAME = 0.3;

/** The same angle, from -pi to pi. */
const within = (angle: number) => Math.atan2(Math.sin(angle), Math.cos(angle));

/** The face of a crop, in pixels of its source. */
function backIn(square: Square, look: Look, face: FaceBox): FaceBox {
  const scale = (square.side * look.margin) / look.side;
  const [x, y] = placed(square, look, face.x + (face.width - 1) / 2, face.y + (face.height - 1) / 2);
  const [width, height] = [face.width * scale, face.height * scale];
  const points = face.points?.slice();
  for (let k = 0; points && k < points.length; k += 2) points.set(placed(square, look, points[k]!, points[k + 1]!), k);
  return {
    ...face,
    ...{ x: x + 0.5 - width / 2, y: y + 0.5 - height / 2, width, height },
    ...{ roll: within((face.roll ?? 0) + square.turn), ...(points && { points }) },
  };
}

/** The middle face of an upright crop, if the cascades find it. */
function* foundUpright(
  scope: Scope,
  source: Plane,
  square: Square,
  [first, second, judge]: Cascades,
  values: DetectionValues,
): Plan<FaceBox | undefined> {
  const side = LOOK.side / LOOK.margin;
  const own: Box = { x: (LOOK.side - side) / 2, y: (LOOK.side - side) / 2, width: side, height: side };
  const found = yield* scope.part(function* (inner): Plan<FaceBox[]> {
    const picture = yield* uprightCrop(inner, source, square, LOOK, 'u8');
    const limits = { minSize: SMALLEST_LOOKED, maxSize: 0, maxSide: 0 };
    return yield* findFaces(inner, picture, first, second, { ...values, ...limits }, judge);
  });
  yield* scope.turn();
  return found.find((other) => overlap(other, own) > SAME);
}

/**
 * A face of the network as the cascades find it in an upright crop, with the turn in the middle of those at which they
 * do. Null if they find it at one turn only: they find real faces within a range of turns.
 */
export function* lookAround(
  scope: Scope,
  source: Plane,
  face: FaceBox,
  cascades: Cascades,
  values: DetectionValues,
  turns = TURNS,
): Plan<FaceBox | null> {
  const squareAt = (k: number) => squareOfBox({ ...face, roll: (face.roll ?? 0) + k * STEP });
  const foundAt = (k: number) => foundUpright(scope, source, squareAt(k), cascades, values);
  const found = new Map<number, FaceBox>();
  for (let i = 0; i < turns && !(i >= NEAREST && found.size); i++) {
    const k = i % 2 ? (i + 1) / 2 : (TURNS - i / 2) % TURNS;
    const one = yield* foundAt(k);
    if (one) found.set(k, one);
  }
  const scoreAt = (k: number) => {
    const one = found.get((k + TURNS) % TURNS);
    return one ? (one.score ?? 0.5) : 0;
  };
  const near = (k: number) => scoreAt(k - 1) + scoreAt(k) + scoreAt(k + 1);
  const [middle] = [...found.keys()].sort((a, b) => near(b) - near(a));
  if (middle === undefined) return null;
  const isAlone = near(middle) === scoreAt(middle);
  if (isAlone && !(yield* foundAt(middle - 0.5)) && !(yield* foundAt(middle + 0.5))) return null;
  const more = (STEP * (scoreAt(middle + 1) - scoreAt(middle - 1))) / near(middle);
  const own = backIn(squareAt(middle), LOOK, found.get(middle)!);
  return { ...own, roll: within(own.roll! + more) };
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

/** The photograph turned upright, `scale` times as large, and a function that returns its faces in pixels of the source. */
export function* turnedUpright(
  scope: Scope,
  source: Plane,
  turn: number,
  scale: number,
): Plan<{ picture: Plane; back: (face: FaceBox) => FaceBox }> {
  const { width, height } = source;
  const [c, s] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const side = Math.max(c * width + s * height, s * width + c * height);
  const square = { x: (width - 1) / 2, y: (height - 1) / 2, side, turn };
  const look = { side: Math.max(4, Math.ceil(side * scale)), margin: 1 };
  const picture = yield* uprightCrop(scope, source, square, look, 'u8');
  return { picture, back: (face) => backIn(square, look, face) };
}
