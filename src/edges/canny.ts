/**
 * Canny edges, 255 on an edge and 0 elsewhere. The default is OpenCV's Canny with a 3x3 aperture, bit for bit: Sobel,
 * L1 or L2 magnitude, non-maximum suppression in four sectors, two thresholds, hysteresis to convergence. `derivative:
 * 'gaussian'` is the rule of "Parallel pupil tracking", section 2.4: derivative of Gaussian, normalized by its maximum.
 * Source: Canny, PAMI 8(6), 1986.
 */
import { gaussianGpu } from '../image/gaussian.gpu.ts';
import { gaussian } from '../image/gaussian.ts';
import { gaussianTaps } from '../image/gaussian-kernel.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { defineStage } from '../runtime/stage.ts';
import { hysteresisByPasses, markTiles, strongEdges } from './canny.gpu.ts';
import { cannyLevels, cannyParameters, type CannyLevels, type CannyValues } from './canny-parameters.ts';
import { automaticThresholdsGpu } from './canny-statistics.gpu.ts';
import { cannyLevelsOf } from './canny-statistics.ts';

/** Marks of one piece of the flood, which follows an edge to its end wherever that lies. */
const PIECE = 1 << 21;

/** Rows of marks: 0 nothing, 1 weak, 128 strong; zeros around them, at least one byte behind each row. */
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

/** Suppression and thresholds at given levels, then hysteresis unless it is 'none'. */
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

/** The flood over tiles that the GPU packed. */
function* edgesOfTiles(scope: Scope, bytes: Uint8Array, width: number, height: number): Plan<Plane> {
  const map = marksFor(scope, width, height);
  const tiles = scope.table(bytes);
  yield* scope.kernels.tilesToMap({ tiles, tilesAcross: (width + 7) >> 3, map, height });
  return yield* followEdges(scope, map, width, height, true);
}

/** The levels; the largest magnitude, where it normalizes, is found on the WASM side. */
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
 * The edges of an 8-bit plane on the arena, as a new plane there: for code that goes on with planes.
 * Errors: 'invalid-argument'.
 */
export function* cannyOf(scope: Scope, source: Plane, params: Partial<CannyValues> = {}): Plan<Plane> {
  return (yield* scope.run(canny, [source], params, 'wasm'))[0];
}
