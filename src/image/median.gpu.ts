/** The GPU backend of image/median. It is exact: 9 fetches for 3 x 3, and twice the window size for larger windows. */
import fragment from '../../glsl/image/median.frag';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';

const declare = (radius: number) =>
  definePass({
    name: `image/median ${2 * radius + 1}`,
    fragment,
    textures: ['source'],
    uniforms: {},
    outputs: ['middle'],
    defines: { RADIUS: radius },
  });

const passes = new Map<number, ReturnType<typeof declare>>();

/** The pass for one window size, 3 to 15. Loops of fixed length compile to straight code. */
export function medianPass(size: number): ReturnType<typeof declare> {
  const radius = size >> 1;
  let pass = passes.get(radius);
  if (!pass) passes.set(radius, (pass = declare(radius)));
  return pass;
}

export function medianGpu(scope: Scope, source: Plane, size: number): Plane {
  const out = scope.gpuPlane(source.width, source.height, 'u8');
  scope.draw(medianPass(size), { targets: [out], textures: { source }, uniforms: {} });
  return out;
}
