/** Runs a stage on one side of a runtime with a GPU, and compares results. */
import { kernelBytes } from '../../src/runtime/assets.ts';
import { createGpuSide } from '../../src/runtime/gpu-side.ts';
import { compileKernels } from '../../src/runtime/kernels.ts';
import type { Plane } from '../../src/runtime/plane.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { run, type Side, type Stage } from '../../src/runtime/stage.ts';
import type { ReferenceImage } from '../reference/image.ts';
import type { Params } from './cases.ts';

export type Answer = { value: ReferenceImage[] } | { error: { code?: string; message: string } };

export async function compiled(build: 'st' | 'mt'): Promise<WebAssembly.Module> {
  const { bytes } = await kernelBytes(build, {});
  return compileKernels(bytes);
}

/** Where the two differ first, or ''. */
export function difference(actual: ReferenceImage, expected: ReferenceImage, tolerance: number): string {
  const { width, height, format, data } = expected;
  if (actual.width !== width || actual.height !== height || actual.format !== format)
    return `${actual.format} ${actual.width}x${actual.height} instead of ${format} ${width}x${height}`;
  if (actual.data.length !== data.length) return `${actual.data.length} samples instead of ${data.length}`;
  for (let i = 0; i < data.length; i++) {
    const a = actual.data[i]!;
    const b = data[i]!;
    if (Object.is(a, b) || Math.abs(a - b) <= tolerance) continue;
    return `${a} instead of ${b} at (${i % width}, ${Math.floor(i / width)})`;
  }
  return '';
}

export async function makeRuntime(): Promise<Runtime> {
  const runtime = await Runtime.create({ module: await compiled('st') });
  runtime.gpu = createGpuSide(runtime);
  return runtime;
}

export async function onSide(
  runtime: Runtime,
  side: Side,
  stage: Stage,
  inputs: ReferenceImage[],
  params: Params,
): Promise<Answer> {
  const planes = inputs.map(({ width, height, format, data }) => runtime.plane(width, height, format, data));
  let outputs: Plane[] = [];
  try {
    outputs = await run(runtime, stage, planes, params as never, { side });
    const value: ReferenceImage[] = [];
    for (const { width, height, format } of outputs)
      value.push({ width, height, format, data: await outputs[value.length]!.read() });
    return { value };
  } catch (error) {
    return { error: error as { code: string; message: string } };
  } finally {
    for (const plane of [...planes, ...outputs]) plane.dispose();
  }
}
