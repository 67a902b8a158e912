/**
 * Correcting by hand is loaded when somebody corrects. The CDN build replaces this module by one that loads it from
 * `data-assets`.
 */
import { loadPart } from '../../../src/index.ts';
import type * as Module from './correcting.ts';

export const loadCorrecting = (): Promise<typeof Module> =>
  loadPart(import('./correcting.ts'), 'Correcting vessels by hand needs its own part', 'do not correct');
