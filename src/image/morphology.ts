/** What erosion, dilation and top-hat share: the rectangle's parameter and the scratch of the kernels. */
import { number } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

/** Largest side of the rectangle. */
export const maximumSize = 63;

export const morphologyParameters = {
  size: number({
    default: 19,
    min: 1,
    max: maximumSize,
    values: Array.from({ length: (maximumSize + 1) / 2 }, (_, i) => 2 * i + 1),
    unit: 'px',
    effect: 'Side of the square; structures narrower than it vanish.',
  }),
} as const;

const rounded = (width: number, step: number) => Math.ceil(width / step) * step;

/** Bytes a thread needs for the row and column minima. */
export const morphologyScratch = (width: number, size: number): number => size * (rounded(width, 64) + 256);

/** The same for the top-hat, which also keeps a window of the erosion. */
export const topHatScratch = (width: number, size: number): number =>
  morphologyScratch(width, size) + 3 * size * rounded(width, 16) + 128;

export function runMorphology(
  side: WasmSide,
  kernel: 'erode' | 'dilate' | 'topHat',
  source: Plane,
  size: number,
): Plane {
  const { width, height, stride, address } = source;
  const out = side.plane(width, height, 'u8');
  side.bands(kernel, height, [address, stride, out.address, out.stride, width, height, size], {
    scratch: kernel === 'topHat' ? topHatScratch(width, size) : morphologyScratch(width, size),
    // A band computes its size - 1 halo rows again, so it should be several times as high.
    minimumBand: 4 * size + 60,
  });
  return out;
}
