/**
 * Correcting by hand is loaded when somebody corrects. The CDN build replaces this module by one that loads it from
 * `data-assets`.
 */
import type * as Module from './correcting.ts';

export const loadCorrecting = (): Promise<typeof Module> => import('./correcting.ts');
