/**
 * The GPU backend of edges/canny: gradients, suppression to marks, marks packed into tiles of 8x8 pixels, then
 * hysteresis. Hysteresis either runs as passes over the tiles, with several passes between two checks for changes, or
 * passes the tiles to the flood of the WASM backend.
 */
import edgesFragment from '../../glsl/edges/canny-edges.frag';
import gradientFragment from '../../glsl/edges/canny-gradient.frag';
import packFragment from '../../glsl/edges/canny-pack.frag';
import suppressFragment from '../../glsl/edges/canny-suppress.frag';
import hysteresisFragment from '../../glsl/edges/canny-hysteresis.frag';
import type { Texture } from '../runtime/gpu/gpu-backend.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Scope } from '../runtime/scope.ts';
import type { CannyLevels, CannyValues } from './parameters.ts';
import fragment from '../../glsl/edges/canny-digits.frag';
import { histogramGpu } from '../image/histogram.gpu.ts';

const gradientPass = (name: string, defines: Record<string, number>) =>
  definePass({
    name: `edges/${name}`,
    fragment: gradientFragment,
    textures: ['source'],
    uniforms: {},
    outputs: ['gradient'],
    defines,
  });
const suppressPass = (name: string, defines: Record<string, number>) =>
  definePass({
    name: `edges/${name}`,
    fragment: suppressFragment,
    textures: ['gradient'],
    uniforms: { low: 'int', high: 'int', marks: 'uvec2' },
    outputs: ['mark'],
    defines,
  });

export const gradientPasses = {
  sobel: gradientPass('canny-sobel', {}),
  gaussian: gradientPass('canny-derivative', { DERIVATIVE: 1 }),
} as const;
export const suppressPasses = {
  L1: suppressPass('canny-suppress', {}),
  L2: suppressPass('canny-suppress-squared', { SQUARED: 1 }),
} as const;
export const packPass = definePass({
  name: 'edges/canny-pack',
  fragment: packFragment,
  textures: ['marks'],
  uniforms: {},
  outputs: ['tile'],
});
export const hysteresisPass = definePass({
  name: 'edges/hysteresis',
  fragment: hysteresisFragment,
  textures: ['tiles'],
  uniforms: {},
  outputs: ['tile', 'changed'],
});
export const edgesPass = definePass({
  name: 'edges/canny-edges',
  fragment: edgesFragment,
  textures: ['tiles'],
  uniforms: {},
  outputs: ['edge'],
});

type Tiles = Texture<'rgba32ui'>;

/**
 * Number of passes between two checks. An edge crosses one tile per pass, and most weak edges end within a few tiles.
 */
const STEPS = 6;

/**
 * Gradients and suppression. The marks equal those in the WASM backend's map, or are the edges themselves without
 * hysteresis.
 */
function drawMarks(
  scope: Scope,
  source: Plane,
  { low, high }: CannyLevels,
  { derivative, norm }: Pick<CannyValues, 'derivative' | 'norm'>,
  target: Plane | Texture<'u8'>,
  marks: readonly [number, number],
): void {
  scope.within((inner) => {
    const gradient = inner.texture(source.width, source.height, 'rg16i');
    inner.draw(gradientPasses[derivative], { targets: [gradient], textures: { source }, uniforms: {} });
    inner.draw(suppressPasses[norm], { targets: [target], textures: { gradient }, uniforms: { low, high, marks } });
  });
}

/** Edges without hysteresis: the pixels that suppression keeps and that are above `high`. */
export function strongEdges(scope: Scope, source: Plane, { high }: CannyLevels, params: CannyValues): Plane {
  const out = scope.gpuPlane(source.width, source.height, 'u8');
  drawMarks(scope, source, { low: high, high }, params, out, [0, 255]);
  return out;
}

/** Weak and strong marks as tiles. */
export function markTiles(scope: Scope, source: Plane, levels: CannyLevels, params: CannyValues): Tiles {
  const { width, height } = source;
  const tiles = scope.texture((width + 7) >> 3, (height + 7) >> 3, 'rgba32ui');
  scope.within((inner) => {
    const marks = inner.texture(width, height, 'u8');
    drawMarks(inner, source, levels, params, marks, [1, 128]);
    inner.draw(packPass, { targets: [tiles], textures: { marks }, uniforms: {} });
  });
  return tiles;
}

/** Hysteresis on the GPU until nothing changes. */
export function* hysteresisByPasses(scope: Scope, tiles: Tiles, width: number, height: number): Plan<Plane> {
  let from = tiles;
  let to = scope.texture(tiles.width, tiles.height, 'rgba32ui');
  const changed = scope.texture(tiles.width, tiles.height, 'u8');
  for (let busy = true; busy;) {
    for (let i = 0; i < STEPS; i++) {
      scope.draw(hysteresisPass, { targets: [to, changed], textures: { tiles: from }, uniforms: {} });
      [from, to] = [to, from];
    }
    busy = (yield* scope.wait(scope.gpu.read(changed))).some((flag) => flag !== 0);
  }
  const out = scope.gpuPlane(width, height, 'u8');
  scope.draw(edgesPass, { targets: [out], textures: { tiles: from }, uniforms: {} });
  return out;
}

// Canny's automatic thresholds on the GPU: counts of the magnitudes by their high digit, then by the low one.

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

/** Computes automaticThresholds for the Sobel gradient of this image. It reads back 2 KB, in two waits. */
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
