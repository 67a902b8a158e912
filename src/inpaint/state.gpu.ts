/** Textures of a picture that is being filled, and the search of one patch in it. */
import type { Surface, Texture } from '../runtime/gpu/gpu-side.ts';
import type { Scope } from '../runtime/scope.ts';
import { beginPass, distancePass, NEARBY, nearbyPass } from './passes.ts';
import { levels, nearest } from './reduce.gpu.ts';

export interface GpuState {
  /** Color, and 1 where known. */
  readonly image: Texture<'rgba8ui'>;
  /** In units of 2^-31. */
  readonly confidence: Texture<'u32'>;
  /** As in assembly/inpaint/fill.ts. */
  readonly origin: Texture<'u32'>;
}

/** The state before the first patch. */
export function begin(scope: Scope, source: Surface, mask: Surface): GpuState {
  const { width, height } = source;
  const state = {
    image: scope.texture(width, height, 'rgba8ui'),
    confidence: scope.texture(width, height, 'u32'),
    origin: scope.texture(width, height, 'u32'),
  };
  scope.draw(beginPass, {
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

export function searchTextures(scope: Scope, width: number, height: number): SearchTextures {
  return {
    nearby: scope.texture(NEARBY, NEARBY, 'rg32ui'),
    nearbyLevels: levels(scope, NEARBY, NEARBY, 'rg32ui'),
    candidates: scope.texture(width, height, 'rg32ui'),
    candidateLevels: levels(scope, width, height, 'rg32ui'),
  };
}

export interface SearchOptions {
  readonly patch: number;
  readonly searchWindow: number;
  readonly near: boolean;
}

/**
 * The best match of the patch around the pixel that the 1x1 `center` names, as (distance, index). `source` is the state's
 * image before the first patch.
 */
export function search(
  scope: Scope,
  { nearby, nearbyLevels, candidates, candidateLevels }: SearchTextures,
  { source, image, center }: { source: Texture; image: Texture; center: Texture },
  { patch, searchWindow, near }: SearchOptions,
): Texture {
  const uniforms = { reach: patch >> 1, near: Number(near), window: searchWindow };
  scope.draw(nearbyPass, { targets: [nearby], textures: { source, image, center }, uniforms });
  const bound = nearest(scope, nearby, nearbyLevels);
  scope.draw(distancePass, { targets: [candidates], textures: { source, image, center, bound }, uniforms });
  return nearest(scope, candidates, candidateLevels);
}
