/** For the CDN scripts, which are at their limit of bytes: a flow is refined in WASM there. */
import { FoveolaError } from '../runtime/error.ts';
import type * as Gpu from './refine.gpu.ts';

export const refineInside: typeof Gpu.refineInside = false;

const absent = (): never => {
  throw new FoveolaError('internal', 'flow/refine: there is no GPU side in this script.');
};
export const refineGpu: typeof Gpu.refineGpu = absent;
