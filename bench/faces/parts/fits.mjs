// Landmarks of boxes in decoded pictures, on the kernels alone.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../tools/setup.mjs';

/**
 * `fit(image, boxes, model)`: points of each box, which is of the model's kind; `fits` with their confidence, and by `again` from
 * other boxes where that is low, as the library does it.
 */
export async function fitter({ importTs }) {
  const { Runtime, driveNow, fitFaces, mapBox, measureFace, readLandmarks } =
    await importTs('bench/faces/parts/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.st.wasm')));
  const runtime = await Runtime.create({ module });
  const fits = ({ width, height, data }, boxes, model, again = true) => {
    const plane = runtime.plane(width, height, 'u8', data);
    const found = driveNow(runtime, (scope) => fitFaces(scope, plane, boxes, model, { again }));
    plane.dispose();
    return found;
  };
  const fit = (image, boxes, model) => fits(image, boxes, model).map(({ shape }) => shape);
  return { fit, fits, mapBox, measureFace, readLandmarks, dispose: () => runtime.dispose() };
}

/** A shape of the unit square in a box. */
export const inBox = (shape, { x, y, width, height }) =>
  shape.map((v, k) => (k % 2 ? y + v * (height - 1) : x + v * (width - 1)));
