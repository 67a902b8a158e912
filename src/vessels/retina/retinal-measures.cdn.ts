/** For the CDN scripts, which leave this out. */
import { FoveolaError } from '../../runtime/error.ts';

export function retinalMeasures(): never {
  throw new FoveolaError(
    'invalid-argument',
    'retinalMeasures is not in the CDN scripts: import foveola.js as a module.',
  );
}
