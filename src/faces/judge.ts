/**
 * The judge of what a search finds. The first cascade ends some stages early, so that it lets through nearly every face, and
 * several times as many other windows; what hangs together of these is looked at as gradients (assembly/faces/judge.ts), with
 * linear templates for faces seen from the front and turned to a side, at several places and sizes about the group: windows
 * of a cascade lie a quarter beside faces that are turned or tilted. The best of these looks is where the face is, and there
 * the second cascade is asked (confirmation.ts). A logistic regression makes a score of the templates' value and of both
 * numbers of windows. `npm run train:judge` fits all of it, on rendered faces and pictures without faces. `minScore` decides by it;
 * reported is the share of boxes with such a score that are faces (score-table.ts).
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

/** Cells on each side of what is looked at, of which templates cover all but two; eight are the box. */
const ROW = JUDGE_CELLS + 2;
const BOX = 8;
const SAMPLES = 4 * ROW;
/** Places in a row that a template is laid at. */
const PLACES = ROW - JUDGE_CELLS + 1;
/** Numbers of a box as the kernel leaves them: a zero behind each cell's. */
const CELL = JUDGE_CHANNELS + 1;
const CELLS = ROW * ROW;
const DIRECTIONS = Float32Array.from({ length: 18 }, (_, i) =>
  i % 2 ? Math.sin((Math.floor(i / 2) * Math.PI) / 9) : Math.cos((Math.floor(i / 2) * Math.PI) / 9),
);
/** Other sizes that a box is looked at. */
const SIZES = [0.84, 1.19];
/**
 * A reported box is of the kind that windows of the first cascade are, as without a judge: so much larger than the box that
 * templates are learned from, and so much of that higher (medians over rendered faces, printed by `npm run train:judge`).
 */
const LARGER = 1.09;
const HIGHER = 0.07;
/** Work of a box by that of a step of the search: a look at it, looks at the other sizes. */
const [LOOK, LOOKS] = [0.25, 0.5];
/** Windows about a box that the second cascade can let pass. */
const MOST_CONFIRMED = 448;

/** The judge of a stage, none or one. */
declare module '../runtime/kinds.ts' {
  interface Kinds {
    'judge[]': readonly FaceJudge[];
  }
}

/** A look at a place: the best value of the templates there, its number of nine, and the box that they lie on. */
export interface Look {
  readonly value: number;
  readonly place: number;
  readonly box: Box;
}

/** A box of another size about the same middle. */
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

/** Gradients about each box: 144 cells of 27 numbers. */
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

/** Of these the ones that a template meets at a place. */
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

/** The templates of all views as the kernel takes them. */
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

/** Looks at nine places of each box, of its size. */
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

/** The best of looks. */
export const bestLook = (looks: readonly Look[]): Look =>
  looks.reduce((best, look) => (look.value > best.value ? look : best));

/**
 * Where the face is by these looks, of the detector's kind: their mean by the odds that each gives it, since places and sizes
 * lie far apart.
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

/** Looks at each box of the other sizes. */
export function* looksAtSizes(scope: Scope, judge: FaceJudge, image: Plane, boxes: readonly Box[]): Plan<Look[][]> {
  const all = yield* looksAt(scope, judge, image, boxes.flatMap((box) => SIZES.map((size) => sized(box, size)))); // prettier-ignore
  return boxes.map((_, i) => all.slice(SIZES.length * i, SIZES.length * (i + 1)).flat());
}

/** Odds of a face, as 0..1. */
export function judgedScore({ weights }: FaceJudge, value: number, windows: number, confirmed: number): number {
  const [constant, a, b, c] = weights;
  return 1 / (1 + Math.exp(-(constant + a * value + b * Math.log1p(windows) + c * Math.log1p(confirmed))));
}

/** Of boxes with such odds the share that are faces: what is reported of them, after `minScore` has decided. It only rises. */
export const shareOfFaces = (score: number): number => 1 / (1 + factor * (1 / score - 1) ** slope);

const shortened = new WeakMap<Cascade, Cascade>();

/** The cascade without its last stages; the same object each time. */
export function shortenCascade(cascade: Cascade, stages: number): Cascade {
  const known = shortened.get(cascade);
  if (known && known.stages.length === Math.min(stages, cascade.stages.length)) return known;
  const short = { ...cascade, stages: cascade.stages.slice(0, stages) };
  shortened.set(cascade, short);
  return short;
}

/** The groups that score enough, where they were seen best, without those that lie on a better one. Gives way after each. */
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
  // Other sizes are looked at, and the second cascade is asked, only where that can matter.
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

/** An image, a judge or none, boxes (x, y, width, height of each); the value of the best look at each. */
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
