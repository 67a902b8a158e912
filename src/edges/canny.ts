/**
 * Canny edges, 255 on an edge and 0 elsewhere. The default is OpenCV's Canny with a 3x3 aperture, bit for bit: Sobel,
 * L1 or L2 magnitude, non-maximum suppression in four sectors, two thresholds, hysteresis to convergence. `derivative:
 * 'gaussian'` follows "Parallel pupil tracking", section 2.4: derivative of Gaussian, normalized by its maximum.
 * Source: Canny, PAMI 8(6), 1986.
 */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { automaticThresholds, cannyLevels, type CannyLevels, type CannyValues, cannyParameters } from './parameters.ts';
import { gaussianGpu } from '../image/filters.gpu.ts';
import { gaussian, gaussianTaps } from '../image/gaussian.ts';
import { defineStage } from '../runtime/stage.ts';
import { hysteresisByPasses, markTiles, strongEdges, automaticThresholdsGpu } from './canny.gpu.ts';

// Canny first needs this information about the whole image: automatic thresholds, and the maximum magnitude if it
// normalizes.

/**
 * Maximum magnitude plus one, rounded up to a power of two. The maximum is 2040 for Sobel and 32640 for the derivative
 * of Gaussian.
 */
const BINS = { sobel: 2048, gaussian: 32768 } as const;
/** Maximum number of pixels that one table counts: some milliseconds. */
const BLOCK = 1 << 21;

/** Counts the magnitudes. With the L2 norm, counts their integer parts. */
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

/** Scales magnitudes so that the maximum is 255, and returns counts of their integer parts. */
function normalized(counts: Uint32Array, largest: number): Uint32Array {
  const scaled = new Uint32Array(256);
  for (let v = 0; v <= largest; v++) scaled[Math.floor((v * 255) / Math.max(1, largest))]! += counts[v]!;
  return scaled;
}

/** Returns the levels to compare the magnitudes of this image with. */
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

/** Number of marks in one piece of the flood, which follows an edge to its end in any piece. */
const PIECE = 1 << 21;

/** Rows of marks: 0 nothing, 1 weak, 128 strong. Zeros surround them, with at least one byte after each row. */
interface Marks {
  readonly address: number;
  readonly stride: number;
}

function marksFor(scope: Scope, width: number, height: number): Marks {
  const stride = (width + 16) & ~15;
  return { address: scope.block((height + 2) * stride).address + stride, stride };
}

/** Follows weak marks from strong ones, and writes the strong ones to a new plane. */
function* followEdges(scope: Scope, map: Marks, width: number, height: number, follow: boolean): Plan<Plane> {
  const target = scope.plane(width, height, 'u8');
  if (follow) {
    const { address, stride } = map;
    const stack = scope.block(4 * (width * height + 1));
    const rows = Math.ceil(PIECE / stride);
    for (let y = 0; y < height; y += rows) {
      const piece = { address: address + y * stride, stride };
      yield* scope.kernels.hysteresis({ map: piece, height: Math.min(rows, height - y), stack });
    }
  }
  yield* scope.kernels.mapEdges({ map, target, width }, { rows: height, minimumBand: 128 });
  return target;
}

/** Runs suppression and thresholds at the given levels, then hysteresis unless it is 'none'. */
function* edgesAt(scope: Scope, source: Plane, params: CannyValues, { low, high }: CannyLevels): Plan<Plane> {
  const { width, height } = source;
  const map = marksFor(scope, width, height);
  const least = params.hysteresis === 'none' ? high : low;
  const derivative = params.derivative === 'gaussian';
  const squared = params.norm === 'L2';
  yield* scope.kernels.cannyMap(
    { source, map, width, height, low: least, high, derivative, squared },
    { rows: height, minimumBand: 32 },
  );
  return yield* followEdges(scope, map, width, height, least < high);
}

/** Runs the flood over tiles that the GPU packed. */
function* edgesOfTiles(scope: Scope, bytes: Uint8Array, width: number, height: number): Plan<Plane> {
  const map = marksFor(scope, width, height);
  const tiles = scope.table(bytes);
  yield* scope.kernels.tilesToMap({ tiles, tilesAcross: (width + 7) >> 3, map, height });
  return yield* followEdges(scope, map, width, height, true);
}

/** Returns the levels. The WASM backend finds the maximum magnitude if Canny normalizes. */
function* levelsOnGpu(scope: Scope, source: Plane, params: CannyValues): Plan<CannyLevels> {
  const { thresholds, derivative, norm } = params;
  if (derivative === 'gaussian') return yield* cannyLevelsOf(scope, yield* scope.onArena(source), params);
  const { low, high } = thresholds === 'given' ? params : yield* automaticThresholdsGpu(scope, source, norm);
  return cannyLevels(low, high, norm);
}

export const canny = defineStage({
  name: 'edges/canny',
  params: cannyParameters,
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], params) {
    const { width, height } = source;
    const { sigma, size, hysteresis } = params;
    const plane = sigma > 0 ? gaussianGpu(scope, source, gaussianTaps(size, sigma)) : source;
    const levels = yield* levelsOnGpu(scope, plane, params);
    if (hysteresis === 'none') return [strongEdges(scope, plane, levels, params)];
    const tiles = markTiles(scope, plane, levels, params);
    if (hysteresis === 'passes') return [yield* hysteresisByPasses(scope, tiles, width, height)];
    const bytes = yield* scope.wait(scope.gpu.read(tiles));
    return [yield* edgesOfTiles(scope, bytes, width, height)];
  },
  *wasm(scope, [source], params) {
    const { sigma, size } = params;
    const [plane] = sigma > 0 ? yield* gaussian.wasm(scope, [source], { size, sigma }) : [source];
    return [yield* edgesAt(scope, plane, params, yield* cannyLevelsOf(scope, plane, params))];
  },
});

/**
 * Returns the edges of an 8-bit plane in the arena as a new plane there, for code that continues with planes. Errors:
 * 'invalid-argument'.
 */
export function* cannyOf(scope: Scope, source: Plane, params: Partial<CannyValues> = {}): Plan<Plane> {
  return (yield* scope.run(canny, [source], params, 'wasm'))[0];
}
