/** Edges, lines and circles. Importing registers the calls of the engine. */
export { canny, cannyOf } from './canny.ts';
export { cannyParameters, type CannyValues } from './canny-parameters.ts';
export { cannyOperation } from './operations.ts';

import { canny } from './canny.ts';

/** Every stage of this capability, for the parity test and the bench. */
export const edgeStages = [canny] as const;
