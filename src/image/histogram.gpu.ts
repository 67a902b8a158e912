/** The GPU side of image/histogram: tiles of 8-bit counters, their sums by row of tiles, and the sum of those. */
import rowsFragment from '../../glsl/image/histogram-rows.frag';
import tilesFragment from '../../glsl/image/histogram-tiles.frag';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import { scanTotal } from './scan.gpu.ts';

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

/** 256x1 counts. */
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
