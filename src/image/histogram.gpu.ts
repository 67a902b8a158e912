/**
 * The GPU backend of image/histogram: tiles of 8-bit counters, their sums by row of tiles, and the sum of those sums.
 */
import lumaFragment from '../../glsl/image/luma-range.frag';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import contrastFragment from '../../glsl/image/contrast.frag';
import type { Surface, Texture } from '../runtime/gpu/gpu-backend.ts';
import rowsFragment from '../../glsl/image/histogram-rows.frag';
import tilesFragment from '../../glsl/image/histogram-tiles.frag';
import { scanTotal } from './scan.gpu.ts';

// The GPU backend of image/luma-range.

const lumaRangePass = definePass({
  name: 'image/luma-range',
  fragment: lumaFragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['luma'],
});

export function lumaRangeGpu(scope: Scope, source: Plane): Plane {
  const out = scope.gpuPlane(source.width, source.height, 'u8');
  scope.draw(lumaRangePass, { targets: [out], textures: { source }, uniforms: {} });
  return out;
}

// Contrast of an image on the GPU, the same integer as on the CPU, in a texture of one texel that needs no readback.

export const contrastPass = definePass({
  name: 'image/contrast',
  fragment: contrastFragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['contrast'],
});

export function contrastGpu(scope: Scope, source: Surface): Texture<'u32'> {
  const contrast = scope.texture(1, 1, 'u32');
  scope.draw(contrastPass, { targets: [contrast], textures: { source }, uniforms: {} });
  return contrast;
}

const tilesPass = definePass({
  name: 'image/histogram-tiles',
  fragment: tilesFragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['counters'],
});
const rowsPass = definePass({
  name: 'image/histogram-rows',
  fragment: rowsFragment,
  textures: ['tiles'],
  uniforms: {},
  outputs: ['count'],
});

/** Returns 256x1 counts. */
export function histogramGpu(scope: Scope, source: Plane): Plane {
  const across = Math.ceil(source.width / 16);
  const down = Math.ceil(source.height / 15);
  return scope.within((inner) => {
    const out = scope.gpuPlane(256, 1, 'u32');
    const tiles = inner.texture(16 * across, down, 'rgba32ui');
    scope.draw(tilesPass, { targets: [tiles], textures: { source }, uniforms: {} });
    const rows = inner.texture(256, down, 'u32');
    scope.draw(rowsPass, { targets: [rows], textures: { tiles }, uniforms: {} });
    scanTotal(inner, rows, 'y', out);
    return out;
  });
}
