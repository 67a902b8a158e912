/** Canny's automatic thresholds on the GPU: counts of the magnitudes by their high digit, then by the low one. */
import fragment from '../../glsl/edges/canny-digits.frag';
import { histogramGpu } from '../image/histogram.gpu.ts';
import type { Texture } from '../runtime/gpu/gpu-side.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import { gradientPasses } from './canny.gpu.ts';

const digitsPass = (name: string, defines: Record<string, number>) =>
  definePass({
    name: `edges/${name}`,
    fragment,
    textures: ['gradient'],
    uniforms: { bucket: 'int' },
    outputs: ['digit'],
    defines,
  });

export const digitsPasses = {
  L1: digitsPass('canny-digits', {}),
  L2: digitsPass('canny-digits-squared', { SQUARED: 1 }),
} as const;

function* countDigits(
  scope: Scope,
  gradient: Texture<'rg16i'>,
  norm: 'L1' | 'L2',
  bucket: number,
): Plan<ArrayLike<number>> {
  const counts = scope.within((inner) => {
    const digits = inner.gpuPlane(gradient.width, gradient.height, 'u8');
    inner.draw(digitsPasses[norm], { targets: [digits], textures: { gradient }, uniforms: { bucket } });
    return histogramGpu(scope, digits);
  });
  return yield* scope.read(counts);
}

/** What automaticThresholds gives for the Sobel gradient of this image; 2 KB are read, in two waits. */
export function* automaticThresholdsGpu(
  scope: Scope,
  source: Plane,
  norm: 'L1' | 'L2',
): Plan<{ low: number; high: number }> {
  const { width, height } = source;
  const total = width * height;
  const gradient = scope.texture(width, height, 'rg16i');
  scope.draw(gradientPasses.sobel, { targets: [gradient], textures: { source }, uniforms: {} });
  const buckets = yield* countDigits(scope, gradient, norm, -1);
  let bucket = 0;
  let below = 0;
  while (10 * (below + buckets[bucket]!) < 8 * total) below += buckets[bucket++]!;
  const digits = yield* countDigits(scope, gradient, norm, bucket);
  let high = 8 * bucket;
  while (10 * below < 8 * total) below += digits[1 + (high++ & 7)]!;
  scope.free(gradient);
  return { low: 0.4 * high, high };
}
