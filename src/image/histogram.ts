/** Histogram of the 256 gray values, as a plane of 256x1 counts. */
import { defineStage } from '../runtime/stage.ts';
import { lumaRangeGpu, histogramGpu } from './histogram.gpu.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';

/**
 * Converts luma from video range (16 to 235) to 0..255: (Y - 16) * 255 / 219, rounded and clamped. The luma plane of a
 * video frame then equals the gray image of a gray recording (design: "What is known and was measured").
 */
export const lumaRange = defineStage({
  name: 'image/luma-range',
  params: {},
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source]) {
    return [lumaRangeGpu(scope, source)];
  },
  *wasm(scope, [source]) {
    const { width, height } = source;
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.lumaRange({ source, target, width }, { rows: height, minimumBand: 64 });
    return [target];
  },
});

// Contrast of a whole image: the variance of its values at 32 x 16 places, times the square of the number of places.
// The places are the centers of equal parts of the image. The contrast is an integer below 2^32, so both backends have
// the same value. More places would not fit.

const [ACROSS, DOWN] = [32, 16] as const;
export const PLACES = ACROSS * DOWN;

/** Contrast of a plane in the arena. */
export function contrastOf({ arena: { u8 } }: Scope, { address, stride, width, height }: Plane): number {
  let [sum, squares] = [0, 0];
  for (let k = 0; k < PLACES; k++) {
    const x = (((k % ACROSS) + 0.5) * width) / ACROSS;
    const y = ((Math.floor(k / ACROSS) + 0.5) * height) / DOWN;
    const v = u8[address + stride * Math.floor(y) + Math.floor(x)]!;
    sum += v;
    squares += v * v;
  }
  return PLACES * squares - sum * sum;
}

/** Returns the counts as an array, for code that continues in JavaScript. */
export function* histogramOf(scope: Scope, source: Plane): Plan<Uint32Array> {
  const { width, height } = source;
  const blocks = Math.min(scope.threads, height);
  const blockRows = Math.ceil(height / blocks);
  const out = scope.block(1024 * blocks);
  yield* scope.kernels.histogramBlocks(
    { source, out, width, height, blockRows },
    { rows: blocks, minimumBand: 1, cost: width * blockRows },
  );
  yield* scope.kernels.histogramTotal({ out, blocks });
  return scope.u32(out, 256).slice();
}

export const histogram = defineStage({
  name: 'image/histogram',
  params: {},
  inputs: ['u8'],
  outputs: ['u32'],
  tolerance: 0,
  *gpu(scope, [source]) {
    return [histogramGpu(scope, source)];
  },
  *wasm(scope, [source]) {
    const target = scope.plane(256, 1, 'u32');
    const counts = yield* histogramOf(scope, source);
    scope.u32(target, 256).set(counts);
    return [target];
  },
});

/**
 * Otsu's threshold: the level that maximizes the variance between two classes, the samples up to it and the samples
 * above. The lowest of equal levels wins. Source: Otsu, IEEE Trans. SMC 9(1), 1979.
 */
export function otsu(counts: ArrayLike<number>): number {
  let total = 0;
  let moment = 0;
  for (let v = 0; v < counts.length; v++) {
    total += counts[v]!;
    moment += v * counts[v]!;
  }
  let below = 0;
  let belowMoment = 0;
  let best = 0;
  let level = 0;
  for (let v = 0; v < counts.length; v++) {
    below += counts[v]!;
    belowMoment += v * counts[v]!;
    const above = total - below;
    if (below === 0 || above === 0) continue;
    const difference = belowMoment / below - (moment - belowMoment) / above;
    const between = below * above * difference * difference;
    if (between > best) {
      best = between;
      level = v;
    }
  }
  return level;
}
