/** What an engine says of itself: `engine.capabilities`. */
import type { Capabilities } from '../../results/types.ts';
import { operations, trackerMethods, trackers } from '../capability.ts';
import type { Runtime } from '../runtime.ts';
import type { EngineHome } from './engine-context.ts';
import type { GpuChoice } from './engine-gpu.ts';
import type { EngineInit } from './engine-protocol.ts';

/** The side that each operation and tracker takes, and why. */
function sidesByMethod(
  { gpuForced }: Runtime,
  preferred: GpuChoice['preferred'],
  reason = 'There is no GPU side.',
): Capabilities['sides'] {
  // What is known of a call before it was measured is said when there is a profile: see OperationCalls.
  const measured = {
    side: 'measured',
    why: 'Nothing is predicted of it on such a device: first where the image lies, then the side that was faster.',
  } as const;
  const forced = { side: 'gpu', why: "backend: 'gpu'; stages that have no GPU side run in WASM." } as const;
  const wasm = { side: 'wasm', why: reason } as const;
  const all: Record<string, Capabilities['sides'][string]> = {};
  const usual = preferred === 'wasm' ? wasm : gpuForced ? forced : measured;
  for (const { name, sources } of operations.values()) if (sources.length) all[name] = usual;
  for (const [method, { autoWasm }] of trackerMethods)
    all[method] =
      preferred === 'wasm'
        ? wasm
        : gpuForced
          ? forced
          : autoWasm
            ? { side: 'wasm', why: autoWasm }
            : { side: 'gpu', why: 'Its stages take the GPU where they have it.' };
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
    simd: true, // both builds use SIMD; without it they do not compile
    crossOriginIsolated: globalThis.crossOriginIsolated === true,
    worker: home.worker,
    sides: sidesByMethod(runtime, gpu.preferred, init.backend === 'wasm' ? "backend: 'wasm'." : gpu.reasons[0]),
    reasons: [...init.reasons, ...gpu.reasons, ...exceptions, ...home.reasons()],
  };
}
