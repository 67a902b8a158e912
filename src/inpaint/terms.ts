/**
 * The two terms of the priority (Criminisi et al., equations 1 and 2) for every pixel of the front, 0 elsewhere:
 * confidence in units of 2^-31, data in units of 1 / DATA_UNIT. Front and terms in one pass.
 */
import { gray } from '../image/gray.ts';
import { defineOldStage } from '../runtime/old-stage.ts';
import { inpaintParameters } from './parameters.ts';
import { termsGpu } from './terms.gpu.ts';
import { WasmBuffers } from './wasm-buffers.ts';

export const terms = defineOldStage({
  name: 'inpaint/terms',
  params: { patch: inpaintParameters.patch },
  inputs: ['rgba8', 'u8'],
  outputs: ['u32', 'u32'],
  tolerance: 0,
  gpu: (side, [source, mask], { patch }) => termsGpu(side, source!, mask!, patch),
  wasm(side, [source, mask], { patch }) {
    const { width, height } = source!;
    const [image] = side.now((scope) => gray.wasm(scope, [source!], {}));
    const buffers = new WasmBuffers(side, source!, mask!);
    try {
      for (const _ of buffers.prepare());
      const { hole, byteStride, stride, inverse } = buffers;
      const confidence = buffers.allocate(stride * height);
      side.bands('inpaintConfidence', height, [hole, byteStride, confidence, stride, width]);
      const out = [side.plane(width, height, 'u32'), side.plane(width, height, 'u32')];
      const planes = [image!.address, hole, byteStride, confidence, stride, width, height, patch >> 1, inverse];
      side.bands('inpaintTerms', height, [...planes, ...out.map(({ address }) => address)], { minimumBand: 4 });
      return out;
    } finally {
      buffers.free();
      image!.dispose();
    }
  },
});
