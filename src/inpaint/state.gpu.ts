/** Textures of a picture that is being filled, and the search of one patch in it. */
import type { Surface, Texture } from '../runtime/gpu/gpu-side.ts';
import type { Scope } from '../runtime/scope.ts';
import { ABREAST, beginPass, CANDIDATES, distancePass, NEARBY, nearbyPass } from './passes.gpu.ts';
import { levels, nearestFew } from './reduce.gpu.ts';

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
  const few = [(2 * NEARBY) / ABREAST, NEARBY] as const;
  const all = [Math.ceil(width / ABREAST), height] as const;
  return {
    nearby: scope.texture(...few, 'rg32ui'),
    nearbyLevels: levels(scope, ...few, 'rg32ui', CANDIDATES),
    candidates: scope.texture(...all, 'rg32ui'),
    candidateLevels: levels(scope, ...all, 'rg32ui', CANDIDATES),
  };
}

export interface SearchOptions {
  readonly patch: number;
  readonly searchWindow: number;
  readonly near: boolean;
}

/**
 * Matches of the patch around the pixel that the 1x1 `center` names, as (distance, index): the nearest is among them.
 * `source` is the state's image before the first patch.
 */
export function search(
  scope: Scope,
  { nearby, nearbyLevels, candidates, candidateLevels }: SearchTextures,
  { source, image, center }: { source: Texture; image: Texture; center: Texture },
  { patch, searchWindow, near }: SearchOptions,
): Texture {
  const uniforms = { near: Number(near), window: searchWindow };
  scope.draw(nearbyPass(patch), { targets: [nearby], textures: { source, image, center }, uniforms });
  const bound = nearestFew(scope, nearby, nearbyLevels);
  scope.draw(distancePass(patch), { targets: [candidates], textures: { source, image, center, bound }, uniforms });
  return nearestFew(scope, candidates, candidateLevels);
}
