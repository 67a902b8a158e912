/** The GPU backend of image/compact: flags, their inclusive scan, and a gather that looks up each entry of the list. */
import countFragment from '../../glsl/image/compact-count.frag';
import fragment from '../../glsl/image/compact.frag';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import { scanLinear } from './scan.gpu.ts';
import { thresholdPass } from './threshold.gpu.ts';

const common = { textures: ['counts'], uniforms: {} } as const;

/** Gathers the list from the inclusive scan of flags. */
export const compactPass = definePass({ name: 'image/compact', fragment, ...common, outputs: ['index'] });
/** Counts the entries of the list. */
export const compactCountPass = definePass({
  name: 'image/compact-count',
  fragment: countFragment,
  ...common,
  outputs: ['count'],
});

export function compactGpu(scope: Scope, source: Plane, level: number): [Plane, Plane] {
  const { width, height } = source;
  return scope.within((inner) => {
    const list = scope.gpuPlane(width, height, 'u32');
    const count = scope.gpuPlane(1, 1, 'u32');
    const flags = inner.texture(width, height, 'u8');
    const counts = inner.texture(width, height, 'u32');
    scope.draw(thresholdPass, { targets: [flags], textures: { source }, uniforms: { level, value: 1 } });
    scanLinear(scope, flags, counts, { inclusive: true });
    scope.draw(compactPass, { targets: [list], textures: { counts }, uniforms: {} });
    scope.draw(compactCountPass, { targets: [count], textures: { counts }, uniforms: {} });
    return [list, count];
  });
}
