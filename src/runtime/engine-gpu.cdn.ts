/**
 * For foveola.cdn.js, which carries the WASM side of every stage only: both sides would not fit its size. Where a page
 * wants the graphics side, foveola.cdn.full.js and the ESM builds have it.
 */
import type { GpuChoice } from './engine-gpu.ts';
import type { Backend } from './engine-protocol.ts';
import { FoveolaError } from './error.ts';
import type { Runtime } from './runtime.ts';

const reason =
  'No GPU side: foveola.cdn.js carries the WASM side only; load foveola.cdn.full.js or foveola.js for both.';

export async function openGpu(_runtime: Runtime, backend: Backend): Promise<GpuChoice> {
  if (backend === 'gpu') throw new FoveolaError('no-webgl2', `${reason} Or use backend 'wasm'.`);
  return { preferred: 'wasm', renderer: null, software: false, reasons: backend === 'wasm' ? [] : [reason] };
}
