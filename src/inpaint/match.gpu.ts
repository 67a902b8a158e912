/** The GPU side of inpaint/match: the distance of every candidate in one pass, the least by reduction. */
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { matchPass } from './passes.gpu.ts';
import { begin, search, searchTextures } from './state.gpu.ts';

export function matchGpu(
  scope: Scope,
  source: Plane,
  mask: Plane,
  { patch, x, y, near }: { patch: number; x: number; y: number; near: boolean },
): Plane {
  const { width, height } = source;
  return scope.within((inner) => {
    const out = scope.gpuPlane(3, 1, 'i32');
    const { image } = begin(inner, source, mask);
    const center = inner.texture(1, 1, 'rgba32ui');
    scope.gpu.clear([center], [1, 0, Math.min(y, height - 1) * width + Math.min(x, width - 1), 0]);
    const textures = searchTextures(inner, width, height);
    const candidates = search(inner, textures, { source: image, image, center }, { patch, searchWindow: 0, near });
    inner.draw(matchPass, { targets: [out], textures: { candidates }, uniforms: { width } });
    return out;
  });
}
