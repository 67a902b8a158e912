// Landmarks of boxes in decoded pictures, on the kernels alone.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../tools/setup.mjs';

/**
 * `fit(image, boxes, model)`: points of each box, which is of the model's kind; `fits` with their confidence, and by `again` from
 * other boxes where that is low, as the library does it; `smaller(image, longest)`: as the detector makes it smaller.
 */
export async function fitter({ importTs }) {
  const { Runtime, driveNow, fitFaces, mapBox, measureFace, readLandmarks, reduceTo } =
    await importTs('bench/faces/parts/library.ts');
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'dist/kernels.wasm')));
  const runtime = await Runtime.create({ module });
  const fits = ({ width, height, data }, boxes, model, again = true) => {
    const plane = runtime.plane(width, height, 'u8', data);
    const found = driveNow(runtime, (scope) => fitFaces(scope, plane, boxes, model, { again }));
    plane.dispose();
    return found;
  };
  const smaller = ({ width, height, data }, longest) => {
    const source = runtime.plane(width, height, 'u8', data);
    const plane = driveNow(runtime, (scope) => reduceTo(scope, source, longest));
    const reduced = { width: plane.width, height: plane.height, data: plane.copy() };
    for (const one of new Set([source, plane])) one.dispose();
    return reduced;
  };
  const fit = (image, boxes, model) => fits(image, boxes, model).map(({ shape }) => shape);
  return { fit, fits, smaller, mapBox, measureFace, readLandmarks, dispose: () => runtime.dispose() };
}

/** A shape of the unit square in a box. */
export const inBox = (shape, { x, y, width, height }) =>
  shape.map((v, k) => (k % 2 ? y + v * (height - 1) : x + v * (width - 1)));
