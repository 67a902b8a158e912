/**
 * A cascade in the format of the kernel (assembly/faces/cascade.ts), for one row stride and one scale of the
 * classifier.
 *
 * Scaling the classifier rounds its rectangles to pixels. Their weights compensate for this: each one counts as the
 * area that it would have without rounding (thesis, sections 4.3.3 and 4.3.4). So the feature of a flat window is still
 * 0.
 */
import type { Cascade, CascadeNode, HaarRectangle } from '../models/cascade.ts';

const HEADER = 9;
const STAGE = 3;
const NODE = 20;
/** OpenCV lowers every stage threshold by this, to compensate for rounding in training. */
const EASE = 1e-5;

export interface TableLayout {
  /** Row stride of the integral images in bytes. */
  readonly stride: number;
  /** Even columns first, then the odd ones. */
  readonly split: boolean;
  /** Scale of the classifier. 1 if the image is scaled instead. */
  readonly scale: number;
}

/** Number of words in a table of this cascade. */
export function tableWords({ stages }: Cascade, trees: boolean): number {
  const nodes = stages.flatMap((stage) => stage.trees);
  return (
    HEADER +
    stages.length * STAGE +
    nodes.reduce((sum, tree) => sum + NODE * tree.length, 0) +
    (trees ? nodes.length : 0)
  );
}

export const hasTrees = ({ stages }: Cascade): boolean =>
  stages.some(({ trees }) => trees.some((nodes) => nodes.length > 1));

/** Factor of the fixed-point sums: the largest power of two for which no stage can overflow. */
export function sumScale({ stages }: Cascade): number {
  const leaf = ({ left, right }: CascadeNode) =>
    Math.max(...[left, right].map((branch) => ('leaf' in branch ? Math.abs(branch.leaf) : 0)));
  const largest = stages.map(({ threshold, trees }) =>
    trees.reduce((sum, nodes) => sum + Math.max(...nodes.map(leaf)), Math.abs(threshold)),
  );
  return 2 ** Math.floor(Math.log2(2 ** 30 / Math.max(1e-3, ...largest)));
}

interface Pixels {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Rounds a rectangle of the classifier to pixels at a scale. */
export const scaleBox = ({ x, y, width, height }: Pixels, s: number): Pixels => ({
  x: Math.round(x * s),
  y: Math.round(y * s),
  width: Math.max(1, Math.round(width * s)),
  height: Math.max(1, Math.round(height * s)),
});

/** The rectangle without its border, over which mean and deviation are computed. */
export const innerRectangle = ({ width, height }: { width: number; height: number }): Pixels => ({
  x: 1,
  y: 1,
  width: width - 2,
  height: height - 2,
});

/** Pixels and weight of a feature's rectangle at a scale. */
export function scaleRectangle(rectangle: HaarRectangle, s: number): HaarRectangle {
  const box = scaleBox(rectangle, s);
  const nominal = rectangle.width * rectangle.height * s * s;
  return { ...box, weight: s === 1 ? rectangle.weight : (rectangle.weight * nominal) / (box.width * box.height) };
}

/** Sides of the window in pixels at a scale, so that it contains all of its rounded rectangles. */
export function scaledWindow({ width, height }: Cascade, s: number): { width: number; height: number } {
  return { width: s === 1 ? width : Math.round(width * s) + 1, height: s === 1 ? height : Math.round(height * s) + 1 };
}

/** Whether the variance of a window is computed in integers. This is possible while area^2 x 128^2 fits 32 bits. */
export const wholeVariance = (scale: number, area: number): boolean => scale === 1 && area * area * 16384 < 2 ** 32;

/** A stage's threshold in fixed point. */
export const stageThreshold = (threshold: number, fixed: number): number => Math.ceil((threshold - EASE) * fixed);

export type Point = readonly [number, number];

/**
 * For a rectangle with weight -1 and one half of it with weight 2 (one half minus the other): the six samples of a - b
 * - c + d + 2 (e - f). Otherwise null.
 */
export function halves(rectangles: readonly HaarRectangle[]): Point[] | null {
  const [all, half, more] = rectangles;
  if (!half || more || all!.weight !== -1 || half.weight !== 2) return null;
  const { x, y, width: w, height: h } = all!;
  const beside = half.y === y && half.height === h && 2 * half.width === w;
  const below = half.x === x && half.width === w && 2 * half.height === h;
  let [left, top, right, bottom] = [x, y, x + w, y + h];
  if (beside && (half.x === x || half.x + half.width === right)) {
    const m = x + half.width;
    if (half.x !== x) [top, bottom] = [bottom, top]; // right minus left
    return [
      [left, top],
      [left, bottom],
      [right, bottom],
      [right, top],
      [m, bottom],
      [m, top],
    ];
  }
  if (below && (half.y === y || half.y + half.height === bottom)) {
    const m = y + half.height;
    if (half.y !== y) [left, right] = [right, left]; // lower minus upper
    return [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
      [right, m],
      [left, m],
    ];
  }
  return null;
}

const offsetIn =
  ({ stride, split }: TableLayout) =>
  (x: number, y: number) =>
    y * stride + (split ? (x >> 1) * 4 + (x & 1) * (stride >> 1) : x * 4);

/** First words of the table: the values for a window's standard deviation. */
export function varianceHeader(
  window: { width: number; height: number },
  layout: TableLayout,
): Int32Array<ArrayBuffer> {
  const words = new Int32Array(HEADER);
  const floats = new Float32Array(words.buffer);
  const offset = offsetIn(layout);
  const { scale } = layout;
  const inner = innerRectangle(window);
  const { x, y, width, height } = scaleBox(inner, scale);
  const area = inner.width * inner.height * scale * scale;
  words.set([offset(x, y), offset(x + width, y), offset(x, y + height), offset(x + width, y + height)], 1);
  floats[5] = area;
  floats[6] = 1 / (width * height);
  words[7] = wholeVariance(scale, area) ? 1 : 0;
  return words;
}

/** Packs both coordinates of a sample in one word. */
const packed = (x: number, y: number) => x | (y << 16);

interface TablePlan {
  /** The table with packed coordinates instead of offsets. */
  readonly words: Int32Array<ArrayBuffer>;
  /** Positions of these coordinates in the table. */
  readonly places: readonly number[];
  /** Cache of the last tables, by layout. */
  readonly made: Map<string, Int32Array<ArrayBuffer>>;
}

/** Number of cached tables per cascade: for searches of two sizes, with and without split columns. */
const KEPT = 4;

const plans = new WeakMap<Cascade, TablePlan>();

/** Common data of the tables of an unscaled classifier. It is made once per cascade, which needs some milliseconds. */
function tablePlan(cascade: Cascade): TablePlan {
  let plan = plans.get(cascade);
  if (!plan) plans.set(cascade, (plan = planTable(cascade, 1, packed)));
  return plan;
}

function planTable(cascade: Cascade, scale: number, point: (x: number, y: number) => number): TablePlan {
  const trees = hasTrees(cascade);
  const words = new Int32Array(tableWords(cascade, trees));
  const floats = new Float32Array(words.buffer);
  const fixed = sumScale(cascade);
  const places: number[] = [];
  const put = (at: number, samples: readonly Point[]) =>
    samples.forEach(([x, y], i) => {
      places.push(at + i);
      words[at + i] = point(x, y);
    });
  words[0] = cascade.stages.length;
  words[8] = trees ? 1 : 0;
  let at = HEADER;
  const node = ({ rectangles, threshold, left, right }: CascadeNode) => {
    const half = scale === 1 ? halves(rectangles) : null;
    words[at + 15] = half ? 1 : rectangles.length;
    if (half) put(at, half);
    rectangles.forEach((own, r) => {
      const { x, y, width, height, weight } = scale === 1 ? own : scaleRectangle(own, scale);
      floats[at + 12 + r] = weight;
      if (!half) put(at + 4 * r, [[x, y], [x + width, y], [x, y + height], [x + width, y + height]]); // prettier-ignore
    });
    floats[at + 16] = threshold;
    if ('leaf' in left) words[at + 17] = Math.round(left.leaf * fixed);
    if ('leaf' in right) words[at + 18] = Math.round(right.leaf * fixed);
    words[at + 19] = ('node' in left ? left.node : 0) | (('node' in right ? right.node : 0) << 8);
    at += NODE;
  };
  for (const stage of cascade.stages) {
    const start = at;
    words[at] = stageThreshold(stage.threshold, fixed);
    words[at + 1] = stage.trees.length;
    at += STAGE;
    for (const nodes of stage.trees) {
      if (trees) words[at++] = nodes.length;
      nodes.forEach(node);
    }
    words[start + 2] = 4 * (at - start);
  }
  return { words, places, made: new Map() };
}

export function cascadeTable(cascade: Cascade, layout: TableLayout): Int32Array<ArrayBuffer> {
  const offset = offsetIn(layout);
  const unscaled = layout.scale === 1;
  const key = `${layout.stride} ${layout.split}`;
  const { words: own, places, made } = unscaled ? tablePlan(cascade) : planTable(cascade, layout.scale, offset);
  const known = made.get(key);
  if (known) return known;
  const words = own.slice();
  if (unscaled) for (const at of places) words[at] = offset(words[at]! & 0xffff, words[at]! >>> 16);
  words.set(varianceHeader(cascade, layout).subarray(1, 8), 1);
  if (made.size >= KEPT) made.clear();
  made.set(key, words);
  return words;
}
