/**
 * Variance map (thesis, section 4.3.3): for every window of width x height pixels, one divided by area and standard
 * deviation of its inner rectangle. The cascade scales its features by it. It is 0 for flat windows (cascade-search.ts),
 * and where the window does not fit. Both backends round equally, because square root and quotient follow IEEE 754.
 */
import { integralGpu } from '../image/scan.gpu.ts';
import { runIntegral } from '../image/integral.ts';
import { number } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';
import { variancePass } from './cascade-passes.gpu.ts';
import { varianceHeader } from './cascade-table.ts';
import { varianceRule } from './cascade-texture.ts';
import { flatLimits, leastVariance } from './cascade-search.ts';

/** Larger windows exceed 32 bits and are not exact. Their sides are determined by the cascade. */
const side = (effect: string) => number({ default: 24, min: 4, max: 24, integer: true, unit: 'px', effect });

export const varianceMap = defineStage({
  name: 'faces/variance-map',
  params: { width: side('Width of the window.'), height: side('Height of the window.') },
  inputs: ['u8'],
  outputs: ['f32'],
  tolerance: 0,
  // Integral images are one pixel larger.
  fits: (gpu, [{ width, height }]) => gpu.capabilities.floatTargets && gpu.fits(width + 1, height + 1),
  *gpu(scope, [source], window) {
    const { width, height } = source;
    const factors = scope.gpuPlane(width, height, 'f32');
    const sums = integralGpu(scope, source, 'sample');
    const squares = integralGpu(scope, source, 'square');
    const scales = scope.texture(width, height, 'u8');
    const places = scope.texture(4, 1, 'rgba32i');
    const [columns, rows] = [Math.max(0, width - window.width + 1), Math.max(0, height - window.height + 1)];
    const table = Int32Array.of(0, 0, 0, 0, columns, rows, 1, 0, ...varianceRule(window, 1));
    scope.gpu.upload(places, new Uint8Array(table.buffer), 64);
    scope.gpu.clear([scales]);
    // Minimum and maximum are equal, independent of the contrast.
    const textures = { scales, places, sums, squares, contrast: sums };
    scope.draw(variancePass, { targets: [factors], textures, uniforms: { limits: flatLimits() } });
    return [factors];
  },
  *wasm(scope, [source], window) {
    const { width, height } = source;
    const out = scope.plane(width, height, 'f32');
    const sums = yield* runIntegral(scope, source, 'integral');
    const squares = yield* runIntegral(scope, source, 'integralSquares');
    const model = scope.table(varianceHeader(window, { stride: sums.stride, split: false, scale: 1 }));
    const columns = Math.max(0, width - window.width + 1);
    const rows = Math.max(0, height - window.height + 1);
    scope.arena.u8.fill(0, out.address + rows * out.stride, out.address + height * out.stride);
    const least = leastVariance(scope, source);
    const given = { sums, squares, stride: sums.stride, model, out, columns, width, least };
    if (rows) yield* scope.kernels.varianceMap(given, { rows });
    return [out];
  },
});
