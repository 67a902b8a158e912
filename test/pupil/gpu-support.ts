/** Frames for the tests of the GPU path: rendered eyes at a quarter of the pixels, as a software GPU is slow. */
import { hardFrame, paperSequence, sampleFrame } from '../../lab/eyes/index.ts';
import { createGpuSide } from '../../src/runtime/gpu/gpu-backend.ts';
import type { Plane } from '../../src/runtime/plane.ts';
import { Runtime } from '../../src/runtime/runtime.ts';
import { compiled } from '../parity/backends.ts';

export interface Gray {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Means of squares of `factor` pixels. */
export function reduce({ width, height, data }: Gray, factor: number): Gray {
  const w = Math.floor(width / factor);
  const h = Math.floor(height / factor);
  const out = new Uint8Array(w * h);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      let sum = 0;
      for (let k = 0; k < factor * factor; k++)
        sum += data[(y * factor + Math.floor(k / factor)) * width + x * factor + (k % factor)]!;
      out[y * w + x] = Math.round(sum / (factor * factor));
    }
  return { width: w, height: h, data: out };
}

/** Hard frames with and without LEDs, frames of the sample clip (a saccade within), of the paper's kind. */
export function frames(): Gray[] {
  const hard = [0, 1, 2, 5, 7, 10, 11, 13].map((i) => reduce(hardFrame(i), 2));
  const sample = [0, 30, 62, 64, 110].map((i) => reduce(sampleFrame(i), 2));
  const paper = [...paperSequence(3)].map((frame) => reduce(frame, 4));
  return [...hard, ...sample, ...paper];
}

/** Both halves; the GPU is preferred though it is software. */
export async function gpuRuntime(): Promise<Runtime> {
  const runtime = await Runtime.create({ module: await compiled() });
  runtime.gpu = createGpuSide(runtime);
  runtime.preferred = 'gpu';
  runtime.gpuForced = true;
  return runtime;
}

export const planeOf = (runtime: Runtime, { width, height, data }: Gray): Plane =>
  runtime.plane(width, height, 'u8', data);

/** The left upper part of an image. */
export function crop({ width, data }: Gray, columns: number, rows: number): Gray {
  const out = new Uint8Array(columns * rows);
  for (let y = 0; y < rows; y++) out.set(data.subarray(y * width, y * width + columns), y * columns);
  return { width: columns, height: rows, data: out };
}
