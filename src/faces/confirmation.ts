/**
 * How sure a group of windows is a face. The search looks at few windows a face, so that their number is a matter of
 * chance; here a second cascade looks at the group's neighborhood closely: 8 x 8 places, a window's twentieth apart, at
 * 7 sizes. How many of these windows pass says more, as the two cascades were trained apart and err at different places.
 *
 * A logistic regression makes a score of it: of n, the windows that were found (as many as a search with step 1 and
 * factor 1.1 would have found, nearly), m, the windows that were confirmed, and the share of the image that the box takes
 * up: small boxes have many more places to arise by chance. docs/accuracy-tables.md says what its weights were fitted to.
 */
import type { Cascade } from '../models/cascade.ts';
import type { Box } from '../results/types.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { cascadeTable } from './cascade-table.ts';
import { leastVariance } from './flat-windows.ts';
import type { FaceBox } from './grouping.ts';
import { resizeBy } from './resize.ts';
import { stepAt } from './cascade-search.ts';

// `npm run bench -- curves faces` prints the logistic regression that the weights began with (docs/accuracy-tables.md, "Faces").

/** Places in a row: what the kernel looks at side by side. */
const PLACES = 8;
/** Sizes from SMALLEST times the box on, each STEP times the one before. */
const SIZES = 7;
const SMALLEST = 0.84;
const STEP = 1.06;

/** Work of a box by that of a step of the search. */
const WORK = 0.7;

/** Boxes that share this much of the smaller one are one face. */
const SAME = 0.5;

/** Odds of a face, as 0..1; `share` of the image's area. */
export function scoreOf(windows: number, confirmed: number, share: number): number {
  const odds = 2.1 * Math.log1p(windows) + 1.0 * Math.log1p(confirmed) + 0.2 * Math.log(share) - 4.5;
  return 1 / (1 + Math.exp(-odds));
}

/** How a search went about it. */
export interface SearchManner {
  readonly scaling: 'classifier' | 'image';
  readonly scaleFactor: number;
  readonly step: number;
  /** Faces that score less are left out. */
  readonly minScore: number;
}

/** Share of the smaller box that both have. */
function common(a: Box, b: Box): number {
  const w = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return (Math.max(0, w) * Math.max(0, h)) / Math.min(a.width * a.height, b.width * b.height);
}

/** Samples of one axis, `unit` pixels apart about the middle: pixel before each, and the weight of the next in 1/256. */
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

/** A close look with a second cascade, whose memory is the scope's: windows of one size about a box that pass, of 64. */
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

/** Windows about each box that the cascade lets pass, of 448. */
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

/** The groups that score enough, without those that lie on a better one. Gives way after each. */
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

/** Those that score enough, best first, without those that lie on a better one. */
export function withoutDoubles<T extends Box & { score: number }>(scored: readonly T[], minScore: number): T[] {
  const enough = scored.filter(({ score }) => score >= minScore).sort((a, b) => b.score - a.score);
  return enough.filter((face, i) => !enough.slice(0, i).some((better) => common(face, better) > SAME));
}

/** How much further apart the windows of the search were than those of one with step 1 and factor 1.1. */
export function density(cascade: Cascade, { width }: Box, { scaling, scaleFactor, step }: SearchManner): number {
  const scale = width / cascade.width;
  const pixels = stepAt(scaling, scale, step);
  const factor = Math.log(scaleFactor) / Math.log(1.1);
  return factor * (scaling === 'image' ? pixels : pixels / scale);
}

/** An image, the cascade, boxes (x, y, width, height of each); the windows about each that pass. */
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
