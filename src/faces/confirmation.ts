/**
 * Verification: the probability that a group of windows is a face. The search tests few windows per face, so their
 * number depends on chance. Here a second cascade tests the group's neighborhood densely: 8 x 8 positions, a twentieth
 * of a window apart, at 7 sizes. The number of these windows that pass is more informative, because the two cascades
 * were trained separately and fail at different positions.
 *
 * A logistic regression computes a score from three values. n is the number of windows found, scaled to about the
 * number of a search with step 1 and factor 1.1. m is the number of verified windows. The third is the share of the
 * image that the box covers, because small boxes have many more positions to appear by chance. lab/results/accuracy.md
 * lists the data for its weights.
 */
import type { Cascade } from '../models/cascade.ts';
import type { Box } from '../results/types.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { cascadeTable } from './cascade-table.ts';
import { leastVariance, stepAt } from './cascade-search.ts';
import type { FaceBox } from './grouping.ts';
import { resizeBy } from './resize.ts';

// `npm run lab -- curves faces` prints the logistic regression that the weights started from
// (lab/results/accuracy.md, "Faces").

/** Number of positions in a row, which the kernel tests in parallel. */
const PLACES = 8;
/** Number of sizes. The first is SMALLEST times the box, and each one is STEP times the previous one. */
const SIZES = 7;
const SMALLEST = 0.84;
const STEP = 1.06;

/** Work of a box, relative to a step of the search. */
const WORK = 0.7;

/** Boxes that share this much of the smaller one count as one face. */
const SAME = 0.5;

/** Odds of a face, mapped to 0..1. `share` is the box's share of the image area. */
export function scoreOf(windows: number, confirmed: number, share: number): number {
  const odds = 2.1 * Math.log1p(windows) + 1.0 * Math.log1p(confirmed) + 0.2 * Math.log(share) - 4.5;
  return 1 / (1 + Math.exp(-odds));
}

/** Options that the search used. */
export interface SearchManner {
  readonly scaling: 'classifier' | 'image';
  readonly scaleFactor: number;
  readonly step: number;
  /** Faces with a lower score are left out. */
  readonly minScore: number;
}

/** Intersection as a share of the smaller box. */
function common(a: Box, b: Box): number {
  const w = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return (Math.max(0, w) * Math.max(0, h)) / Math.min(a.width * a.height, b.width * b.height);
}

/**
 * Samples of one axis, `unit` pixels apart around the middle: the pixel before each, and the weight of the next one in
 * 1/256.
 */
function axis(middle: number, unit: number, count: number, pixels: number): Int32Array {
  const table = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const at = middle + (i - (count - 1) / 2) * unit;
    const low = Math.floor(at);
    const inside = low >= 0 && low < pixels - 1;
    table[2 * i] = Math.min(Math.max(low, 0), pixels - 1);
    table[2 * i + 1] = inside ? Math.round((at - low) * 256) : 0;
  }
  return table;
}

/**
 * Makes a dense test with a second cascade, in memory of the scope. It returns how many of 64 windows of one size
 * around a box pass.
 */
function closeLook(scope: Scope, cascade: Cascade, image: Plane) {
  const { width: w, height: h } = cascade;
  const stride = (4 * (w + 32) + 15) & ~15;
  const model = scope.table(cascadeTable(cascade, { stride, split: false, scale: 1 }));
  const patch = scope.plane(w + PLACES - 1, h + PLACES - 1, 'u8');
  const { address: sums } = scope.block(stride * (h + PLACES));
  const { address: squares } = scope.block(stride * (h + PLACES));
  const hits = scope.block(16 * PLACES);
  const counts = scope.block(4 * PLACES);
  const least = leastVariance(scope, image, true);
  const blocks = { blockRows: patch.height, offsets: { address: 0, stride: 0 } };
  const given = { source: patch, width: patch.width, height: patch.height, ...blocks };
  return function* ({ x, y, width, height }: Box, size: number): Plan<number> {
    yield* scope.part((inner) => {
      const columns = inner.table(axis(x + (width - 1) / 2, (width * size) / w, patch.width, image.width));
      const rows = inner.table(axis(y + (height - 1) / 2, (height * size) / h, patch.height, image.height));
      return resizeBy(inner, image, patch, columns, rows);
    });
    yield* scope.kernels.integral({ ...given, target: { address: sums, stride } }, { rows: 1 });
    yield* scope.kernels.integralSquares({ ...given, target: { address: squares, stride } }, { rows: 1 });
    yield* scope.kernels.cascadeRows(
      {
        ...{ sums, squares, stride, model, hits, hitStride: 16, counts },
        ...{ columns: PLACES, step: 1, skip: false, least },
      },
      { rows: PLACES },
    );
    return scope.u32(counts, PLACES).reduce((sum, count) => sum + count, 0);
  };
}

/** Number of windows around each box that the cascade accepts, out of 448. */
export const countWindows = (scope: Scope, cascade: Cascade, image: Plane, boxes: readonly Box[]): Plan<number[]> =>
  scope.part(function* (inner) {
    const passing = closeLook(inner, cascade, image);
    const counts: number[] = [];
    for (const box of boxes) {
      yield* scope.turn(WORK);
      let sum = 0;
      for (let k = 0, size = SMALLEST; k < SIZES; k++, size *= STEP) sum += yield* passing(box, size);
      counts.push(sum);
    }
    return counts;
  });

/** Returns the groups with a sufficient score, without groups that overlap a better one. It yields after each group. */
export function* judgeGroups(
  scope: Scope,
  cascade: Cascade,
  image: Plane,
  groups: readonly FaceBox[],
  manner: SearchManner,
): Plan<FaceBox[]> {
  const counts = yield* countWindows(scope, cascade, image, groups);
  const scored = groups.map((group, i) => {
    const share = (group.width * group.height) / (image.width * image.height);
    const windows = group.neighbors * density(cascade, group, manner);
    return { ...group, score: scoreOf(windows, counts[i]!, share) };
  });
  return withoutDoubles(scored, manner.minScore);
}

/** Returns boxes with a sufficient score, best first, without boxes that overlap a better one. */
export function withoutDoubles<T extends Box & { score: number }>(scored: readonly T[], minScore: number): T[] {
  const enough = scored.filter(({ score }) => score >= minScore).sort((a, b) => b.score - a.score);
  return enough.filter((face, i) => !enough.slice(0, i).some((better) => common(face, better) > SAME));
}

/** Density of the windows of a search, relative to a search with step 1 and factor 1.1. */
export function density(cascade: Cascade, { width }: Box, { scaling, scaleFactor, step }: SearchManner): number {
  const scale = width / cascade.width;
  const pixels = stepAt(scaling, scale, step);
  const factor = Math.log(scaleFactor) / Math.log(1.1);
  return factor * (scaling === 'image' ? pixels : pixels / scale);
}

/**
 * Inputs: an image, the cascade, boxes (x, y, width, height of each). Output: the number of windows around each that
 * pass.
 */
export const confirmedWindows = defineStage({
  name: 'faces/confirmation',
  params: {},
  inputs: ['u8', 'cascade', 'f64[]'],
  outputs: ['i32[]'],
  tolerance: 2,
  wasmOnly: 'Some hundred windows about a few boxes: less work than the passes and the read-back would take.',
  *wasm(scope, [source, cascade, list]) {
    const boxes = Array.from({ length: list.length / 4 }, (_, i) => {
      const [x, y, width, height] = list.subarray(4 * i) as unknown as [number, number, number, number];
      return { x, y, width, height };
    });
    return [Int32Array.from(yield* countWindows(scope, cascade, source, boxes))];
  },
});
