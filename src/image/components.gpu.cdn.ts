/** For the CDN scripts, which are at their limit of bytes: components are labeled in WASM there. */
import { FoveolaError } from '../runtime/error.ts';
import type * as Gpu from './components.gpu.ts';

export const componentsInside: typeof Gpu.componentsInside = false;

const absent = (): never => {
  throw new FoveolaError('internal', 'components: there is no GPU side in this script.');
};
export const componentsGpu: typeof Gpu.componentsGpu = absent;
export const componentStatistics: typeof Gpu.componentStatistics = absent;
