/**
 * Lines by the Hough transform, like OpenCV's HoughLines: every edge pixel votes for all lines through it. Peaks of the
 * accumulator over (rho, theta) are lines. Source: Duda and Hart, CACM 15(1), 1972.
 */
import type { ResultBackend } from '../results/types.ts';
import { FoveolaError } from '../runtime/error.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import {
  accumulatorParameters,
  accumulatorShape,
  lineParameters,
  type AccumulatorShape,
  type AccumulatorValues,
  type LineValues,
} from './parameters.ts';
import { linePeaksGpu, linesFit, lineVotesGpu } from './lines.gpu.ts';

/** Line x cos(theta) + y sin(theta) = rho. The end points are present only if segments were requested. */
export interface Line {
  rho: number;
  theta: number;
  votes: number;
  x1?: number;
  y1?: number;
  x2?: number;
  y2?: number;
  /** Backend that computed the line, in a result of the engine. */
  backend?: ResultBackend;
}

/** Largest distance at which 32-bit floats can still represent halves. */
const mostDistances = 2 ** 22;
/** Maximum number of counters in the linear memory. */
const mostCounters = 2 ** 27;
/** Upper limits of all indices (including the zeros around them) and all votes. Both fit into the 53 bits of a key. */
const mostIndices = 2 ** 28;
const mostVotes = 2 ** 24;

/** Throws 'invalid-argument' if the steps are too fine. */
function shapeOf({ width, height }: Plane, params: AccumulatorValues): AccumulatorShape {
  const shape = accumulatorShape(width, height, params);
  const { distances, angles } = shape;
  if (distances > mostDistances)
    throw new FoveolaError(
      'invalid-argument',
      `houghLines: rho (${params.rho}) is too fine for this image. Increase it.`,
    );
  if (distances * angles > mostCounters)
    throw new FoveolaError(
      'invalid-argument',
      `houghLines: rho (${params.rho}) and theta (${params.theta}) are too fine for this image. Increase one of them.`,
    );
  return shape;
}

/** Coordinates of the edges as floats, padded with (0, 0) to a multiple of four. */
function* coordinatesOf(scope: Scope, edges: Plane) {
  const { width, height } = edges;
  const offsets = scope.block(4 * (height + 1));
  const rows = { rows: height, minimumBand: 64 };
  yield* scope.kernels.compactCounts({ source: edges, counts: offsets, width, level: 0 }, rows);
  yield* scope.kernels.scanOffsets({ sums: offsets, rows: height });
  const count = scope.u32(offsets, height + 1)[height]!;
  const xs = scope.block(4 * (count + 3));
  const ys = scope.block(4 * (count + 3));
  yield* scope.kernels.edgeCoordinates({ source: edges, xs, ys, offsets, width }, rows);
  for (const list of [xs, ys]) scope.f32(list, count + 3).fill(0, count);
  return { xs, ys, edges: count, count4: (count + 3) & ~3 };
}

/**
 * Votes of an edge image (non-zero samples) for all lines: a row of counters for each angle, with distance 0 in the
 * middle. A counter of 0 comes before and after each row, and a row of zeros before the first and after the last row.
 */
export const lineVotes = defineStage({
  name: 'edges/line-votes',
  params: accumulatorParameters,
  inputs: ['u8'],
  outputs: ['i32'],
  tolerance: 0,
  fits: (gpu, [edges], params) => linesFit(gpu, edges, accumulatorShape(edges.width, edges.height, params)),
  // Edges are few, and a row of counters stays in the L1 cache while all of them vote.
  pays: () => false,
  *gpu(scope, [edges], params) {
    return [yield* lineVotesGpu(scope, edges, shapeOf(edges, params))];
  },
  *wasm(scope, [edges], params) {
    const { distances, angles, cosines, sines } = shapeOf(edges, params);
    const votes = scope.plane(distances + 2, angles + 2, 'i32');
    const { address, stride } = votes;
    scope.arena.u8.fill(0, address, address + stride);
    scope.arena.u8.fill(0, address + (angles + 1) * stride, address + (angles + 2) * stride);
    const points = yield* coordinatesOf(scope, edges);
    const accumulator = { address: address + stride, stride };
    yield* scope.kernels.lineVotes(
      { ...points, cosines: scope.table(cosines), sines: scope.table(sines), accumulator, distances },
      { rows: angles, minimumBand: 8, cost: points.count4 + distances },
    );
    return [votes];
  },
});

/**
 * Sorts by decreasing votes, then by index in an accumulator of this width. Returns distance, angle and votes of the
 * first.
 */
function sorted(keys: Float64Array, width: number, { rho, theta, max }: Omit<LineValues, 'gap'>): Float64Array {
  keys.sort();
  const lines = new Float64Array(3 * Math.min(max, keys.length));
  for (let i = 0, k = 0; k < lines.length; i++) {
    const index = keys[i]! % mostIndices;
    lines[k++] = ((index % width) - 1 - (width - 3) / 2) * rho;
    lines[k++] = Math.fround((Math.floor(index / width) - 1) * Math.fround(theta));
    lines[k++] = mostVotes - Math.floor(keys[i]! / mostIndices);
  }
  return lines;
}

const keyOf = (votes: number, index: number) => (mostVotes - votes) * mostIndices + index;

/** The peaks of line-votes as distance, angle and votes, sorted by decreasing votes, then by angle and distance. */
export const linePeaks = defineStage({
  name: 'edges/line-peaks',
  params: { ...accumulatorParameters, threshold: lineParameters.threshold, max: lineParameters.max },
  inputs: ['i32'],
  outputs: ['f64[]'],
  tolerance: 0,
  fits: (gpu, [votes]) => gpu.fits(votes.width, votes.height),
  // WASM scans the counters in a fraction of the time to move them.
  pays: ([votes]) => votes.on !== 'arena',
  *gpu(scope, [votes], params) {
    const pairs = yield* linePeaksGpu(scope, votes, params.threshold, params.max);
    const keys = Float64Array.from({ length: pairs.length / 2 }, (_, i) => keyOf(pairs[2 * i + 1]!, pairs[2 * i]!));
    return [sorted(keys, votes.width, params)];
  },
  *wasm(scope, [votes], params) {
    const { address, stride, width } = votes;
    const distances = width - 2;
    const angles = votes.height - 2;
    const { threshold } = params;
    // No two peaks are neighbors in distance.
    const capacity = angles * ((distances + 1) >> 1);
    const list = scope.block(4 * capacity);
    const accumulator = { address: address + stride, stride };
    const count = yield* scope.kernels.linePeaks({ accumulator, distances, angles, threshold, list, capacity });
    const words = scope.arena.i32;
    const keys = Float64Array.from(scope.u32(list, count), (index) => {
      const at = address + Math.floor(index / width) * stride + 4 * (index % width);
      return keyOf(words[at >> 2]!, index);
    });
    return [sorted(keys, width, params)];
  },
});

/**
 * Lines of an edge image (u8, edges non-zero), sorted by decreasing votes. Votes are counted on the backend `forced`.
 * If it is not set, the faster backend counts. Errors: 'invalid-argument'.
 */
export const linesOf = (scope: Scope, edges: Plane, params: LineValues, forced?: 'wasm' | 'gpu'): Plan<Line[]> =>
  scope.part(function* (inner) {
    const { rho, theta, threshold, max } = params;
    const [votes] = yield* inner.run(lineVotes, [edges], { rho, theta }, forced);
    const [list] = yield* inner.run(linePeaks, [votes], { rho, theta, threshold, max }, forced);
    const lines: Line[] = [];
    for (let i = 0; i < list.length; i += 3) lines.push({ rho: list[i]!, theta: list[i + 1]!, votes: list[i + 2]! });
    return lines;
  });

// The piece of a line that is supported by edges. The line is followed through the image, one pixel per step along its
// longer direction. A pixel supports the line if it votes for the line's bin. Supports closer than `gap` make one
// piece. The piece with the most supports is returned. Its ends are points of the line.

export interface Segment {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** Half the width of a bin, plus a margin for the rounding of its tables. */
const halfBin = (rho: number) => rho / 2 + 1e-3;

/**
 * Returns the piece of a line with the most supports, or null if no edge is on the line. `samples` is the linear memory
 * with the edges. `rho` is the accumulator's step.
 */
export function segmentOf(
  samples: Uint8Array,
  edges: Plane,
  line: Pick<Line, 'rho' | 'theta'>,
  { rho, gap }: { rho: number; gap: number },
): Segment | null {
  const { width, height, stride, address } = edges;
  const [cosine, sine] = [Math.cos(line.theta), Math.sin(line.theta)];
  const flat = Math.abs(sine) >= Math.abs(cosine); // walked along x
  const [main, across] = flat ? [cosine, sine] : [sine, cosine];
  const [steps, limit] = flat ? [width, height] : [height, width];
  const reach = halfBin(rho) / Math.abs(across);
  // Distance between consecutive steps along the line.
  const length = 1 / Math.abs(across);

  let best: { from: number; to: number; supports: number } | null = null;
  let piece: { from: number; to: number; supports: number } | null = null;
  for (let s = 0; s < steps; s++) {
    const middle = (line.rho - s * main) / across;
    const first = Math.max(0, Math.ceil(middle - reach));
    const last = Math.min(limit - 1, Math.floor(middle + reach));
    let supports = 0;
    for (let t = first; t <= last; t++) {
      const [x, y] = flat ? [s, t] : [t, s];
      if (samples[address + y * stride + x]) supports++;
    }
    if (!supports) continue;
    if (piece && (s - piece.to - 1) * length <= gap) {
      piece.to = s;
      piece.supports += supports;
    } else piece = { from: s, to: s, supports };
    if (!best || piece.supports > best.supports) best = piece;
  }
  if (!best) return null;
  const point = (s: number): [number, number] => {
    const t = (line.rho - s * main) / across;
    return flat ? [s, t] : [t, s];
  };
  const [x1, y1] = point(best.from);
  const [x2, y2] = point(best.to);
  return { x1, y1, x2, y2 };
}
