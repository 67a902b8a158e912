/** The GPU side of inpaint/match: the distance of every candidate in one pass, the least by reduction. */
import type { GpuSide } from '../runtime/gpu-side.ts';
import type { Plane } from '../runtime/plane.ts';
import { matchPass } from './passes.ts';
import { begin, search, searchTextures } from './state.gpu.ts';

export function matchGpu(
  side: GpuSide,
  source: Plane,
  mask: Plane,
  { patch, x, y, near }: { patch: number; x: number; y: number; near: boolean },
): Plane {
  const { width, height } = source;
  return side.scope((lend, plane) => {
    const out = plane(3, 1, 'i32');
    const { image } = begin(side, lend, source, mask);
    const centre = lend(1, 1, 'rgba32ui');
    side.clear([centre], [1, 0, Math.min(y, height - 1) * width + Math.min(x, width - 1), 0]);
    const textures = searchTextures(lend, width, height);
    const nearest = search(side, textures, { source: image, image, centre }, { patch, searchWindow: 0, near });
    side.draw(matchPass, { targets: [out], textures: { nearest }, uniforms: { width } });
    return out;
  });
}
