/**
 * Canny edges, 255 on an edge and 0 elsewhere. The default is OpenCV's Canny with a 3x3 aperture, bit for bit: Sobel,
 * L1 or L2 magnitude, non-maximum suppression in four sectors, two thresholds, hysteresis to convergence. `derivative:
 * 'gaussian'` is the rule of "Parallel pupil tracking", section 2.4: derivative of Gaussian, normalised by its maximum.
 * Source: Canny, PAMI 8(6), 1986.
 */
import { gaussianGpu } from '../image/gaussian.gpu.ts';
import { gaussian } from '../image/gaussian.ts';
import { gaussianTaps } from '../image/gaussian-kernel.ts';
import type { GpuSide } from '../runtime/gpu-side.ts';
import { resolveParameters } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { defineOldStage } from '../runtime/old-stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { hysteresisByPasses, markTiles, strongEdges } from './canny.gpu.ts';
import { cannyLevels, cannyParameters, type CannyLevels, type CannyValues } from './canny-parameters.ts';
import { automaticThresholdsGpu } from './canny-statistics.gpu.ts';
import { cannyLevelsOf } from './canny-statistics.ts';

/** Bytes a thread needs for rows of gradients and magnitudes. */
const cannyScratch = (width: number): number => 256 + width + 11 * (2 * width + 128);

/** Row stride of the map: at least one byte behind each row. */
const mapStrideOf = (width: number): number => (width + 16) & ~15;

/** Runs `body` with the smoothed source, or with the source itself where sigma is 0. */
export function smoothed<T>(
  side: WasmSide,
  source: Plane,
  { sigma, size }: Pick<CannyValues, 'sigma' | 'size'>,
  body: (plane: Plane) => T,
): T {
  if (sigma === 0) return body(source);
  const [plane] = side.now((scope) => gaussian.wasm(scope, [source], { size, sigma }));
  try {
    return body(plane!);
  } finally {
    plane!.dispose();
  }
}

/** Follows weak marks of the map at `map` from strong ones, and writes the strong ones to a new plane. */
function followEdges(side: WasmSide, map: number, width: number, height: number, follow: boolean): Plane {
  const mapStride = mapStrideOf(width);
  const out = side.plane(width, height, 'u8');
  if (follow)
    side.temporary(4 * (width * height + 1), (stack) => {
      side.kernels.call('hysteresis', map, mapStride, height, stack);
    });
  side.bands('mapEdges', height, [map, mapStride, out.address, out.stride, width], { minimumBand: 128 });
  return out;
}

/** Suppression and thresholds at given levels, then hysteresis unless it is 'none'. */
function edgesAt(side: WasmSide, source: Plane, params: CannyValues, { low, high }: CannyLevels): Plane {
  const { width, height, stride, address } = source;
  const { derivative, norm, hysteresis } = params;
  const mapStride = mapStrideOf(width);
  return side.temporary((height + 2) * mapStride, (block) => {
    const map = block + mapStride;
    const least = hysteresis === 'none' ? high : low;
    const rule = [least, high, derivative === 'gaussian' ? 1 : 0, norm === 'L2' ? 1 : 0];
    side.bands('cannyMap', height, [address, stride, map, mapStride, width, height, ...rule], {
      scratch: cannyScratch(width),
      minimumBand: 32,
    });
    return followEdges(side, map, width, height, least < high);
  });
}

/** The flood over tiles that the GPU packed. */
function edgesOfTiles(side: WasmSide, tiles: Uint8Array, width: number, height: number): Plane {
  const mapStride = mapStrideOf(width);
  return side.guarded(() =>
    side.temporary((height + 2) * mapStride, (block) =>
      side.temporary(tiles.length, (address) => {
        const map = block + mapStride;
        side.arena.u8.set(tiles, address);
        side.kernels.call('tilesToMap', address, (width + 7) >> 3, map, mapStride, height);
        return followEdges(side, map, width, height, true);
      }),
    ),
  );
}

/** The levels; the largest magnitude, where it normalises, is found on the WASM side. */
async function levelsOnGpu(runtime: Runtime, side: GpuSide, source: Plane, params: CannyValues): Promise<CannyLevels> {
  const { thresholds, derivative, norm } = params;
  if (derivative === 'sobel') {
    const { low, high } = thresholds === 'given' ? params : await automaticThresholdsGpu(side, source, norm);
    return cannyLevels(low, high, norm);
  }
  await source.arena();
  return runtime.wasm.guarded(() => cannyLevelsOf(runtime.wasm, source, params));
}

async function cannyOnGpu(runtime: Runtime, side: GpuSide, source: Plane, params: CannyValues): Promise<Plane> {
  const { width, height } = source;
  const { sigma, size, hysteresis } = params;
  const smooth = sigma > 0 ? gaussianGpu(side.unscoped, source, gaussianTaps(size, sigma)) : null;
  const plane = smooth ?? source;
  try {
    const levels = await levelsOnGpu(runtime, side, plane, params);
    if (hysteresis === 'none') return strongEdges(side, plane, levels, params);
    const tiles = markTiles(side, plane, levels, params);
    if (hysteresis === 'passes') return await hysteresisByPasses(side, tiles, width, height);
    const marks = side.read(tiles);
    side.release(tiles);
    return edgesOfTiles(runtime.wasm, await marks, width, height);
  } finally {
    smooth?.dispose();
  }
}

export const canny = defineOldStage({
  name: 'edges/canny',
  params: cannyParameters,
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  gpu: async (side, [source], params, runtime) => [await cannyOnGpu(runtime, side, source!, params)],
  wasm: (side, [source], params) => [
    smoothed(side, source!, params, (plane) => edgesAt(side, plane, params, cannyLevelsOf(side, plane, params))),
  ],
});

/**
 * The edges of an 8-bit plane on the arena, as a new plane there: for code that goes on with planes.
 * Errors: 'invalid-argument'.
 */
export function cannyOf(side: WasmSide, source: Plane, params: Partial<CannyValues> = {}): Plane {
  return side.now((scope) => canny.wasm(scope, [source], resolveParameters(canny.params, params, canny.name)))[0]!;
}
