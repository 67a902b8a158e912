/**
 * Bilateral filter: smooths noise and keeps edges. It computes a weighted mean over a square. A sample weighs less the
 * farther it is from the middle and the more its gray value differs from the middle sample. Weights are bytes and sums
 * are integers, so both backends agree to the byte. It needs size * size steps per pixel. Source: Tomasi and Manduchi,
 * Bilateral filtering for gray and color images, ICCV 1998.
 */
import fragment from '../../glsl/image/bilateral.frag';
import { defineOperations, operation } from '../runtime/capability.ts';
import { number, odd } from '../runtime/parameters.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import { defineStage } from '../runtime/stage.ts';
import { imageOf } from './image-of.ts';

const bilateralPass = definePass({
  name: 'image/bilateral',
  fragment,
  textures: ['source'],
  uniforms: { radius: 'int', range: 'uint[64]', space: 'uint[16]' },
  outputs: ['smoothed'],
});

/** Weight at a squared distance from the middle of the bell, where it is 255. */
const weight = (squared: number, sigma: number) => Math.round(255 * Math.exp(-squared / (2 * sigma * sigma)));

/** Weights by the difference between two gray values. */
const rangeWeights = (sigma: number) => Uint8Array.from({ length: 256 }, (_, level) => weight(level * level, sigma));

export const bilateral = defineStage({
  name: 'image/bilateral',
  params: {
    size: number({
      default: 9,
      min: 3,
      max: 15, // 17 * 17 weights of 16 bits times a sample would not fit in 32 bits
      values: odd(3, 15),
      unit: 'px',
      effect: 'Size of the kernel. Larger smooths over a larger neighborhood and is slower.',
    }),
    sigmaColor: number({
      default: 25,
      min: 1,
      max: 200,
      unit: 'gray levels',
      effect: 'Standard deviation of the mixed gray levels. Larger smooths across stronger edges.',
    }),
    sigmaSpace: number({
      default: 3,
      min: 0.5,
      max: 20,
      unit: 'px',
      effect: 'Standard deviation of the distance. Larger smooths more, within the kernel.',
    }),
  },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  *gpu(scope, [source], { size, sigmaColor, sigmaSpace }) {
    const target = scope.gpuPlane(source.width, source.height, 'u8');
    const space = Uint8Array.from({ length: 64 }, (_, i) => weight((i >> 3) ** 2 + (i & 7) ** 2, sigmaSpace));
    scope.draw(bilateralPass, {
      targets: [target],
      textures: { source },
      uniforms: {
        radius: size >> 1,
        range: new Uint32Array(rangeWeights(sigmaColor).buffer),
        space: new Uint32Array(space.buffer),
      },
    });
    return [target];
  },
  *wasm(scope, [source], { size, sigmaColor, sigmaSpace }) {
    const { width, height } = source;
    const radius = size >> 1;
    const range = rangeWeights(sigmaColor);
    const space = Uint8Array.from({ length: size * size }, (_, i) =>
      weight((Math.floor(i / size) - radius) ** 2 + ((i % size) - radius) ** 2, sigmaSpace),
    );
    const groups = Math.ceil(range.filter((w) => w > 0).length / 16); // The weights only decrease.
    const target = scope.plane(width, height, 'u8');
    yield* scope.kernels.bilateral(
      { source, target, width, height, size, range: scope.table(range), groups, space: scope.table(space) },
      { rows: height, minimumBand: 2 * size, cost: width * size * size },
    );
    return [target];
  },
});

export const bilateralOperations = defineOperations({
  /**
   * Smooths and keeps edges. Returns a gray image of the source's size. The border is replicated. Each sample becomes
   * the mean of a square of `size` pixels, weighted by distance (`sigmaSpace`, in pixels) and by difference
   * (`sigmaColor`, in gray values). Weights are rounded to 1/255. Source: Tomasi and Manduchi, ICCV 1998.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  bilateral: operation({
    params: bilateral.params,
    sources: ['gray'],
    gives: 'image',
    plan: (scope, [source], params) => imageOf(scope, bilateral, [source], params),
  }),
});
