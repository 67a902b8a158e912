/** What Canny must know of the whole image first: automatic thresholds, and the largest magnitude where it normalizes. */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { automaticThresholds, cannyLevels, type CannyLevels, type CannyValues } from './canny-parameters.ts';

/** One more than the largest magnitude, to a power of two: Sobel's is 2040, that of the derivative of Gaussian 32640. */
const BINS = { sobel: 2048, gaussian: 32768 } as const;
/** Pixels that one table counts at most: some milliseconds. */
const BLOCK = 1 << 21;

/** Counts of the magnitudes; of their whole parts where the norm is L2. */
export function* magnitudeCounts(
  scope: Scope,
  source: Plane,
  { derivative, norm }: Pick<CannyValues, 'derivative' | 'norm'>,
): Plan<Uint32Array> {
  const { width, height } = source;
  const bins = BINS[derivative];
  const blocks = Math.min(height, Math.max(scope.threads, Math.ceil((width * height) / BLOCK)));
  const blockRows = Math.ceil(height / blocks);
  const out = scope.block(4 * bins * blocks);
  yield* scope.kernels.magnitudeCounts(
    { source, out, width, height, derivative: derivative === 'gaussian', squared: norm === 'L2', bins, blockRows },
    { rows: blocks, minimumBand: 1, cost: width * blockRows },
  );
  const tables = scope.u32(out, bins * blocks);
  const total = tables.slice(0, bins);
  for (let i = bins; i < tables.length; i++) total[i % bins]! += tables[i]!;
  scope.free(out);
  return total;
}

/** Magnitudes scaled so that the largest is 255, as counts of their whole parts. */
function normalized(counts: Uint32Array, largest: number): Uint32Array {
  const scaled = new Uint32Array(256);
  for (let v = 0; v <= largest; v++) scaled[Math.floor((v * 255) / Math.max(1, largest))]! += counts[v]!;
  return scaled;
}

/** The levels that magnitudes of this image are compared with. */
export function* cannyLevelsOf(
  scope: Scope,
  source: Plane,
  params: Pick<CannyValues, 'low' | 'high' | 'norm' | 'thresholds' | 'derivative'>,
): Plan<CannyLevels> {
  const { low, high, norm, thresholds, derivative } = params;
  if (thresholds === 'given' && derivative === 'sobel') return cannyLevels(low, high, norm);
  const counts = yield* magnitudeCounts(scope, source, params);
  let scale = 1;
  let levels = counts;
  if (derivative === 'gaussian') {
    let largest = counts.length - 1;
    while (largest > 0 && counts[largest] === 0) largest--;
    scale = largest / 255;
    levels = normalized(counts, largest);
  }
  const chosen = thresholds === 'auto' ? automaticThresholds(levels) : { low, high };
  return cannyLevels(chosen.low, chosen.high, norm, scale);
}
