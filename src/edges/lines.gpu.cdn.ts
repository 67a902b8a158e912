/** For the CDN scripts, which are at their limit of bytes: lines are voted for in WASM there. */
import { FoveolaError } from '../runtime/error.ts';
import type * as Gpu from './lines.gpu.ts';

export const linesInside: typeof Gpu.linesInside = false;
export const linesFit: typeof Gpu.linesFit = () => false;

const absent = (): never => {
  throw new FoveolaError('internal', 'lines: there is no GPU side in this script.');
};
export const lineVotesGpu: typeof Gpu.lineVotesGpu = absent;
export const linePeaksGpu: typeof Gpu.linePeaksGpu = absent;
