/**
 * The face verifier for results of a search. The first cascade ends some stages early, so it accepts nearly every face,
 * and several times as many other windows. Each connected group is checked with gradients (assembly/faces/judge.ts).
 * Linear templates for frontal faces and for faces turned to a side are compared at several positions and sizes around
 * the group, because windows of a cascade are off by a quarter for faces that are turned or tilted. The best match is
 * the position of the face, and the second cascade is used there (confirmation.ts).
 *
 * A logistic regression computes a score from the templates' value and both numbers of windows. `npm run lab -- train-judge`
 * fits everything, on rendered faces and images without faces. `minScore` is compared with this score. The reported
 * value is the share of boxes with such a score that are faces (score-table.ts).
 */
import type { Cascade } from '../models/cascade.ts';
import { JUDGE_CELLS, JUDGE_CHANNELS, viewsOf, type FaceJudge } from '../models/face-judge.ts';
import type { Box } from '../results/types.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { countWindows, density, withoutDoubles, type SearchManner } from './confirmation.ts';
import type { FaceBox } from './grouping.ts';
import { factor, slope } from './score-table.ts';

/** Number of cells on each side of the sampled area. Templates cover all but two, and the box covers eight. */
const ROW = JUDGE_CELLS + 2;
const BOX = 8;
const SAMPLES = 4 * ROW;
/** Number of template positions in a row. */
const PLACES = ROW - JUDGE_CELLS + 1;
/** Numbers per cell in the kernel's output, with a zero after each cell. */
const CELL = JUDGE_CHANNELS + 1;
const CELLS = ROW * ROW;
const DIRECTIONS = Float32Array.from({ length: 18 }, (_, i) =>
  i % 2 ? Math.sin((Math.floor(i / 2) * Math.PI) / 9) : Math.cos((Math.floor(i / 2) * Math.PI) / 9),
);
/** Other sizes at which a box is checked. */
const SIZES = [0.84, 1.19];
/**
 * Scale and offset from the boxes of the templates to the boxes of the first cascade's windows. Reported boxes are of
 * the latter kind, like without a verifier. The values are medians over rendered faces, printed by `npm run
 * lab -- train-judge`.
 */
const LARGER = 1.09;
const HIGHER = 0.07;
/** Work per box, relative to a step of the search: one check, and the checks at other sizes. */
const [LOOK, LOOKS] = [0.25, 0.5];
/** Maximum number of windows around a box that the second cascade can accept. */
const MOST_CONFIRMED = 448;

/** The face verifier of a stage: none or one. */
declare module '../runtime/kinds.ts' {
  interface Kinds {
    'judge[]': readonly FaceJudge[];
  }
}

/**
 * Result at one position: the best value of the templates, the number of the position (of nine), and the box of the
 * template.
 */
export interface Look {
  readonly value: number;
  readonly place: number;
  readonly box: Box;
}

/** Scales a box around its center. */
export const sized = ({ x, y, width, height }: Box, size: number): Box => ({
  x: x + (width * (1 - size)) / 2,
  y: y + (height * (1 - size)) / 2,
  width: width * size,
  height: height * size,
});

function* fillCells(scope: Scope, image: Plane, boxes: readonly Box[]) {
  const places = boxes.flatMap(({ x, y, width, height }) => [
    x + (width - 1) / 2,
    y + (height - 1) / 2,
    (ROW * width) / (BOX * SAMPLES),
  ]);
  const features = scope.block(4 * CELL * CELLS * boxes.length);
  const { width, height } = image;
  const directions = scope.table(DIRECTIONS);
  const given = { source: image, width, height, boxes: scope.table(Float32Array.from(places)), directions, features };
  yield* scope.kernels.boxGradients(given, { rows: boxes.length, minimumBand: 1, cost: 58_000 });
  return features;
}

/** Gradients around each box: 144 cells of 27 numbers. */
export const gradientsOf = (scope: Scope, image: Plane, boxes: readonly Box[]): Plan<Float32Array[]> =>
  scope.part(function* (inner) {
    if (!boxes.length) return [];
    const all = inner.f32(yield* fillCells(inner, image, boxes), CELL * CELLS * boxes.length);
    return boxes.map((_, i) => {
      const own = all.subarray(CELL * CELLS * i, CELL * CELLS * (i + 1));
      return Float32Array.from({ length: JUDGE_CHANNELS * CELLS }, (_, k) => {
        return own[Math.floor(k / JUDGE_CHANNELS) * CELL + (k % JUDGE_CHANNELS)]!;
      });
    });
  });

/** The part of the gradients under a template at a position. */
export function gradientsAt(gradients: Float32Array, place: number): Float32Array {
  const line = JUDGE_CHANNELS * JUDGE_CELLS;
  const out = new Float32Array(line * JUDGE_CELLS);
  for (let j = 0; j < JUDGE_CELLS; j++) {
    const from = JUDGE_CHANNELS * (ROW * (j + Math.floor(place / PLACES)) + (place % PLACES));
    out.set(gradients.subarray(from, from + line), line * j);
  }
  return out;
}

const tables = new WeakMap<FaceJudge, Float32Array<ArrayBuffer>>();

/** The templates of all views in the format of the kernel. */
function templatesOf(judge: FaceJudge): Float32Array<ArrayBuffer> {
  const known = tables.get(judge);
  if (known) return known;
  const views = viewsOf(judge);
  const size = 4 + CELL * JUDGE_CELLS * JUDGE_CELLS;
  const table = new Float32Array(size * views.length);
  views.forEach(({ constant, template }, i) => {
    table[size * i] = constant;
    template.forEach((v, k) => (table[size * i + 4 + Math.floor(k / JUDGE_CHANNELS) * CELL + (k % JUDGE_CHANNELS)] = v)); // prettier-ignore
  });
  tables.set(judge, table);
  return table;
}

/** Checks nine positions of each box, at its size. */
export const looksAt = (scope: Scope, judge: FaceJudge, image: Plane, boxes: readonly Box[]): Plan<Look[][]> =>
  scope.part(function* (inner) {
    if (!boxes.length) return [];
    const features = yield* fillCells(inner, image, boxes);
    const all = PLACES * PLACES;
    const values = inner.block(4 * all * boxes.length);
    const templates = templatesOf(judge);
    const views = templates.length / (4 + CELL * JUDGE_CELLS * JUDGE_CELLS);
    const given = { features, templates: inner.table(templates), views, values };
    yield* inner.kernels.boxValues(given, { rows: boxes.length, minimumBand: 1, cost: 20_000 * views });
    const found = inner.f32(values, all * boxes.length);
    return boxes.map(({ x, y, width, height }, i) =>
      Array.from({ length: all }, (_, place) => {
        const shift = (k: number) => ((k - 1) * width) / BOX;
        const box = { x: x + shift(place % PLACES), y: y + shift(Math.floor(place / PLACES)), width, height };
        return { value: found[all * i + place]!, place, box };
      }),
    );
  });

/** Returns the best result. */
export const bestLook = (looks: readonly Look[]): Look =>
  looks.reduce((best, look) => (look.value > best.value ? look : best));

/**
 * Estimates the face's box, of the detector's kind, from these results: their mean weighted by odds, because positions
 * and sizes are far apart.
 */
export function placeOf(looks: readonly Look[]): Box {
  const { value: most } = bestLook(looks);
  const shares = looks.map(({ value }) => Math.exp(value - most));
  const all = shares.reduce((sum, share) => sum + share);
  const mean = (of: (box: Box) => number) => looks.reduce((sum, { box }, i) => sum + shares[i]! * of(box), 0) / all;
  const side = Math.exp(mean(({ width }) => Math.log(width)));
  const [x, y] = [mean((box) => box.x + box.width / 2), mean((box) => box.y + box.height / 2) - HIGHER * side];
  const room = LARGER * side;
  return { x: x - room / 2, y: y - room / 2, width: room, height: room };
}

/** Checks each box at the other sizes. */
export function* looksAtSizes(scope: Scope, judge: FaceJudge, image: Plane, boxes: readonly Box[]): Plan<Look[][]> {
  const all = yield* looksAt(scope, judge, image, boxes.flatMap((box) => SIZES.map((size) => sized(box, size)))); // prettier-ignore
  return boxes.map((_, i) => all.slice(SIZES.length * i, SIZES.length * (i + 1)).flat());
}

/** Odds of a face, mapped to 0..1. */
export function judgedScore({ weights }: FaceJudge, value: number, windows: number, confirmed: number): number {
  const [constant, a, b, c] = weights;
  return 1 / (1 + Math.exp(-(constant + a * value + b * Math.log1p(windows) + c * Math.log1p(confirmed))));
}

/**
 * Share of boxes with such odds that are faces. This value is reported after `minScore` has decided. It increases
 * monotonically.
 */
export const shareOfFaces = (score: number): number => 1 / (1 + factor * (1 / score - 1) ** slope);

const shortened = new WeakMap<Cascade, Cascade>();

/** Returns the cascade without its last stages. Calls for one cascade return the same object. */
export function shortenCascade(cascade: Cascade, stages: number): Cascade {
  const known = shortened.get(cascade);
  if (known && known.stages.length === Math.min(stages, cascade.stages.length)) return known;
  const short = { ...cascade, stages: cascade.stages.slice(0, stages) };
  shortened.set(cascade, short);
  return short;
}

/**
 * Returns the groups with a sufficient score, at their best position, without groups that overlap a better one. It
 * yields after each step.
 */
export function* judgeByGradients(
  scope: Scope,
  judge: FaceJudge,
  second: Cascade,
  image: Plane,
  groups: readonly FaceBox[],
  manner: SearchManner,
): Plan<FaceBox[]> {
  yield* scope.turn(LOOK * groups.length);
  const asFound = yield* looksAt(scope, judge, image, groups);
  const most = (group: FaceBox, value: number) =>
    judgedScore(judge, value, group.neighbors * density(second, group, manner), MOST_CONFIRMED);
  const seen = groups.map((group, i) => ({ group, first: asFound[i]! }));
  // Check other sizes, and use the second cascade, only if this can change the result.
  const worth = seen.filter(({ group, first }) => most(group, bestLook(first).value + judge.gain) >= manner.minScore);
  yield* scope.turn(LOOKS * worth.length);
  const sizes = yield* looksAtSizes(scope, judge, image, worth.map(({ group }) => group)); // prettier-ignore
  const open = worth
    .map(({ group, first }, i) => ({ group, looks: [...first, ...sizes[i]!] }))
    .map(({ group, looks }) => ({ group, looks, look: bestLook(looks) }))
    .filter(({ group, look }) => most(group, look.value) >= manner.minScore);
  const counts = yield* countWindows(
    scope,
    second,
    image,
    open.map(({ look }) => look.box),
  );
  const scored = open.map(({ group, looks, look }, i) => ({
    ...group,
    ...placeOf(looks),
    score: judgedScore(judge, look.value, group.neighbors * density(second, group, manner), counts[i]!),
  }));
  return withoutDoubles(scored, manner.minScore).map((face) => ({ ...face, score: shareOfFaces(face.score) }));
}

/**
 * Inputs: an image, a face verifier or none, boxes (x, y, width, height of each). Output: the best value of each box.
 */
export const templateValues = defineStage({
  name: 'faces/judge',
  params: {},
  inputs: ['u8', 'judge[]', 'f64[]'],
  outputs: ['f64[]'],
  tolerance: 1e-3,
  wasmOnly: 'A few boxes of some thousand samples: less work than the passes and the read-back would take.',
  *wasm(scope, [source, [judge], list]) {
    const boxes = Array.from({ length: list.length / 4 }, (_, i) => {
      const [x, y, width, height] = list.subarray(4 * i) as unknown as [number, number, number, number];
      return { x, y, width, height };
    });
    if (!judge) return [new Float64Array(boxes.length)];
    return [Float64Array.from(yield* looksAt(scope, judge, source, boxes), (looks) => bestLook(looks).value)];
  },
});
