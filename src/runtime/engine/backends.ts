/**
 * The backends of an engine: whether it has a GPU, whether it prefers the GPU, and what `engine.capabilities` reports
 * about it. Every negative answer has a reason.
 */
import type { Capabilities } from '../../results/types.ts';
import { operations, trackerMethods, trackers } from '../capability.ts';
import { FoveolaError } from '../error.ts';
import { GPU_PART, loadEnginePart } from '../engine-parts.ts';
import { GpuContext } from '../gpu/gpu-context.ts';
import { createGpuSide, type GpuBackend } from '../gpu/gpu-backend.ts';
import { verifyGpu } from '../gpu/gpu-verify.ts';
import type { Runtime } from '../runtime.ts';
import type { EngineHome } from './images.ts';
import type { BackendOption, EngineInit } from './protocol.ts';

export interface GpuChoice {
  preferred: 'gpu' | 'wasm';
  renderer: string | null;
  software: boolean;
  reasons: string[];
  /** For 'auto' with a hardware GPU: loads the GPU code and sets `runtime.gpu` for the first operation. */
  open?: () => Promise<void>;
}

/** Throws 'no-webgl2' if the samples read back are wrong, and 'context-lost' if the context was lost meanwhile. */
async function verify(runtime: Runtime, gpu: GpuBackend): Promise<void> {
  const wrong = await verifyGpu(runtime, gpu);
  if (wrong)
    throw new FoveolaError('no-webgl2', `${wrong} Allow this site to read canvas data, or use backend 'wasm'.`);
}

/**
 * The context was lost before the GPU backend was verified. Everything runs in WASM until the context is restored and
 * returns correct results.
 */
function withhold(runtime: Runtime, gpu: GpuBackend, backend: BackendOption): void {
  gpu.withheld = true;
  const look = async () => {
    if (backend === 'auto' && gpu.capabilities.software) return;
    try {
      await verify(runtime, gpu);
      gpu.withheld = false;
      stop();
    } catch {
      // Lost again, or incorrect. The GPU is not used, perhaps until the next restore.
    }
  };
  const stop = gpu.onRestored(() => void look());
  if (!gpu.context.lost) void look(); // already restored
}

/**
 * Sets `runtime.gpu` and `runtime.preferred`. Throws 'no-webgl2' if 'gpu' was requested and is unavailable. With
 * `again` (restart after an engine with a GPU was lost) it does not throw, so that the caller continues to get results.
 */
export async function openGpu(runtime: Runtime, backend: BackendOption, again = false): Promise<GpuChoice> {
  const none = { preferred: 'wasm', renderer: null, software: false } as const;
  if (backend === 'wasm') return { ...none, reasons: [] };
  if (typeof OffscreenCanvas === 'undefined' && typeof document === 'undefined') {
    if (backend === 'gpu') throw new FoveolaError('no-webgl2', "WebGL2 is not available. Use backend 'wasm'.");
    return { ...none, reasons: ['No GPU backend: no canvas is available.'] };
  }
  const load = async () => loadEnginePart(runtime, GPU_PART);
  if (backend === 'auto')
    try {
      const context = new GpuContext();
      const { renderer, software, reasons } = context.capabilities;
      context.dispose();
      const choice = { renderer, software, reasons: [...reasons] };
      if (software) return { preferred: 'wasm', ...choice };
      runtime.preferred = 'gpu';
      runtime.renderer = renderer;
      return {
        preferred: 'gpu',
        ...choice,
        open: () =>
          load()
            .then(() => start(runtime, backend))
            .then(() => {}),
      };
    } catch (error) {
      return { ...none, reasons: [noGpu(error)] };
    }
  try {
    await load();
    return await start(runtime, backend);
  } catch (error) {
    if (!again) throw error;
    return { ...none, reasons: [noGpu(error)] };
  }
}

const noGpu = (error: unknown) => `No GPU backend: ${error instanceof Error ? error.message : String(error)}`;

/** Opens the context and checks that it draws correctly. */
async function start(runtime: Runtime, backend: BackendOption): Promise<GpuChoice> {
  try {
    const gpu = createGpuSide(runtime);
    const { renderer, software, reasons } = gpu.capabilities;
    runtime.gpu = gpu;
    runtime.renderer = renderer;
    const choice: GpuChoice = { preferred: 'gpu', renderer, software, reasons: [...reasons] };
    try {
      await verify(runtime, gpu);
    } catch (error) {
      if (!gpu.losses) throw error;
      withhold(runtime, gpu, backend);
      choice.reasons.push('The WebGL context was lost at startup. WASM is used until it returns.');
    }
    runtime.preferred = 'gpu';
    runtime.gpuForced = backend === 'gpu';
    return choice;
  } catch (error) {
    runtime.gpu?.dispose();
    runtime.gpu = null;
    throw error;
  }
}

/** The backend that each operation and tracker uses, and why. */
function backendsByMethod(
  { gpuForced }: Runtime,
  preferred: GpuChoice['preferred'],
  reason = 'No GPU backend is available.',
): Capabilities['backends'] {
  // If there is a profile, the estimate for a call before its first measurement is reported elsewhere: see
  // OperationCalls.
  const measured = {
    backend: 'measured',
    why: 'No prediction exists for this device. The first call runs where the image is stored, later calls on the faster backend.',
  } as const;
  const forced = { backend: 'gpu', why: "backend: 'gpu'. Stages without a GPU version run in WASM." } as const;
  const wasm = { backend: 'wasm', why: reason } as const;
  const all: Record<string, Capabilities['backends'][string]> = {};
  const usual = preferred === 'wasm' ? wasm : gpuForced ? forced : measured;
  for (const { name, sources } of operations.values()) if (sources.length) all[name] = usual;
  for (const [method, { autoWasm }] of trackerMethods)
    all[method] =
      preferred === 'wasm'
        ? wasm
        : gpuForced
          ? forced
          : autoWasm
            ? { backend: 'wasm', why: autoWasm }
            : { backend: 'gpu', why: 'Its stages use the GPU if they support it.' };
  return all;
}

export function capabilitiesOf(runtime: Runtime, init: EngineInit, home: EngineHome, gpu: GpuChoice): Capabilities {
  const measured = gpu.preferred === 'gpu' && !runtime.gpuForced;
  const exceptions = measured ? [...trackers.values()].flatMap(({ autoWasm }) => autoWasm ?? []) : [];
  return {
    backend: gpu.preferred,
    gpu: gpu.renderer,
    softwareGpu: gpu.software,
    threads: runtime.pool.threads,
    simd: true, // both builds use SIMD and do not compile without it
    crossOriginIsolated: globalThis.crossOriginIsolated === true,
    worker: home.worker,
    backends: backendsByMethod(runtime, gpu.preferred, init.backend === 'wasm' ? "backend: 'wasm'." : gpu.reasons[0]),
    reasons: [...init.reasons, ...gpu.reasons, ...exceptions, ...home.reasons()],
  };
}
