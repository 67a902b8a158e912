/** For the CDN scripts, which leave the vessel network out until it is a part that loads when it is first needed. */
import { FoveolaError } from '../../runtime/error.ts';
import type * as Whole from './network-response.ts';

export const FIELD: typeof Whole.FIELD = 600;

const absent = (): never => {
  throw new FoveolaError(
    'invalid-argument',
    "vessels: variant 'network' is not in the CDN scripts. Import foveola.js as a module, or leave out variant.",
  );
};
export const loadVesselNetwork: typeof Whole.loadVesselNetwork = absent;
export const probabilityLevel: typeof Whole.probabilityLevel = absent;
export const networkResponse: typeof Whole.networkResponse = absent;
