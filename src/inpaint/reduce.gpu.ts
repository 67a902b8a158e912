/** Blocks until one texel is left: of keys the largest, of candidates the nearest. */
import type { Texture } from '../runtime/gpu/gpu-side.ts';
import type { Scope } from '../runtime/scope.ts';
import { bestPass, nearestPass } from './passes.gpu.ts';

/** Textures for the levels below one of this size. The last is 1x1. */
export function levels<F extends 'rgba32ui' | 'rg32ui'>(
  scope: Scope,
  width: number,
  height: number,
  format: F,
  block: number,
): Texture<F>[] {
  const out: Texture<F>[] = [];
  do {
    width = Math.ceil(width / block);
    height = Math.ceil(height / block);
    out.push(scope.texture(width, height, format));
  } while (width > 1 || height > 1);
  return out;
}

/** The 1x1 texture with the largest key. */
export function best(scope: Scope, keys: Texture, to: readonly Texture[]): Texture {
  for (const target of to) {
    scope.draw(bestPass, { targets: [target], textures: { keys }, uniforms: {} });
    keys = target;
  }
  return keys;
}

/** The nearest candidates in a texture of one block: whoever needs the one looks through them. */
export function nearestFew(scope: Scope, candidates: Texture, to: readonly Texture[]): Texture {
  for (const target of to.slice(0, -1)) {
    scope.draw(nearestPass, { targets: [target], textures: { candidates }, uniforms: {} });
    candidates = target;
  }
  return candidates;
}
