/** An arena and a GPU side without kernels: all that the tests of the GPU half need. */
import { Arena } from '../../src/runtime/wasm/arena.ts';
import { createGpuSide, type GpuBackend, type GpuBackendOptions } from '../../src/runtime/gpu/gpu-backend.ts';
import { bytesPerPixel, Plane, type PlaneFormat } from '../../src/runtime/plane.ts';

export interface Host {
  readonly arena: Arena;
  gpu: GpuBackend;
  plane(width: number, height: number, format: PlaneFormat, data: ArrayBufferView): Plane;
}

export function makeHost(options?: GpuBackendOptions): Host {
  const host = { arena: new Arena({ initial: 1 << 20 }), gpu: null as unknown as GpuBackend };
  host.gpu = createGpuSide(host, options);
  return Object.assign(host, {
    plane: (width: number, height: number, format: PlaneFormat, data: ArrayBufferView) =>
      Plane.from(host, width, height, format, data),
  });
}

/** Bytes of a small generator, the same on every machine. */
export function randomBytes(count: number, seed: number): Uint8Array {
  const out = new Uint8Array(count);
  let s = seed >>> 0 || 1;
  for (let i = 0; i < count; i++) {
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    out[i] = s >>> 24;
  }
  return out;
}

export const samples = (width: number, height: number, format: PlaneFormat, seed: number) =>
  randomBytes(width * height * bytesPerPixel[format], seed);

export const event = (target: EventTarget, name: string) =>
  new Promise<Event>((resolve) => target.addEventListener(name, resolve, { once: true }));

export async function rejection(
  promise: Promise<unknown> | (() => unknown),
): Promise<{ code: string; message: string }> {
  try {
    await (typeof promise === 'function' ? promise() : promise);
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error('an error was expected');
}
