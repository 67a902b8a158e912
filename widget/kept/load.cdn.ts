/** For the CDN scripts: what keeps recordings is not inside but loaded when it is asked for. */
import { asOurs } from '../../src/runtime/error.ts';
import { loadChunk } from '../../src/runtime/engine/load-chunk.cdn.ts';
import { trustedScriptUrl } from '../../src/runtime/engine/trusted-url.ts';
import type { KeptParts } from './load.ts';

export async function loadKept(): Promise<KeptParts> {
  const { Keeper } = await loadChunk<Pick<KeptParts, 'Keeper'>>(
    'kept-recordings.js',
    'keep-recordings',
    'leave out keep-recordings',
  );
  return { Keeper, trusted: trustedScriptUrl, pinned: true, asOurs };
}
