/** The GPU side of image/histogram: tiles of 8-bit counters, their sums by row of tiles, and the sum of those. */
import rowsFragment from '../../glsl/image/histogram-rows.frag';
import tilesFragment from '../../glsl/image/histogram-tiles.frag';
import type { GpuSide } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
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
export function histogramGpu(side: GpuSide, source: Plane): Plane {
  const across = Math.ceil(source.width / 16);
  const down = Math.ceil(source.height / 15);
  return side.scope((lend, plane) => {
    const out = plane(256, 1, 'u32');
    const tiles = lend(16 * across, down, 'rgba32ui');
    side.draw(tilesPass, { targets: [tiles], textures: { source }, uniforms: {} });
    const rows = lend(256, down, 'u32');
    side.draw(rowsPass, { targets: [rows], textures: { tiles }, uniforms: {} });
    scanTotal(side, lend, rows, 'y', out);
    return out;
  });
}
