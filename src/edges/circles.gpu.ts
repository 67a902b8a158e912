/**
 * The best circle on the GPU: the edge image as bits, then votes for every center and radius like in the WASM backend,
 * then a reduction. Only the winner is read back. No blending is used, so no float targets are needed.
 */
import fragment from '../../glsl/edges/octants.frag';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import bestFragment from '../../glsl/edges/circles-best.frag';
import votesFragment from '../../glsl/edges/circles-votes.frag';
import bitsFragment from '../../glsl/edges/circles-bits.frag';
import type { GpuBackend, Texture } from '../runtime/gpu/gpu-backend.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { circleOffsets, directionsOf, octantOf, OCTANTS } from './parameters.ts';
import { clippedRegion, type CircleSearch, type VotedCircle } from './circles.ts';

// The GPU backend of edges/octants: one fetch, and nine more at an edge.

export const octantsPass = definePass({
  name: 'edges/octants',
  fragment,
  textures: ['source', 'edges'],
  uniforms: {},
  outputs: ['directions'],
});

export function octantsGpu(scope: Scope, source: Plane, edges: Plane): Plane {
  const out = scope.gpuPlane(edges.width, edges.height, 'u8');
  scope.draw(octantsPass, { targets: [out], textures: { source, edges }, uniforms: {} });
  return out;
}

export const edgeBitsPass = definePass({
  name: 'edges/edge-bits',
  fragment: bitsFragment,
  textures: ['edges'],
  uniforms: { pad: 'int', rows: 'int', oriented: 'int' },
  outputs: ['bits'],
});
export const circleVotesPass = definePass({
  name: 'edges/circle-votes',
  fragment: votesFragment,
  textures: ['bits', 'offsets'],
  uniforms: { pad: 'int', chunks: 'int', directions: 'int', region: 'ivec4', firstRadius: 'int' },
  outputs: ['best'],
});
export const circleBestPass = definePass({
  name: 'edges/circle-best',
  fragment: bestFragment,
  textures: ['entries'],
  uniforms: {},
  outputs: ['best'],
});

/** Number of entries that one reduction reads. */
const BLOCK = 16;

interface Shape {
  readonly pad: number;
  readonly words: number;
  /** Rows of one image of bits. */
  readonly rows: number;
  /** One, or one for each eighth of a turn. */
  readonly images: number;
  readonly chunks: number;
  readonly radii: number;
  readonly directions: number;
  readonly region: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

function shapeOf({ width, height }: Plane, search: CircleSearch): Shape {
  const { minRadius, maxRadius, angleStep } = search;
  const pad = (maxRadius + 31) & ~31;
  const region = clippedRegion(width, height, search);
  return {
    pad,
    // Padding on the right: a vector of 128 centers, moved by a radius, and the word that a shift reads.
    words: ((width + 31) >> 5) + 2 * (pad >> 5) + 5,
    rows: height + 2 * pad,
    images: search.oriented ? OCTANTS : 1,
    chunks: (region.width + 127) >> 7,
    radii: maxRadius - minRadius + 1,
    directions: directionsOf(angleStep).count,
    region,
  };
}

/** Whether textures can hold this search. */
export function circlesFit(backend: GpuBackend, edges: Plane, search: CircleSearch): boolean {
  const { words, rows, images, chunks, radii, directions, region } = shapeOf(edges, search);
  return (
    backend.fits(edges.width, edges.height) &&
    backend.fits(Math.max(words, chunks, directions), Math.max(rows * images, radii)) &&
    region.width * region.height * radii < 2 ** 31
  );
}

/** Offsets from a center to the bits of each direction's edges: dx and dy of every direction of every radius. */
function offsetTable({ minRadius, angleStep }: CircleSearch, { radii, directions, images, rows }: Shape): Int16Array {
  const table = new Int16Array(2 * directions * radii);
  for (let i = 0, k = 0; i < radii; i++)
    for (const { dx, dy } of circleOffsets(minRadius + i, angleStep)) {
      table[k++] = dx;
      table[k++] = images > 1 ? dy - octantOf(-dx, -dy) * rows : dy;
    }
  return table;
}

/** Draws the best entries, one texture for each group of radii that fits into a texture. */
function drawVotes(scope: Scope, edges: Plane, search: CircleSearch, shape: Shape): Texture<'rg32ui'>[] {
  const { pad, words, rows, images, chunks, radii, directions, region } = shape;
  const bits = scope.texture(words, rows * images, 'u32');
  const offsets = scope.texture(directions, radii, 'rg16i');
  scope.gpu.upload(offsets, new Uint8Array(offsetTable(search, shape).buffer), 4 * directions);
  const oriented = images > 1 ? 1 : 0;
  scope.draw(edgeBitsPass, { targets: [bits], textures: { edges }, uniforms: { pad, rows, oriented } });
  const most = Math.max(1, Math.floor(scope.gpu.capabilities.maxTextureSize / chunks));
  const winners: Texture<'rg32ui'>[] = [];
  const { x, y, width, height } = region;
  for (let firstRadius = 0; firstRadius < radii; firstRadius += most) {
    const count = Math.min(most, radii - firstRadius);
    let entries = scope.texture(chunks * count, height, 'rg32ui');
    scope.draw(circleVotesPass, {
      targets: [entries],
      textures: { bits, offsets },
      uniforms: { pad, chunks, directions, region: [x, y, width, height], firstRadius },
    });
    while (entries.width > 1 || entries.height > 1) {
      const smaller = scope.texture(Math.ceil(entries.width / BLOCK), Math.ceil(entries.height / BLOCK), 'rg32ui');
      scope.draw(circleBestPass, { targets: [smaller], textures: { entries }, uniforms: {} });
      entries = smaller;
    }
    winners.push(entries);
  }
  return winners;
}

/**
 * Like bestCircle, for edges on either backend. Each call uploads the offsets: a few hundred kilobytes at most,
 * compared with the megabytes of a frame.
 */
export function* bestCircleGpu(scope: Scope, edges: Plane, search: CircleSearch, least = 1): Plan<VotedCircle | null> {
  const shape = shapeOf(edges, search);
  const { region } = shape;
  if (region.width <= 0 || region.height <= 0) return null;
  const reads = scope.within((inner) =>
    drawVotes(inner, edges, search, shape).map((texture) => scope.gpu.read(texture)),
  );
  let best: VotedCircle | null = null;
  for (const bytes of yield* scope.wait(Promise.all(reads))) {
    const [votes = 0, order = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
    if (votes < least || (best && votes <= best.votes)) continue;
    const inRadius = order % (region.width * region.height);
    best = {
      x: region.x + (inRadius % region.width),
      y: region.y + Math.floor(inRadius / region.width),
      r: search.minRadius + Math.floor(order / (region.width * region.height)),
      votes,
    };
  }
  return best;
}
