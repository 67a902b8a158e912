/** The GPU side of image/compact: flags, their inclusive scan, and a gather that looks up each entry of the list. */
import countFragment from '../../glsl/image/compact-count.frag';
import fragment from '../../glsl/image/compact.frag';
import type { GpuSide } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import { scanLinear } from './scan.gpu.ts';
import { thresholdPass } from './threshold.gpu.ts';

const common = { textures: ['counts'], uniforms: {} } as const;

/** Gathers the list from the inclusive scan of flags. */
export const compactPass = definePass({ name: 'image/compact', fragment, ...common, outputs: ['index'] });
/** The list's length. */
export const compactCountPass = definePass({
  name: 'image/compact-count',
  fragment: countFragment,
  ...common,
  outputs: ['count'],
});

export function compactGpu(side: GpuSide, source: Plane, level: number): Plane[] {
  const { width, height } = source;
  return side.scope((lend, plane) => {
    const list = plane(width, height, 'u32');
    const count = plane(1, 1, 'u32');
    const flags = lend(width, height, 'u8');
    const counts = lend(width, height, 'u32');
    side.draw(thresholdPass, { targets: [flags], textures: { source }, uniforms: { level, value: 1 } });
    scanLinear(side, flags, counts, { inclusive: true });
    side.draw(compactPass, { targets: [list], textures: { counts }, uniforms: {} });
    side.draw(compactCountPass, { targets: [count], textures: { counts }, uniforms: {} });
    return [list, count];
  });
}
