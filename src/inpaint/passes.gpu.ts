/**
 * The passes of the GPU backend. One patch needs eleven to thirteen draws. The CPU receives one texel of a log for each
 * patch.
 */
import beginFragment from '../../glsl/inpaint/state-begin.frag';
import bestFragment from '../../glsl/inpaint/reduce-best.frag';
import distanceFragment from '../../glsl/inpaint/match-distance.frag';
import keyFragment from '../../glsl/inpaint/terms-key.frag';
import logFragment from '../../glsl/inpaint/fill-log.frag';
import matchFragment from '../../glsl/inpaint/match.frag';
import nearestFragment from '../../glsl/inpaint/reduce-nearest.frag';
import patchFragment from '../../glsl/inpaint/fill-patch.frag';
import scatterFragment from '../../glsl/inpaint/fill-scatter.frag';
import scatterVertex from '../../glsl/inpaint/fill-scatter.vert';
import rowsFragment from '../../glsl/inpaint/terms-rows.frag';
import termsFragment from '../../glsl/inpaint/terms.frag';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Texture, Surface, Region } from '../runtime/gpu/gpu-backend.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plane } from '../runtime/plane.ts';
import { inverseLengths } from './picture.ts';

/**
 * Makes one program per patch size, so that the loops over a row unroll and their fetches do not wait for each other.
 */
function bySide<P>(make: (side: number) => P): (side: number) => P {
  const made = new Map<number, P>();
  return (side) => {
    const pass = made.get(side) ?? make(side);
    made.set(side, pass);
    return pass;
  };
}

const beginPass = definePass({
  name: 'inpaint/begin',
  fragment: beginFragment,
  textures: ['source', 'mask'],
  uniforms: {},
  outputs: ['pixel', 'confidence', 'origin'],
});

const rowsPass = bySide((SIDE) =>
  definePass({
    name: `inpaint/rows ${SIDE}`,
    fragment: rowsFragment,
    textures: ['image', 'confidences'],
    uniforms: { corner: 'ivec2' },
    outputs: ['row'],
    defines: { SIDE },
  }),
);

const termUniforms = { reach: 'int', corner: 'ivec2', inverse: 'uint[33]' } as const;

const termsPass = definePass({
  name: 'inpaint/terms',
  fragment: termsFragment,
  textures: ['image', 'rows'],
  uniforms: termUniforms,
  outputs: ['confidenceTerm', 'dataTerm'],
});

export const keyPass = definePass({
  name: 'inpaint/key',
  fragment: keyFragment,
  textures: ['image', 'rows'],
  uniforms: termUniforms,
  outputs: ['key'],
});

/** Sizes of the blocks of keys, and of candidates, that one fragment searches. */
export const KEYS = 12;
const CANDIDATES = 8;

const bestPass = definePass({
  name: 'inpaint/best',
  fragment: bestFragment,
  textures: ['keys'],
  uniforms: {},
  outputs: ['best'],
  defines: { KEYS },
});

/** Number of neighboring candidates that one fragment compares. */
const ABREAST = 4;
/** Search distance around a patch of the candidates for the first bound: all columns, every second row. */
const NEARBY = 32;

const distanceUniforms = { near: 'int', window: 'int' } as const;

const nearbyPass = bySide((SIDE) =>
  definePass({
    name: `inpaint/nearby ${SIDE}`,
    fragment: distanceFragment,
    textures: ['source', 'image', 'center'],
    uniforms: distanceUniforms,
    outputs: ['candidate'],
    defines: { NEARBY, SIDE },
  }),
);

const distancePass = bySide((SIDE) =>
  definePass({
    name: `inpaint/distance ${SIDE}`,
    fragment: distanceFragment,
    textures: ['source', 'image', 'center', 'bound'],
    uniforms: distanceUniforms,
    outputs: ['candidate'],
    defines: { SIDE },
  }),
);

const nearestPass = definePass({
  name: 'inpaint/nearest',
  fragment: nearestFragment,
  textures: ['candidates'],
  uniforms: {},
  outputs: ['nearest'],
  defines: { CANDIDATES },
});

const matchPass = definePass({
  name: 'inpaint/match',
  fragment: matchFragment,
  textures: ['candidates'],
  uniforms: { width: 'int' },
  outputs: ['value'],
  defines: { CANDIDATES },
});

export const patchPass = definePass({
  name: 'inpaint/patch',
  fragment: patchFragment,
  textures: ['image', 'rows', 'source', 'entries'],
  uniforms: { reach: 'int', corner: 'ivec2', n: 'int' },
  outputs: ['color', 'fact'],
});

export const scatterPass = definePass({
  name: 'inpaint/scatter',
  vertex: scatterVertex,
  fragment: scatterFragment,
  textures: ['colors', 'facts', 'center'],
  uniforms: { reach: 'int', size: 'ivec2' },
  outputs: ['pixel', 'confidence', 'origin'],
});

export const logPass = definePass({
  name: 'inpaint/log',
  fragment: logFragment,
  textures: ['candidates', 'image', 'rows', 'center'],
  uniforms: { reach: 'int', corner: 'ivec2' },
  outputs: ['entry'],
  defines: { CANDIDATES },
});

// These passes reduce blocks until one texel is left: the largest key, or the nearest candidate.

/** Makes textures for the levels below this size. The last one is 1x1. */
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

/** Returns the 1x1 texture with the largest key. */
export function best(scope: Scope, keys: Texture, to: readonly Texture[]): Texture {
  for (const target of to) {
    scope.draw(bestPass, { targets: [target], textures: { keys }, uniforms: {} });
    keys = target;
  }
  return keys;
}

/**
 * Reduces candidates to the nearest ones, in a texture of one block. The passes that need the nearest one search this
 * block.
 */
function nearestFew(scope: Scope, candidates: Texture, to: readonly Texture[]): Texture {
  for (const target of to.slice(0, -1)) {
    scope.draw(nearestPass, { targets: [target], textures: { candidates }, uniforms: {} });
    candidates = target;
  }
  return candidates;
}

// Textures of an image that is being filled, and of the search for one patch in it.

export interface GpuState {
  /** Color, and 1 where known. */
  readonly image: Texture<'rgba8ui'>;
  /** In units of 2^-31. */
  readonly confidence: Texture<'u32'>;
  /** The format is documented in assembly/inpaint/fill.ts. */
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

interface SearchOptions {
  readonly patch: number;
  readonly searchWindow: number;
  readonly near: boolean;
}

/**
 * Finds matches of the patch around the pixel in the 1x1 texture `center`, as (distance, index). The nearest match is
 * among them. `source` is the state's image before the first patch.
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

// The GPU backend of inpaint/terms: along the rows of the windows, then front and priority.

/** Makes the texture for the rows of the windows of a box, including the rows above and below it. */
export const rowsTexture = (scope: Scope, { width, height }: Region, patch: number): Texture<'rgba32ui'> =>
  scope.texture(width, height + patch - 1, 'rgba32ui');

/** Draws the rows of the windows of a box. */
export function drawRows(
  scope: Scope,
  { image, confidence, rows }: Pick<GpuState, 'image' | 'confidence'> & { readonly rows: Texture },
  { x, y }: Region,
  patch: number,
): void {
  scope.draw(rowsPass(patch), {
    targets: [rows],
    textures: { image, confidences: confidence },
    uniforms: { corner: [x, y] },
  });
}

export function termsGpu(scope: Scope, source: Plane, mask: Plane, patch: number): [Plane, Plane] {
  const { width, height } = source;
  return scope.within((inner) => {
    const targets: [Plane, Plane] = [scope.gpuPlane(width, height, 'u32'), scope.gpuPlane(width, height, 'u32')];
    const state = begin(inner, source, mask);
    const box = { x: 0, y: 0, width, height };
    const rows = rowsTexture(inner, box, patch);
    drawRows(inner, { ...state, rows }, box, patch);
    inner.draw(termsPass, {
      targets,
      textures: { image: state.image, rows },
      uniforms: { reach: patch >> 1, inverse: inverseLengths, corner: [0, 0] },
    });
    return targets;
  });
}

/** The GPU backend of inpaint/match: the distances of all candidates in one pass, and a reduction to the minimum. */
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
