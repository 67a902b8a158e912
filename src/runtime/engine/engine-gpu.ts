/** Whether an engine gets a GPU side, and whether it is preferred. Every "no" comes with its reason. */
import { FoveolaError } from '../error.ts';
import type { Backend } from './engine-protocol.ts';
import { createGpuSide, type GpuSide } from '../gpu/gpu-side.ts';
import { verifyGpu } from '../gpu/gpu-verify.ts';
import type { Runtime } from '../runtime.ts';

export interface GpuChoice {
  preferred: 'gpu' | 'wasm';
  renderer: string | null;
  software: boolean;
  reasons: string[];
}

/** Throws 'no-webgl2' where the samples do not come back, 'context-lost' where the context went meanwhile. */
async function verify(runtime: Runtime, gpu: GpuSide): Promise<void> {
  const wrong = await verifyGpu(runtime, gpu);
  if (wrong)
    throw new FoveolaError('no-webgl2', `${wrong} Allow this site to read canvas data, or use backend 'wasm'.`);
}

/** The context went before the GPU side was looked at: everything runs in WASM until it is back and gives what it should. */
function withhold(runtime: Runtime, gpu: GpuSide, backend: Backend): void {
  gpu.withheld = true;
  const look = async () => {
    if (backend === 'auto' && gpu.capabilities.software) return;
    try {
      await verify(runtime, gpu);
      gpu.withheld = false;
      stop();
    } catch {
      // Gone once more, or not to be trusted: it stays away, perhaps until the next restore.
    }
  };
  const stop = gpu.onRestored(() => void look());
  if (!gpu.context.lost) void look(); // it is back already
}

/**
 * Sets `runtime.gpu` and `runtime.preferred`. Throws 'no-webgl2' when 'gpu' is asked for and there is none; but not
 * `again`, after the death of an engine that had it: who had results goes on to have them.
 */
export async function openGpu(runtime: Runtime, backend: Backend, again = false): Promise<GpuChoice> {
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
    const choice: GpuChoice = { preferred: 'gpu', renderer, software, reasons: [...reasons] };
    try {
      await verify(runtime, gpu);
    } catch (error) {
      if (!gpu.losses) throw error;
      withhold(runtime, gpu, backend);
      choice.reasons.push('The WebGL context was lost while the engine started: WASM until it is back.');
    }
    runtime.preferred = 'gpu';
    runtime.gpuForced = backend === 'gpu';
    return choice;
  } catch (error) {
    runtime.gpu?.dispose();
    runtime.gpu = null;
    if (backend === 'gpu' && !again) throw error;
    return { ...none, reasons: [`No GPU side: ${error instanceof Error ? error.message : String(error)}`] };
  }
}
