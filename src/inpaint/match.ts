/**
 * The best match of one patch: first pixel and SSD (x, y, SSD as a plane of 3x1), -1 where no patch of its size is free
 * of the mask. The patch lies around (x, y), clipped to the image.
 */
import { boolean, number } from '../runtime/parameters.ts';
import { defineOldStage } from '../runtime/old-stage.ts';
import { matchGpu } from './match.gpu.ts';
import { inpaintParameters } from './parameters.ts';
import { WasmBuffers } from './wasm-buffers.ts';
import { WasmSearch } from './wasm-search.ts';

const place = (effect: string) => number({ default: 0, min: 0, max: 66, integer: true, unit: 'px', effect });

export const match = defineOldStage({
  name: 'inpaint/match',
  params: {
    patch: inpaintParameters.patch,
    x: place('Centre of the patch; the last column where there are fewer.'),
    y: place('Centre of the patch; the last row where there are fewer.'),
    near: boolean({ default: false, effect: 'Adds a penalty for the distance in the picture to the SSD.' }),
  },
  inputs: ['rgba8', 'u8'],
  outputs: ['i32'],
  tolerance: 0,
  gpu: (side, [source, mask], { patch, x, y, near }) => [matchGpu(side, source!, mask!, { patch, x, y, near })],
  wasm(side, [source, mask], { patch, x, y, near }) {
    const { width, height, address } = source!;
    const buffers = new WasmBuffers(side, source!, mask!);
    try {
      for (const _ of buffers.prepare());
      const search = new WasmSearch(side, buffers, source!, patch, near);
      for (const _ of search.prepare());
      const target = search.setTarget(address, buffers.hole, Math.min(x, width - 1), Math.min(y, height - 1));
      const range = search.range(target, 0);
      const found = search.some(range, range.y0, range.y1 - range.y0);
      const out = side.plane(3, 1, 'i32');
      side.arena.i32.set(found ? [found.x, found.y, found.ssd] : [-1, -1, -1], out.address >> 2);
      return [out];
    } finally {
      buffers.free();
    }
  },
});
