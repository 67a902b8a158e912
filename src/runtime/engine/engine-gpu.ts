/** Whether an engine gets a GPU side, and whether it is preferred. Every "no" comes with its reason. */
import { FoveolaError } from '../error.ts';
import type { Backend } from './engine-protocol.ts';
import { createGpuSide } from '../gpu/gpu-side.ts';
import { verifyGpu } from '../gpu/gpu-verify.ts';
import type { Runtime } from '../runtime.ts';

export interface GpuChoice {
  preferred: 'gpu' | 'wasm';
  renderer: string | null;
  software: boolean;
  reasons: string[];
}

/** Sets `runtime.gpu` and `runtime.preferred`. Throws 'no-webgl2' when 'gpu' is asked for and there is none. */
export async function openGpu(runtime: Runtime, backend: Backend): Promise<GpuChoice> {
  const none = { preferred: 'wasm', renderer: null, software: false } as const;
  if (backend === 'wasm') return { ...none, reasons: [] };
  if (typeof OffscreenCanvas === 'undefined' && typeof document === 'undefined') {
    if (backend === 'gpu') throw new FoveolaError('no-webgl2', "There is no WebGL2 here; use backend 'wasm'.");
    return { ...none, reasons: ['No GPU side: there is no canvas here.'] };
  }
  try {
    const gpu = createGpuSide(runtime);
    const { renderer, software, reasons } = gpu.capabilities;
    if (software && backend === 'auto') {
      gpu.dispose();
      return { preferred: 'wasm', renderer, software, reasons: [...reasons] };
    }
    runtime.gpu = gpu;
    const wrong = await verifyGpu(runtime, gpu);
    if (wrong)
      throw new FoveolaError('no-webgl2', `${wrong} Allow this site to read canvas data, or use backend 'wasm'.`);
    runtime.preferred = 'gpu';
    runtime.gpuForced = backend === 'gpu';
    return { preferred: 'gpu', renderer, software, reasons: [...reasons] };
  } catch (error) {
    runtime.gpu?.dispose();
    runtime.gpu = null;
    if (backend === 'gpu') throw error;
    return { ...none, reasons: [`No GPU side: ${error instanceof Error ? error.message : String(error)}`] };
  }
}
