/**
 * Odds that a vessel is an artery, from a network (models/vessel-kinds.bin, lab/train/vessels/kinds.py). Its input is a
 * mosaic of the contrasts of green and red, pixel by pixel. Its first layer sees both, so its output has half the size.
 */
import type { Network } from '../../models/network.ts';
import { runNetwork } from '../../network/run.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { contrastOf, meanColor, workingPlane } from '../segment/working-plane.ts';
import type { MiddleLine } from '../retina/strands.ts';
import { FIELD, MOST_PIXELS, standardized } from './network-response.ts';

/** Logarithms of the odds, row by row. */
export interface ArteryOdds {
  readonly values: Float32Array;
  readonly width: number;
  readonly height: number;
  /** Pixels of the photograph per value, in each direction. */
  readonly block: number;
}

/** Null for a gray photograph, and for a field that is a small part of the image. */
export function* arteryOdds(scope: Scope, source: Plane, network: Network): Plan<ArteryOdds | null> {
  if (source.format !== 'rgba8') return null;
  const work = yield* workingPlane(scope, source, FIELD);
  let mosaic: Float32Array | null = null;
  if (work.width * work.height <= MOST_PIXELS && meanColor(scope, source, work)) {
    const red = yield* contrastOf(scope, source, work, 'red');
    mosaic = mosaicOf(work.width, [standardized(work), standardized({ ...work, contrast: red })]);
    scope.free(red);
  }
  scope.free(work.contrast);
  scope.free(work.inside);
  if (!mosaic) return null;
  yield* scope.turn();
  const input = scope.own(scope.runtime.plane(work.width, work.height, 'f32', mosaic));
  const [output] = yield* scope.run(runNetwork, [input, network]);
  scope.free(input);
  const { width, height } = output;
  const values = (yield* scope.read(output)) as Float32Array;
  scope.free(output);
  return { values, width, height, block: 2 * work.block };
}

/** Green if column and row are both even or both odd. Otherwise red. */
function mosaicOf(width: number, [green, red]: readonly [Float32Array, Float32Array]): Float32Array {
  return green.map((value, i) => (((i % width) + Math.floor(i / width)) % 2 ? red[i]! : value));
}

/**
 * Mean along a line in the photograph, by linear interpolation. If the vessel is narrower than a value, the mosaic
 * does not contain both of its colors. NaN if that is true for half of the line or more.
 */
export function oddsAlong(
  { values, width, height, block }: ArteryOdds,
  { points, widths, width: usual = NaN }: MiddleLine,
): number {
  const place = (v: number, count: number) => Math.min(Math.max((v + 0.5) / block - 0.5, 0), count - 1);
  let [sum, count] = [0, 0];
  for (const [k, own] of widths.entries()) {
    if (!((Number.isNaN(own) ? usual : own) >= block)) continue;
    const [u, v] = [place(points[2 * k]!, width), place(points[2 * k + 1]!, height)];
    const [left, top] = [Math.floor(u), Math.floor(v)];
    const [right, below] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)];
    const across = (row: number) => {
      const [a, b] = [values[row * width + left]!, values[row * width + right]!];
      return a + (u - left) * (b - a);
    };
    sum += across(top) + (v - top) * (across(below) - across(top));
    count++;
  }
  return count > widths.length / 2 ? sum / count : NaN;
}
