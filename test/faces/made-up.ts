/** Small cascades and images that are made up, from seeded random numbers. */
import type { Branch, Cascade, CascadeNode } from '../../src/models/cascade.ts';
import { JUDGE_CELLS, JUDGE_CHANNELS, type FaceJudge } from '../../src/models/face-judge.ts';
import { sameBox, type LandmarkModel } from '../../src/models/landmarks.ts';

type Random = () => number;

/** A cascade of random features in an odd window; with `trees`, of up to three nodes a tree. */
export function randomCascade(random: Random, { trees = false, stages = 4, width = 12, height = 14 } = {}): Cascade {
  const whole = (n: number) => Math.floor(random() * n);
  const node = (left: Branch, right: Branch): CascadeNode => {
    const w = 2 * (1 + whole(width / 4));
    const h = 2 * (1 + whole(height / 4));
    const [x, y] = [whole(width - w + 1), whole(height - h + 1)];
    const all = { x, y, width: w, height: h, weight: -1 };
    const half = [
      { x, y, width: w / 2, height: h, weight: 2 },
      { x: x + w / 2, y, width: w / 2, height: h, weight: 2 },
      { x, y, width: w, height: h / 2, weight: 2 },
      { x, y: y + h / 2, width: w, height: h / 2, weight: 2 },
    ][whole(4)]!;
    const checkers = [
      { x, y, width: w / 2, height: h / 2, weight: 2 },
      { x: x + w / 2, y: y + h / 2, width: w / 2, height: h / 2, weight: 2 },
    ];
    const rectangles = random() < 0.7 ? [all, half] : [all, ...checkers];
    return { rectangles, tilted: false, threshold: (random() - 0.5) * 0.1, left, right };
  };
  const leaf = () => ({ leaf: random() * 2 - 1 });
  const tree = (): CascadeNode[] => {
    if (!trees || random() < 0.3) return [node(leaf(), leaf())];
    if (random() < 0.5) return [node({ node: 1 }, leaf()), node(leaf(), leaf())];
    return [node({ node: 2 }, { node: 1 }), node(leaf(), leaf()), node(leaf(), leaf())];
  };
  return {
    width,
    height,
    notice: 'made up',
    stages: Array.from({ length: stages }, (_, i) => ({
      threshold: -0.6 - 0.1 * i,
      trees: Array.from({ length: 2 + 2 * i }, tree),
    })),
  };
}

/** Blurred noise with bright and dark places. */
export function randomImage(random: Random, width: number, height: number) {
  const data = new Uint8Array(width * height);
  const [fx, fy, phase] = [0.1 + random() * 0.3, 0.1 + random() * 0.3, random() * 6];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      data[y * width + x] = 128 + 70 * Math.sin(x * fx + phase) * Math.cos(y * fy) + 50 * (random() - 0.5);
  return { width, height, data };
}

/** A cascade that takes every window for a face. */
export function credulousCascade(): Cascade {
  const rectangle = { x: 0, y: 0, width: 8, height: 8, weight: 1 };
  const leaf = { leaf: 1 };
  const node = { rectangles: [rectangle, rectangle], tilted: false, threshold: 0, left: leaf, right: leaf };
  return { width: 20, height: 20, notice: 'made up', stages: [{ threshold: 0, trees: [[node]] }] };
}

/** A landmark model that puts its mean shape, a circle, into every box; `trees` only make it large. */
export function steadyLandmarks({ points = 68, trees = 40, depth = 4 } = {}): LandmarkModel {
  const turn = (i: number) => (2 * Math.PI * (i >> 1)) / points;
  return {
    ...{ points, cascades: 1, trees, depth, pixels: 2, box: sameBox, notice: 'made up' },
    mean: Float32Array.from(
      { length: 2 * points },
      (_, i) => 0.5 + 0.4 * (i % 2 ? Math.sin(turn(i)) : Math.cos(turn(i))),
    ),
    anchors: new Uint16Array(2),
    deltas: new Float32Array(4),
    splitPixels: new Uint16Array(2 * trees * (2 ** depth - 1)),
    thresholds: new Float32Array(trees * (2 ** depth - 1)),
    leaves: new Float32Array(trees * 2 ** depth * 2 * points),
  };
}

/** A small landmark model of random numbers. */
export function randomLandmarks(
  random: Random,
  { points = 5, cascades = 3, trees = 7, depth = 3, pixels = 20, coefficients = 0 } = {},
): LandmarkModel {
  const list = (n: number, make: () => number) => Array.from({ length: n }, make);
  const splits = cascades * trees * (2 ** depth - 1);
  const numbers = (coefficients || 2 * points) * cascades * trees * 2 ** depth;
  const patch = coefficients && {
    ...{ side: 60, zoom: 44, radii: Int32Array.from({ length: cascades }, (_, c) => (2 * c) % 5) },
    basis: Float32Array.from(list(2 * points * coefficients, () => random() - 0.5)),
  };
  return {
    ...(patch && { patch }),
    points,
    cascades,
    trees,
    depth,
    pixels,
    box: { x: 0.125, y: -0.25, size: 1.5 },
    notice: 'made up',
    mean: Float32Array.from(list(2 * points, random)),
    anchors: Uint16Array.from(list(cascades * pixels, () => Math.floor(random() * points))),
    deltas: Float32Array.from(list(2 * cascades * pixels, () => (random() - 0.5) * 0.3)),
    splitPixels: Uint16Array.from(list(2 * splits, () => Math.floor(random() * pixels))),
    thresholds: Float32Array.from(list(splits, () => (random() - 0.5) * 60 + 0.25)),
    leaves: Float32Array.from(list(numbers, () => (random() - 0.5) * 0.05)),
  };
}

/** Any templates, from the front and turned; their values are of the order of those of fitted ones. */
export const randomJudge = (random: Random, stages = 3): FaceJudge => ({
  stages,
  weights: [-2, 1, 0.5, 0.5],
  gain: 1,
  templates: Array.from({ length: 2 }, () => ({
    constant: random() - 0.5,
    template: Float32Array.from({ length: JUDGE_CELLS * JUDGE_CELLS * JUDGE_CHANNELS }, () => 0.4 * random() - 0.2),
  })),
  notice: 'made up',
});
