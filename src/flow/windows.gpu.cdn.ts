/** For the CDN scripts, which are at their limit of bytes: windows go their own way in WASM there. */
import { FoveolaError } from '../runtime/error.ts';
import type * as Gpu from './windows.gpu.ts';

export const windowsInside: typeof Gpu.windowsInside = false;

const absent = (): never => {
  throw new FoveolaError('internal', 'flow/windows: there is no GPU side in this script.');
};
export const windowsFlowGpu: typeof Gpu.windowsFlowGpu = absent;
