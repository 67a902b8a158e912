/** The GPU side of edges/octants: one fetch, at an edge nine more. */
import fragment from '../../glsl/edges/octants.frag';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';

export const octantsPass = definePass({
  name: 'edges/octants',
  fragment,
  textures: ['source', 'edges'],
  uniforms: {},
  outputs: ['directions'],
});

export function octantsGpu(scope: Scope, source: Plane, edges: Plane): Plane {
  const out = scope.gpuPlane(edges.width, edges.height, 'u8');
  scope.draw(octantsPass, { targets: [out], textures: { source, edges }, uniforms: {} });
  return out;
}
