/** Results of stages as images of the API. Apart from the operations, whose import registers them all. */
import type { GrayImage } from '../results/types.ts';
import type { ParameterTable, Values } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { run, type Stage } from '../runtime/stage.ts';

export async function toImage(plane: Plane): Promise<GrayImage> {
  return { width: plane.width, height: plane.height, data: (await plane.read()) as Uint8Array };
}

/** Runs a stage of one output and reads it. */
export async function imageOf<T extends ParameterTable>(
  runtime: Runtime,
  stage: Stage<T>,
  planes: readonly Plane[],
  params?: Partial<Values<T>>,
): Promise<GrayImage> {
  const [out] = await run(runtime, stage, planes, params);
  try {
    return await toImage(out!);
  } finally {
    out!.dispose();
  }
}
