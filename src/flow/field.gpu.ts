/** A flow field on the GPU on its way from level to level: two neighbors a texel (u, v, u, v). */
import expandFragment from '../../glsl/flow/dense-expand.frag';
import type { Texture } from '../runtime/gpu/gpu-side.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Scope } from '../runtime/scope.ts';

export interface Field {
  readonly flow: Texture<'rgba32f'>;
  /** Pixels of a row. */
  readonly width: number;
}

/** Larger levels wait for their iterations, so that a cancel does not meet seconds of enqueued work. */
export const PATIENT = 1 << 20;

const expand = definePass({
  name: 'flow/expand',
  fragment: expandFragment,
  textures: ['coarse'],
  uniforms: { width: 'int' },
  outputs: ['flow'],
});

/** The flow on the next finer level, of this width and height; the texture is the scope's. */
export function expandFlow(
  scope: Scope,
  { flow, width }: Field,
  finer: { readonly width: number; readonly height: number },
): Texture<'rgba32f'> {
  const out = scope.texture((finer.width + 1) >> 1, finer.height, 'rgba32f');
  scope.draw(expand, { targets: [out], textures: { coarse: flow }, uniforms: { width } });
  return out;
}
