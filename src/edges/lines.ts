/**
 * Lines by the Hough transform, as OpenCV's HoughLines: every edge pixel votes for all lines through it, peaks of the
 * accumulator over (rho, theta) are lines. Source: Duda and Hart, CACM 15(1), 1972.
 */
import { FoveolaError } from '../runtime/error.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { accumulatorShape, type AccumulatorShape, type AccumulatorValues, type LineValues } from './line-parameters.ts';

/** x cos(theta) + y sin(theta) = rho; the end points only where segments were asked for. */
export interface Line {
  rho: number;
  theta: number;
  votes: number;
  x1?: number;
  y1?: number;
  x2?: number;
  y2?: number;
}

/** The accumulator on the arena: rows of 32-bit counters, one zero before and behind each, a row of zeros around. */
export interface Accumulator extends AccumulatorShape {
  /** Address of the zero before the first counter of the first angle. */
  readonly address: number;
  readonly stride: number;
}

/** Largest distance of which 32-bit floats still have halves. */
const mostDistances = 2 ** 22;

/** Coordinates of the edges as floats, four a vector; `body` gets their number. */
function withCoordinates<T>(side: WasmSide, edges: Plane, body: (xs: number, ys: number, count: number) => T): T {
  const { width, height, stride, address } = edges;
  return side.temporary(4 * (height + 1), (counts) => {
    side.bands('compactCounts', height, [address, stride, counts, width, 0], { minimumBand: 64 });
    side.once('scanOffsets', [counts, height]);
    const count = side.arena.i32[(counts >> 2) + height]!;
    const bytes = 4 * (count + 3);
    return side.temporary(2 * bytes + 64, (xs) => {
      const ys = xs + ((bytes + 15) & ~15);
      side.bands('edgeCoordinates', height, [address, stride, xs, ys, counts, width], { minimumBand: 64 });
      const { f32 } = side.arena;
      for (let i = count; i % 4 !== 0; i++) f32[(xs >> 2) + i] = f32[(ys >> 2) + i] = 0;
      return body(xs, ys, count);
    });
  });
}

/** Votes of an edge image (u8 on the arena, edges non-zero). Errors: 'invalid-argument' for too fine a rho. */
export function withAccumulator<T>(
  side: WasmSide,
  edges: Plane,
  params: AccumulatorValues,
  body: (accumulator: Accumulator) => T,
): T {
  const shape = accumulatorShape(edges.width, edges.height, params);
  const { distances, angles, cosines, sines } = shape;
  if (distances > mostDistances)
    throw new FoveolaError('invalid-argument', `houghLines: rho (${params.rho}) is too fine for this image.`);
  const stride = 4 * (distances + 2);
  return side.temporary((angles + 2) * stride, (block) =>
    side.temporary(8 * angles, (tables) => {
      const address = block + stride;
      side.arena.u8.fill(0, block, address);
      side.arena.u8.fill(0, address + angles * stride, address + (angles + 1) * stride);
      side.arena.f32.set(cosines, tables >> 2);
      side.arena.f32.set(sines, (tables >> 2) + angles);
      withCoordinates(side, edges, (xs, ys, count) => {
        const points = [xs, ys, count, (count + 3) & ~3, tables, tables + 4 * angles];
        side.bands('lineVotes', angles, [...points, address, stride, distances], { minimumBand: 8 });
      });
      return body({ ...shape, address, stride });
    }),
  );
}

/** The accumulator that the GPU made: a plane on the arena, f32, distances x angles. */
export function withVotes<T>(
  side: WasmSide,
  votes: Plane,
  shape: AccumulatorShape,
  body: (accumulator: Accumulator) => T,
): T {
  const { distances, angles } = shape;
  const stride = 4 * (distances + 2);
  return side.temporary((angles + 2) * stride, (block) => {
    const { f32, i32 } = side.arena;
    i32.fill(0, block >> 2, (block + (angles + 2) * stride) >> 2);
    for (let n = 0; n < angles; n++) {
      const from = (votes.address + n * votes.stride) >> 2;
      i32.set(f32.subarray(from, from + distances), ((block + (n + 1) * stride) >> 2) + 1);
    }
    return body({ ...shape, address: block + stride, stride });
  });
}

/** The peaks by falling votes, of equals the smaller angle and distance first; at most `max`. */
export function accumulatorPeaks(
  side: WasmSide,
  { address, stride, distances, angles }: Accumulator,
  { rho, theta, threshold, max }: Pick<LineValues, 'rho' | 'theta' | 'threshold' | 'max'>,
): Line[] {
  // No two peaks are neighbours in distance.
  const capacity = angles * ((distances + 1) >> 1);
  return side.temporary(4 * capacity, (list) => {
    const args = [address, stride, distances, angles, threshold, list, capacity];
    const count = side.kernels.evaluate('linePeaks', ...args);
    const { i32 } = side.arena;
    const row = distances + 2;
    const votes = (index: number) => i32[(address >> 2) + index - row]!;
    const peaks = Array.from(new Uint32Array(side.arena.memory.buffer, list, count));
    peaks.sort((a, b) => votes(b) - votes(a) || a - b);
    return peaks.slice(0, max).map((index) => ({
      rho: ((index % row) - 1 - (distances - 1) / 2) * rho,
      theta: Math.fround((Math.floor(index / row) - 1) * Math.fround(theta)),
      votes: votes(index),
    }));
  });
}

/** Lines of an edge image (u8 on the arena, edges non-zero), by falling votes. Errors: 'invalid-argument'. */
export function linesOf(side: WasmSide, edges: Plane, params: LineValues): Line[] {
  return withAccumulator(side, edges, params, (accumulator) => accumulatorPeaks(side, accumulator, params));
}
