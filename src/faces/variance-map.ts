/**
 * Variance map (thesis, section 4.3.3): of every window of width x height pixels one over area and standard deviation of
 * its inner rectangle, by which the cascade scales its features; 0 for windows with a deviation of 10 gray levels or less,
 * and where the window does not fit. Both sides round alike: square root and quotient are those of IEEE 754.
 */
import { integralGpu } from '../image/integral.gpu.ts';
import { runIntegral } from '../image/integral.ts';
import { number } from '../runtime/parameters.ts';
import { defineOldStage } from '../runtime/old-stage.ts';
import { variancePass } from './cascade-passes.ts';
import { varianceHeader } from './cascade-table.ts';
import { varianceRule } from './cascade-texture.ts';

/** Larger windows leave 32 bits and with them exactness: their sides are the cascade's own. */
const side = (effect: string) => number({ default: 24, min: 4, max: 24, integer: true, unit: 'px', effect });

export const varianceMap = defineOldStage({
  name: 'faces/variance-map',
  params: { width: side('Width of the window.'), height: side('Height of the window.') },
  inputs: ['u8'],
  outputs: ['f32'],
  tolerance: 0,
  gpu(side, [source], window) {
    const { width, height } = source!;
    return side.scope((lend, plane) => {
      const factors = plane(width, height, 'f32');
      const sums = integralGpu(side.unscoped, source!, 'sample');
      const squares = integralGpu(side.unscoped, source!, 'square');
      const scales = lend(width, height, 'u8');
      const places = lend(4, 1, 'rgba32i');
      const [columns, rows] = [Math.max(0, width - window.width + 1), Math.max(0, height - window.height + 1)];
      const table = Int32Array.of(0, 0, 0, 0, columns, rows, 1, 0, ...varianceRule(window, 1));
      side.upload(places, new Uint8Array(table.buffer), 64);
      side.clear([scales]);
      side.draw(variancePass, { targets: [factors], textures: { scales, places, sums, squares }, uniforms: {} });
      sums.dispose();
      squares.dispose();
      return [factors];
    });
  },
  wasm(side, [source], window) {
    const { width, height } = source!;
    const out = side.plane(width, height, 'f32');
    const sums = side.now((scope) => runIntegral(scope, source!, 'integral'));
    const squares = side.now((scope) => runIntegral(scope, source!, 'integralSquares'));
    const header = varianceHeader(window, { stride: sums.stride, split: false, scale: 1 });
    const columns = Math.max(0, width - window.width + 1);
    const rows = Math.max(0, height - window.height + 1);
    side.temporary(header.byteLength, (model) => {
      side.arena.i32.set(header, model >> 2);
      side.arena.u8.fill(0, out.address + rows * out.stride, out.address + height * out.stride);
      const args = [sums.address, squares.address, sums.stride, model, out.address, out.stride, columns, width];
      if (rows) side.bands('varianceMap', rows, args);
    });
    sums.dispose();
    squares.dispose();
    return [out];
  },
});
