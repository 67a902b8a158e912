/** For the CDN scripts, which are at their limit of bytes: pictures are filled in WASM there. */
import { FoveolaError } from '../runtime/error.ts';
import type * as Gpu from './fill.gpu.ts';

export const fillInside: typeof Gpu.fillInside = false;

const absent = (): never => {
  throw new FoveolaError('internal', 'inpaint/fill: there is no GPU side in this script.');
};
export const fillGpu: typeof Gpu.fillGpu = absent;
