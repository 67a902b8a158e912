// Landmarks of boxes in decoded pictures, on the kernels alone.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../tools/setup.mjs';

/** `fit(image, boxes, model)`: points of each box, which is of the model's kind. */
export async function fitter({ importTs }) {
  const { Runtime, driveNow, fitLandmarks, mapBox, measureFace, readLandmarks } =
    await importTs('bench/faces/parts/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.st.wasm')));
  const runtime = await Runtime.create({ module });
  const fit = ({ width, height, data }, boxes, model) => {
    const plane = runtime.plane(width, height, 'u8', data);
    const shapes = driveNow(runtime, (scope) => fitLandmarks(scope, plane, boxes, model));
    plane.dispose();
    return shapes;
  };
  return { fit, mapBox, measureFace, readLandmarks, dispose: () => runtime.dispose() };
}

/** A shape of the unit square in a box. */
export const inBox = (shape, { x, y, width, height }) =>
  shape.map((v, k) => (k % 2 ? y + v * (height - 1) : x + v * (width - 1)));
