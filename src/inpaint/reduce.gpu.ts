/** Blocks of 8 x 8 until one texel is left: of keys the largest, of candidates the nearest. */
import type { GpuSide, Lend, Texture } from '../runtime/gpu-side.ts';
import { bestPass, nearestPass } from './passes.ts';

/** Textures for the levels below one of this size. The last is 1x1. */
export function levels<F extends 'rgba32ui' | 'rg32ui'>(
  lend: Lend,
  width: number,
  height: number,
  format: F,
): Texture<F>[] {
  const out: Texture<F>[] = [];
  do {
    width = (width + 7) >> 3;
    height = (height + 7) >> 3;
    out.push(lend(width, height, format));
  } while (width > 1 || height > 1);
  return out;
}

/** The 1x1 texture with the largest key. */
export function best(side: GpuSide, keys: Texture, to: readonly Texture[]): Texture {
  for (const target of to) {
    side.draw(bestPass, { targets: [target], textures: { keys }, uniforms: {} });
    keys = target;
  }
  return keys;
}

/** The 1x1 texture with the nearest candidate. */
export function nearest(side: GpuSide, candidates: Texture, to: readonly Texture[]): Texture {
  for (const target of to) {
    side.draw(nearestPass, { targets: [target], textures: { candidates }, uniforms: {} });
    candidates = target;
  }
  return candidates;
}
