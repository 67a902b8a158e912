/**
 * Canny edges, 255 on an edge and 0 elsewhere. The default is OpenCV's Canny with a 3x3 aperture, bit for bit: Sobel,
 * L1 or L2 magnitude, non-maximum suppression in four sectors, two thresholds, hysteresis to convergence. `gradient:
 * 'gaussian'` is the rule of "Parallel pupil tracking", section 2.4: derivative of Gaussian, normalised by its maximum.
 * Source: Canny, PAMI 8(6), 1986.
 */
import { gaussian } from '../image/gaussian.ts';
import { resolveParameters } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import { defineStage } from '../runtime/stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { cannyParameters, type CannyLevels, type CannyValues } from './canny-parameters.ts';
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
  const [plane] = gaussian.wasm(side, [source], { size, sigma });
  try {
    return body(plane!);
  } finally {
    plane!.dispose();
  }
}

/** Suppression and thresholds at given levels, then hysteresis unless it is 'none'. */
function edges(side: WasmSide, source: Plane, params: CannyValues, { low, high }: CannyLevels): Plane {
  const { width, height, stride, address } = source;
  const { gradient, norm, hysteresis } = params;
  const out = side.plane(width, height, 'u8');
  const mapStride = mapStrideOf(width);
  side.temporary((height + 2) * mapStride, (block) => {
    const map = block + mapStride;
    const least = hysteresis === 'none' ? high : low;
    const rule = [least, high, gradient === 'gaussian' ? 1 : 0, norm === 'L2' ? 1 : 0];
    side.bands('cannyMap', height, [address, stride, map, mapStride, width, height, ...rule], {
      scratch: cannyScratch(width),
      minimumBand: 32,
    });
    if (least < high)
      side.temporary(4 * (width * height + 1), (stack) => {
        side.kernels.call('hysteresis', map, mapStride, height, stack);
      });
    side.bands('mapEdges', height, [map, mapStride, out.address, out.stride, width], { minimumBand: 128 });
  });
  return out;
}

export const canny = defineStage({
  name: 'edges/canny',
  params: cannyParameters,
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  wasmOnly: 'The passes of this stage are not there yet.',
  wasm: (side, [source], params) => [
    smoothed(side, source!, params, (plane) => edges(side, plane, params, cannyLevelsOf(side, plane, params))),
  ],
});

/**
 * The edges of an 8-bit plane on the arena, as a new plane there: for code that goes on with planes.
 * Errors: 'invalid-argument'.
 */
export function cannyOf(side: WasmSide, source: Plane, params: Partial<CannyValues> = {}): Plane {
  return canny.wasm(side, [source], resolveParameters(canny.params, params, canny.name))[0]!;
}
