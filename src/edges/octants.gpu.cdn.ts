/** For the CDN scripts, which are at their limit of bytes: edges get their directions in WASM there. */
import type * as Gpu from './octants.gpu.ts';

export const octantsInside: typeof Gpu.octantsInside = false;
export const octantsGpu = null as unknown as typeof Gpu.octantsGpu;
