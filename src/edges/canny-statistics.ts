/** What Canny must know of the whole image first: automatic thresholds, and the largest magnitude where it normalises. */
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { automaticThresholds, cannyLevels, type CannyLevels, type CannyValues } from './canny-parameters.ts';

/** One more than the largest magnitude, to a power of two: Sobel's is 2040, that of the derivative of Gaussian 32640. */
const bins = { sobel: 2048, gaussian: 32768 } as const;

/** Counts of the magnitudes; of their whole parts where the norm is L2. */
export function magnitudeCounts(
  side: WasmSide,
  source: Plane,
  { derivative, norm }: Pick<CannyValues, 'derivative' | 'norm'>,
): Uint32Array {
  const { width, height, stride, address } = source;
  const count = bins[derivative];
  const rule = [derivative === 'gaussian' ? 1 : 0, norm === 'L2' ? 1 : 0, count];
  const blocks = Math.min(side.threads, height);
  return side.temporary(4 * count * blocks, (tables) => {
    side.bands(
      'magnitudeCounts',
      blocks,
      [address, stride, tables, width, height, ...rule, Math.ceil(height / blocks)],
      { scratch: 4 * count + 256 + width + 5 * (2 * width + 64), minimumBand: 1 },
    );
    const total = new Uint32Array(side.arena.memory.buffer, tables, count).slice();
    for (let block = 1; block < blocks; block++) {
      const more = new Uint32Array(side.arena.memory.buffer, tables + 4 * count * block, count);
      for (let v = 0; v < count; v++) total[v]! += more[v]!;
    }
    return total;
  });
}

/** Magnitudes scaled so that the largest is 255, as counts of their whole parts. */
function normalised(counts: Uint32Array, largest: number): Uint32Array {
  const scaled = new Uint32Array(256);
  for (let v = 0; v <= largest; v++) scaled[Math.floor((v * 255) / Math.max(1, largest))]! += counts[v]!;
  return scaled;
}

/** The levels that magnitudes of this image are compared with. */
export function cannyLevelsOf(
  side: WasmSide,
  source: Plane,
  params: Pick<CannyValues, 'low' | 'high' | 'norm' | 'thresholds' | 'derivative'>,
): CannyLevels {
  const { low, high, norm, thresholds, derivative } = params;
  if (thresholds === 'given' && derivative === 'sobel') return cannyLevels(low, high, norm);
  const counts = magnitudeCounts(side, source, params);
  let scale = 1;
  let levels = counts;
  if (derivative === 'gaussian') {
    let largest = counts.length - 1;
    while (largest > 0 && counts[largest] === 0) largest--;
    scale = largest / 255;
    levels = normalised(counts, largest);
  }
  const chosen = thresholds === 'auto' ? automaticThresholds(levels) : { low, high };
  return cannyLevels(chosen.low, chosen.high, norm, scale);
}
