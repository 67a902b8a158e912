/** Textures of a picture that is being filled, and the search of one patch in it. */
import type { GpuSide, Lend, Surface, Texture } from '../runtime/gpu-side.ts';
import { beginPass, distancePass, NEARBY, nearbyPass } from './passes.ts';
import { levels, nearest } from './reduce.gpu.ts';

export interface GpuState {
  /** Colour, and 1 where known. */
  readonly image: Texture<'rgba8ui'>;
  /** In units of 2^-31. */
  readonly confidence: Texture<'u32'>;
  /** As in assembly/inpaint/fill.ts. */
  readonly origin: Texture<'u32'>;
}

/** The state before the first patch. */
export function begin(side: GpuSide, lend: Lend, source: Surface, mask: Surface): GpuState {
  const { width, height } = source;
  const state = {
    image: lend(width, height, 'rgba8ui'),
    confidence: lend(width, height, 'u32'),
    origin: lend(width, height, 'u32'),
  };
  side.draw(beginPass, {
    targets: [state.image, state.confidence, state.origin],
    textures: { source, mask },
    uniforms: {},
  });
  return state;
}

/** Textures that a search draws into. */
export interface SearchTextures {
  readonly nearby: Texture<'rg32ui'>;
  readonly nearbyLevels: readonly Texture<'rg32ui'>[];
  readonly candidates: Texture<'rg32ui'>;
  readonly candidateLevels: readonly Texture<'rg32ui'>[];
}

export function searchTextures(lend: Lend, width: number, height: number): SearchTextures {
  return {
    nearby: lend(NEARBY, NEARBY, 'rg32ui'),
    nearbyLevels: levels(lend, NEARBY, NEARBY, 'rg32ui'),
    candidates: lend(width, height, 'rg32ui'),
    candidateLevels: levels(lend, width, height, 'rg32ui'),
  };
}

export interface SearchOptions {
  readonly patch: number;
  readonly searchWindow: number;
  readonly near: boolean;
}

/**
 * The best match of the patch around the pixel that the 1x1 `centre` names, as (distance, index). `source` is the state's
 * image before the first patch.
 */
export function search(
  side: GpuSide,
  { nearby, nearbyLevels, candidates, candidateLevels }: SearchTextures,
  { source, image, centre }: { source: Texture; image: Texture; centre: Texture },
  { patch, searchWindow, near }: SearchOptions,
): Texture {
  const uniforms = { reach: patch >> 1, near: Number(near), window: searchWindow };
  side.draw(nearbyPass, { targets: [nearby], textures: { source, image, centre }, uniforms });
  const bound = nearest(side, nearby, nearbyLevels);
  side.draw(distancePass, { targets: [candidates], textures: { source, image, centre, bound }, uniforms });
  return nearest(side, candidates, candidateLevels);
}
