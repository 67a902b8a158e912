/** Whether an engine gets a GPU side, and whether it is preferred. Every "no" comes with its reason. */
import { FoveolaError } from './error.ts';
import type { Backend } from './engine-protocol.ts';
import type { Runtime } from './runtime.ts';

export interface GpuChoice {
  preferred: 'gpu' | 'wasm';
  renderer: string | null;
  software: boolean;
  reasons: string[];
}

export async function openGpu(_runtime: Runtime, backend: Backend): Promise<GpuChoice> {
  if (backend === 'gpu') throw new FoveolaError('no-webgl2', 'There is no GPU side yet.');
  return { preferred: 'wasm', renderer: null, software: false, reasons: [] };
}
