/** Canny's automatic thresholds on the GPU: counts of the magnitudes by their high digit, then by the low one. */
import fragment from '../../glsl/edges/canny-digits.frag';
import { histogramGpu } from '../image/histogram.gpu.ts';
import type { GpuSide, Texture } from '../runtime/gpu-side.ts';
import { definePass } from '../runtime/pass.ts';
import type { Plane } from '../runtime/plane.ts';
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

async function countDigits(
  side: GpuSide,
  gradient: Texture<'rg16i'>,
  norm: 'L1' | 'L2',
  bucket: number,
): Promise<Uint32Array> {
  const digits = side.plane(gradient.width, gradient.height, 'u8');
  let counts: Plane;
  try {
    side.draw(digitsPasses[norm], { targets: [digits], textures: { gradient }, uniforms: { bucket } });
    counts = histogramGpu(side.unscoped, digits);
  } finally {
    digits.dispose();
  }
  try {
    const bytes = await side.download(counts.texture());
    return new Uint32Array(bytes.buffer, bytes.byteOffset, 256);
  } finally {
    counts.dispose();
  }
}

/** What automaticThresholds gives for the Sobel gradient of this image; 2 KB are read, in two waits. */
export async function automaticThresholdsGpu(
  side: GpuSide,
  source: Plane,
  norm: 'L1' | 'L2',
): Promise<{ low: number; high: number }> {
  const { width, height } = source;
  const total = width * height;
  const gradient = side.allocate(width, height, 'rg16i');
  try {
    side.draw(gradientPasses.sobel, { targets: [gradient], textures: { source }, uniforms: {} });
    const buckets = await countDigits(side, gradient, norm, -1);
    let bucket = 0;
    let below = 0;
    while (10 * (below + buckets[bucket]!) < 8 * total) below += buckets[bucket++]!;
    const digits = await countDigits(side, gradient, norm, bucket);
    let high = 8 * bucket;
    while (10 * below < 8 * total) below += digits[1 + (high++ & 7)]!;
    return { low: 0.4 * high, high };
  } finally {
    side.release(gradient);
  }
}
