/** Runs a stage on one side of a runtime with a GPU, and compares results. */
import { kernelBytes } from '../../src/runtime/engine/assets.ts';
import { createGpuSide } from '../../src/runtime/gpu/gpu-backend.ts';
import { compileKernels } from '../../src/runtime/wasm/kernels.ts';
import { Plane } from '../../src/runtime/plane.ts';
import { isPlane } from '../../src/runtime/scope.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { run, type Backend, type Stage } from '../../src/runtime/stage.ts';
import { isImage, type ReferenceValue } from '../reference/image.ts';
import type { Params } from './cases.ts';

export type Answer = { value: ReferenceValue[] } | { error: { code?: string; message: string } };

export async function compiled(shared = false): Promise<WebAssembly.Module> {
  const { bytes } = await kernelBytes({});
  return compileKernels(bytes, shared);
}

const listOf = (value: ReferenceValue): ArrayLike<number> =>
  typeof value === 'number' ? [value] : isImage(value) ? value.data : (value as ArrayLike<number>);

/** Where the two differ first, but for a share of `borderline` samples; or ''. */
export function difference(
  actual: ReferenceValue,
  expected: ReferenceValue,
  tolerance: number,
  borderline = 0,
): string {
  let spared = Math.floor(borderline * listOf(expected).length);
  const size = (value: ReferenceValue) =>
    isImage(value) ? `${value.format} ${value.width}x${value.height}` : `${listOf(value).length} numbers`;
  if (size(actual) !== size(expected)) return `${size(actual)} instead of ${size(expected)}`;
  const [a, b] = [listOf(actual), listOf(expected)];
  if (a.length !== b.length) return `${a.length} samples instead of ${b.length}`;
  for (let i = 0; i < b.length; i++) {
    // What a reference leaves open: rounding decides between two answers there.
    if (Number.isNaN(b[i])) continue;
    if (Object.is(a[i], b[i]) || Math.abs(a[i]! - b[i]!) <= tolerance || spared-- > 0) continue;
    const where = isImage(expected) ? `(${i % expected.width}, ${Math.floor(i / expected.width)})` : i;
    return `${a[i]} instead of ${b[i]} at ${where}`;
  }
  return '';
}

export async function makeRuntime(): Promise<Runtime> {
  const runtime = await Runtime.create({ module: await compiled() });
  runtime.gpu = createGpuSide(runtime);
  return runtime;
}

/** To the GPU alone, as what a stage before left there. */
function moved(runtime: Runtime, plane: Plane): Plane {
  const gpu = runtime.gpu!;
  const texture = gpu.allocate(plane.width, plane.height, plane.format);
  const { address, stride, height } = plane;
  gpu.upload(texture, runtime.arena.u8.subarray(address, address + stride * height), stride);
  plane.dispose();
  return Plane.onGpu(runtime, texture);
}

/** `onGpu`: the planes are given on the GPU. */
export async function onSide(
  runtime: Runtime,
  backend: Backend,
  stage: Stage,
  inputs: ReferenceValue[],
  params: Params,
  onGpu = false,
): Promise<Answer> {
  const given = inputs.map((value) => {
    if (!isImage(value)) return value;
    const plane = runtime.plane(value.width, value.height, value.format, value.data);
    return onGpu ? moved(runtime, plane) : plane;
  });
  let outputs: readonly unknown[] = [];
  try {
    outputs = await run(runtime, stage, given, params as never, { backend });
    const value: ReferenceValue[] = [];
    for (const output of outputs)
      if (isPlane(output)) {
        const { width, height, format } = output;
        value.push({ width, height, format, data: await output.read() });
      } else value.push(output as ReferenceValue);
    return { value };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { error: { code, message } };
  } finally {
    for (const made of [...given, ...outputs]) if (isPlane(made)) made.dispose();
  }
}
