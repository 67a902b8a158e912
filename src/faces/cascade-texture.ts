/**
 * A cascade in the format of the shaders (glsl/faces/stages.glsl), after figure 4.12 of the thesis: stages point to
 * nodes, and a node is a few texels of four words. In an unscaled window, a rectangle is one word. Scaling the
 * classifier rounds its rectangles. Their weights are then not integers, so each scale has a separate table.
 */
import type { Cascade, CascadeNode, HaarRectangle } from '../models/cascade.ts';
import {
  halves,
  innerRectangle,
  scaleBox,
  scaleRectangle,
  stageThreshold,
  sumScale,
  type Point,
  wholeVariance,
} from './cascade-table.ts';

// Packs rectangles on shelves of one texture, so that one pass handles all scales of a search.

export interface Corner {
  readonly x: number;
  readonly y: number;
}

export interface Atlas {
  readonly width: number;
  readonly height: number;
  /** Positions, in the order of the sizes. */
  readonly corners: readonly Corner[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Shelves as wide as `width`, the tallest rectangles first. */
function shelves(sizes: readonly Size[], width: number): Atlas {
  const corners = new Array<Corner>(sizes.length);
  const order = sizes.map((_, i) => i).sort((a, b) => sizes[b]!.height - sizes[a]!.height);
  let [x, y, shelf] = [0, 0, 0];
  for (const i of order) {
    const size = sizes[i]!;
    if (x + size.width > width) {
      y += shelf;
      x = shelf = 0;
    }
    corners[i] = { x, y };
    x += size.width;
    shelf = Math.max(shelf, size.height);
  }
  return { width, height: y + shelf, corners };
}

/** Returns the smallest of a few layouts with sides of at most `limit`. Null if none fits. */
export function layOut(sizes: readonly Size[], limit: number): Atlas | null {
  const widest = Math.max(...sizes.map(({ width }) => width));
  const area = sizes.reduce((sum, { width, height }) => sum + width * height, 0);
  let best: Atlas | null = null;
  for (const factor of [1, 1.25, 1.5, 1.75, 2, 2.5, 3]) {
    const width = Math.min(limit, Math.max(widest, Math.ceil(factor * Math.sqrt(area / 2))));
    const atlas = shelves(sizes, width);
    if (width < widest || atlas.height > limit) continue;
    if (!best || atlas.width * atlas.height < best.width * best.height) best = atlas;
  }
  return best;
}

/** Number of texels in a row of the node table, like in stages.glsl. */
export const NODE_ROW = 2048;

/** Marker instead of weights for two halves, like in stages.glsl. */
const HALVES = 1 << 24;

export interface CascadeTexture {
  /** Rectangles have two words each, and weights are floats. */
  readonly scaled: boolean;
  readonly trees: boolean;
  /** RGBA32UI, rows of NODE_ROW texels. */
  readonly nodes: Uint32Array<ArrayBuffer>;
  readonly rows: number;
  /** Number of texels for the nodes of one scale. 0 if all scales share them. */
  readonly tableTexels: number;
  /** RGBA32I, one texel per stage: first node, trees, threshold in fixed point. */
  readonly stages: Int32Array<ArrayBuffer>;
}

const isByte = (v: number) => Number.isInteger(v) && v >= -128 && v <= 127;

/** Whether the weights of all features are small integers. */
const wholeWeights = ({ stages }: Cascade) =>
  stages.every(({ trees }) =>
    trees.every((nodes) => nodes.every((node) => node.rectangles.every((r) => isByte(r.weight)))),
  );

function nodeWords(node: CascadeNode, size: number, scale: number, scaled: boolean, fixed: number): Uint32Array {
  const words = new Uint32Array(scaled ? 16 : 8);
  const ints = new Int32Array(words.buffer);
  const floats = new Float32Array(words.buffer);
  const { rectangles, threshold, left, right } = node;
  const of = (r: number): HaarRectangle => scaleRectangle(rectangles[r] ?? rectangles[0]!, scale);
  const weight = (r: number) => (r < rectangles.length ? of(r).weight : 0);
  const leaf = (branch: CascadeNode['left']) => ('leaf' in branch ? Math.round(branch.leaf * fixed) : 0);
  const next = (branch: CascadeNode['left']) => ('node' in branch ? branch.node : 0);
  const tree = next(left) | (next(right) << 8) | (size << 16);
  for (let r = 0; r < 3; r++) {
    const { x, y, width, height } = of(r);
    if (scaled) {
      words[2 * r] = x | (y << 16);
      words[2 * r + 1] = width | (height << 16);
      floats[8 + r] = weight(r);
    } else {
      words[r] = x | (y << 8) | (width << 16) | (height << 24);
      words[3] = words[3]! | ((weight(r) & 255) << (8 * r));
    }
  }
  const half = scaled ? null : halves(rectangles);
  if (half) {
    const word = ([x, y]: Point, [u, v]: Point) => x | (y << 8) | (u << 16) | (v << 24);
    const [a, b, c, d, e, f] = half as [Point, Point, Point, Point, Point, Point];
    words.set([word(a, b), word(c, d), word(e, f), HALVES]);
  }
  floats[scaled ? 6 : 4] = threshold;
  ints.set([leaf(left), leaf(right)], scaled ? 12 : 5);
  words[7] = tree;
  return words;
}

/** Makes the tables for these scales of the classifier. Use [1] if the image is scaled. */
export function cascadeTexture(cascade: Cascade, scales: readonly number[]): CascadeTexture {
  const scaled = scales.some((scale) => scale !== 1) || !wholeWeights(cascade);
  const fixed = sumScale(cascade);
  const all = cascade.stages.flatMap(({ trees }) => trees);
  const count = all.reduce((sum, nodes) => sum + nodes.length, 0);
  const texels = count * (scaled ? 4 : 2);
  const rows = Math.max(1, Math.ceil((texels * scales.length) / NODE_ROW));
  const nodes = new Uint32Array(4 * NODE_ROW * rows);
  let at = 0;
  for (const scale of scales)
    for (const tree of all)
      for (const node of tree) {
        const words = nodeWords(node, tree.length, scale, scaled, fixed);
        nodes.set(words, at);
        at += words.length;
      }
  const stages = new Int32Array(4 * cascade.stages.length);
  let first = 0;
  cascade.stages.forEach(({ trees, threshold }, s) => {
    stages.set([first, trees.length, stageThreshold(threshold, fixed)], 4 * s);
    first += trees.reduce((sum, tree) => sum + tree.length, 0);
  });
  const trees = all.some((tree) => tree.length > 1);
  return { scaled, trees, nodes, rows, tableTexels: scales.length > 1 ? texels : 0, stages };
}

/** Values for the variance of a window at a scale: inner rectangle, then area, 1 / its pixels, kind. */
export function varianceRule(window: { width: number; height: number }, scale: number): Int32Array<ArrayBuffer> {
  const inner = innerRectangle(window);
  const box = scaleBox(inner, scale);
  const area = inner.width * inner.height * scale * scale;
  const words = new Int32Array(8);
  words.set([box.x, box.y, box.width, box.height]);
  const floats = new Float32Array(words.buffer);
  floats.set([area, 1 / (box.width * box.height)], 4);
  words[6] = wholeVariance(scale, area) ? 1 : 0;
  return words;
}
