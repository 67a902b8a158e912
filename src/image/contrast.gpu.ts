/** The contrast of a picture on the GPU, the same whole number: a texture of one texel, which nobody has to read. */
import fragment from '../../glsl/image/contrast.frag';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Surface, Texture } from '../runtime/gpu/gpu-side.ts';
import type { Scope } from '../runtime/scope.ts';

export const contrastPass = definePass({
  name: 'image/contrast',
  fragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['contrast'],
});

export function contrastGpu(scope: Scope, source: Surface): Texture<'u32'> {
  const contrast = scope.texture(1, 1, 'u32');
  scope.draw(contrastPass, { targets: [contrast], textures: { source }, uniforms: {} });
  return contrast;
}
