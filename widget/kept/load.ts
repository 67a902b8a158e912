/**
 * Keeping recordings is asked for by few pages, so it is loaded when it is: dist/kept-recordings.js, a module of its own
 * that all builds share. The CDN build replaces this module by one that loads it from `data-assets`.
 */
import { asOurs } from '../../src/runtime/error.ts';
import { loadPart } from '../../src/index.ts';
import { trustedScriptUrl } from '../../src/runtime/engine/trusted-url.ts';
import type { Keeper, PageParts } from './keeper.ts';

export interface KeptParts extends PageParts {
  Keeper: typeof Keeper;
}

export async function loadKept(): Promise<KeptParts> {
  const { Keeper } = await loadPart(import('./keeper.ts'), 'keep-recordings', 'leave out keep-recordings');
  return { Keeper, trusted: trustedScriptUrl, asOurs };
}
