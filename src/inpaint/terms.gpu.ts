/** The GPU side of inpaint/terms: along the rows of the windows, then front and priority. */
import type { Region, Texture } from '../runtime/gpu/gpu-side.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { inverseLengths } from './layout.ts';
import { rowsPass, termsPass } from './passes.gpu.ts';
import { begin, type GpuState } from './state.gpu.ts';

/** For the rows of the windows of a box: those above and below it, too. */
export const rowsTexture = (scope: Scope, { width, height }: Region, patch: number): Texture<'rgba32ui'> =>
  scope.texture(width, height + patch - 1, 'rgba32ui');

/** Draws the rows of the windows of a box. */
export function drawRows(
  scope: Scope,
  { image, confidence, rows }: Pick<GpuState, 'image' | 'confidence'> & { readonly rows: Texture },
  { x, y }: Region,
  patch: number,
): void {
  scope.draw(rowsPass(patch), {
    targets: [rows],
    textures: { image, confidences: confidence },
    uniforms: { corner: [x, y] },
  });
}

export function termsGpu(scope: Scope, source: Plane, mask: Plane, patch: number): [Plane, Plane] {
  const { width, height } = source;
  return scope.within((inner) => {
    const targets: [Plane, Plane] = [scope.gpuPlane(width, height, 'u32'), scope.gpuPlane(width, height, 'u32')];
    const state = begin(inner, source, mask);
    const box = { x: 0, y: 0, width, height };
    const rows = rowsTexture(inner, box, patch);
    drawRows(inner, { ...state, rows }, box, patch);
    inner.draw(termsPass, {
      targets,
      textures: { image: state.image, rows },
      uniforms: { reach: patch >> 1, inverse: inverseLengths, corner: [0, 0] },
    });
    return targets;
  });
}
