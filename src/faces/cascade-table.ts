/**
 * A cascade as the kernel reads it (assembly/faces/cascade.ts), for one row stride and one scale of the classifier.
 *
 * Scaling the classifier rounds its rectangles to pixels. Their weights make up for that: each counts as the area that
 * it would have without rounding (thesis, sections 4.3.3 and 4.3.4), so a flat window still gives 0.
 */
import type { Cascade, CascadeNode, HaarRectangle } from '../models/cascade.ts';

const HEADER = 10;
const STAGE = 3;
const NODE = 20;
/** OpenCV lowers every stage threshold by this; it makes up for rounding in training. */
const EASE = 1e-5;
/** A window needs a standard deviation of more gray levels than this; OpenCV's rule. */
export const FLAT = 10;

export interface TableLayout {
  /** Row stride of the integral images in bytes. */
  readonly stride: number;
  /** Even columns first, then the odd ones. */
  readonly split: boolean;
  /** Of the classifier; 1 where the image is scaled. */
  readonly scale: number;
}

/** Words that a table of this cascade has. */
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

/** Factor of the fixed-point sums: the largest power of two with which no stage can overflow. */
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

/** A rectangle of the classifier, rounded to pixels at a scale. */
export const scaleBox = ({ x, y, width, height }: Pixels, s: number): Pixels => ({
  x: Math.round(x * s),
  y: Math.round(y * s),
  width: Math.max(1, Math.round(width * s)),
  height: Math.max(1, Math.round(height * s)),
});

/** The rectangle without its rim, over which mean and deviation are taken. */
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

/** Sides of the window in pixels at a scale: none of its rounded rectangles reaches further. */
export function scaledWindow({ width, height }: Cascade, s: number): { width: number; height: number } {
  return { width: s === 1 ? width : Math.round(width * s) + 1, height: s === 1 ? height : Math.round(height * s) + 1 };
}

/** Whether a window's variance is taken in whole numbers: while area^2 x 128^2 fits 32 bits. */
export const wholeVariance = (scale: number, area: number): boolean => scale === 1 && area * area * 16384 < 2 ** 32;

/** A stage's threshold in fixed point. */
export const stageThreshold = (threshold: number, fixed: number): number => Math.ceil((threshold - EASE) * fixed);

export type Point = readonly [number, number];

/**
 * A rectangle of weight -1 with one half of it of weight 2, that is the one half less the other: the six samples whose
 * a - b - c + d + 2 (e - f) it is; else null.
 */
export function halves(rectangles: readonly HaarRectangle[]): Point[] | null {
  const [all, half, more] = rectangles;
  if (!half || more || all!.weight !== -1 || half.weight !== 2) return null;
  const { x, y, width: w, height: h } = all!;
  const [right, bottom] = [x + w, y + h];
  const beside = half.y === y && half.height === h && 2 * half.width === w;
  const below = half.x === x && half.width === w && 2 * half.height === h;
  if (beside && half.x === x) {
    const m = x + half.width; // left less right
    return [
      [x, y],
      [x, bottom],
      [right, bottom],
      [right, y],
      [m, bottom],
      [m, y],
    ];
  }
  if (beside && half.x + half.width === right) {
    const m = half.x;
    return [
      [x, bottom],
      [x, y],
      [right, y],
      [right, bottom],
      [m, y],
      [m, bottom],
    ];
  }
  if (below && half.y === y) {
    const m = y + half.height; // upper less lower
    return [
      [x, y],
      [right, y],
      [right, bottom],
      [x, bottom],
      [right, m],
      [x, m],
    ];
  }
  if (below && half.y + half.height === bottom) {
    const m = half.y;
    return [
      [right, y],
      [x, y],
      [x, bottom],
      [right, bottom],
      [x, m],
      [right, m],
    ];
  }
  return null;
}

const offsetIn =
  ({ stride, split }: TableLayout) =>
  (x: number, y: number) =>
    y * stride + (split ? (x >> 1) * 4 + (x & 1) * (stride >> 1) : x * 4);

/** The table's first words: what a window's standard deviation is made of. */
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
  const whole = wholeVariance(scale, area);
  words.set([offset(x, y), offset(x + width, y), offset(x, y + height), offset(x + width, y + height)], 1);
  floats[5] = area;
  floats[6] = 1 / (width * height);
  words[7] = whole ? 1 : 0;
  floats[8] = whole ? FLAT * FLAT * area * area : FLAT * FLAT;
  return words;
}

/** Both coordinates of a sample in one word. */
const packed = (x: number, y: number) => x | (y << 16);

interface TablePlan {
  /** The table with packed coordinates instead of offsets. */
  readonly words: Int32Array<ArrayBuffer>;
  /** Where its nodes begin. */
  readonly nodes: Int32Array;
}

const plans = new WeakMap<Cascade, TablePlan>();

/** What the tables of an unscaled classifier have in common; made once a cascade, which takes some milliseconds. */
export function tablePlan(cascade: Cascade): TablePlan {
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
  const corners = (at: number, { x, y, width, height }: Pixels) => {
    words[at] = point(x, y);
    words[at + 1] = point(x + width, y);
    words[at + 2] = point(x, y + height);
    words[at + 3] = point(x + width, y + height);
  };
  words[0] = cascade.stages.length;
  words[9] = trees ? 1 : 0;
  let at = HEADER;
  const node = ({ rectangles, threshold, left, right }: CascadeNode) => {
    places.push(at);
    for (let r = 0; r < 3; r++) {
      const own = rectangles[r] ?? rectangles[0]!;
      const rectangle = scale === 1 ? own : scaleRectangle(own, scale);
      corners(at + 4 * r, rectangle);
      floats[at + 12 + r] = r < rectangles.length ? rectangle.weight : 0;
    }
    words[at + 15] = rectangles.length;
    const half = scale === 1 ? halves(rectangles) : null;
    if (half) {
      half.forEach(([x, y], i) => (words[at + i] = point(x, y)));
      words[at + 15] = 1;
    }
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
  return { words, nodes: Int32Array.from(places) };
}

export function cascadeTable(cascade: Cascade, layout: TableLayout): Int32Array<ArrayBuffer> {
  const offset = offsetIn(layout);
  const header = varianceHeader(cascade, layout);
  let words;
  if (layout.scale === 1) {
    const plan = tablePlan(cascade);
    words = plan.words.slice();
    for (const at of plan.nodes)
      for (let k = at; k < at + 12; k++) words[k] = offset(words[k]! & 0xffff, words[k]! >>> 16);
  } else words = planTable(cascade, layout.scale, offset).words;
  header[0] = words[0]!;
  header[9] = words[9]!;
  words.set(header);
  return words;
}
