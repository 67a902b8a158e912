import { shippedMethods, type Methods } from '../tracker/methods.ts';
import { allOptimisations, type Ladder } from './ladder.ts';
import { GpuRays } from './rays.gpu.ts';
import { StarburstMethod } from './starburst.ts';

/** The methods with a Starburst whose optimisations are switched off. */
export const ladderMethods = (ladder: Partial<Ladder>): Methods => ({
  ...shippedMethods,
  starburst: (runtime, values) =>
    new StarburstMethod(
      runtime,
      values,
      (runtime, values) => new GpuRays(runtime, values, { ...allOptimisations, ...ladder }),
    ),
});
