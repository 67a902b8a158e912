/** Where the votes of Hough transforms are counted. */
import { choice } from '../runtime/parameters.ts';

export const voting = choice({
  default: 'auto',
  values: ['auto', 'wasm', 'gpu'],
  effect: 'Where votes are counted; where the GPU cannot do it, always on the CPU.',
});
