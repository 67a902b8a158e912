/**
 * GPU backend of vessels/hessian in three passes: down the packed columns, across, then derivatives and both
 * eigenvalues into two targets, 9 texels for four pixels. The Sobel channel needs one pass. The gradient channel has
 * separate passes.
 */
import gradientEigenFragment from '../../../glsl/vessels/hessian/gradient-eigenvalues.frag';
import smoothFragment from '../../../glsl/vessels/hessian/smooth-line.frag';
import { definePass } from '../../runtime/gpu/pass.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import {
  floatTaps,
  gradientRadius,
  maximumSigma,
  sobelUnit,
  type EigenvalueOrder,
  type EigenvalueValues,
  factorOf,
  type LineOrBlobValues,
  type Measure,
  terms,
} from './parameters.ts';
import eigenFragment from '../../../glsl/vessels/hessian/eigenvalues.frag';
import sobelFragment from '../../../glsl/vessels/hessian/sobel-eigenvalues.frag';
import unpackFragment from '../../../glsl/vessels/hessian/unpack.frag';
import type { Texture } from '../../runtime/gpu/gpu-backend.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { bandsOf } from '../row-bands.ts';
import { smoothStrips } from './smooth.gpu.ts';
import lineOrBlobFragment from '../../../glsl/vessels/hessian/line-or-blob.frag';
import vesselnessFragment from '../../../glsl/vessels/hessian/vesselness.frag';

// GPU backend of the channel 'gradients' in three passes, one pixel per texel: down, across, eigenvalues. It is not
// packed, because its Gaussian is wider than the uniforms of the packed passes allow. Its purpose is agreement, not
// speed.

const TAPS = gradientRadius(maximumSigma) + 1;

const smoothPass = (kind: string, sampler: string) =>
  definePass({
    name: `vessels/smooth-line ${kind}`,
    fragment: smoothFragment,
    textures: ['source'],
    uniforms: { vertical: 'int', radius: 'int', taps: `float[${TAPS}]` },
    outputs: ['sum'],
    defines: { SAMPLER: sampler },
  });

const smoothLinePasses = { uint: smoothPass('u8', 'usampler2D'), float: smoothPass('f32', 'sampler2D') };

const gradientEigenvaluesPass = definePass({
  name: 'vessels/gradient-eigenvalues',
  fragment: gradientEigenFragment,
  textures: ['source'],
  uniforms: { ordered: 'int' },
  outputs: ['lambda1', 'lambda2'],
  defines: { VALUES: 'float' },
});

/** Draws both eigenvalues into two targets. `ordered` 1: by magnitude, 0: ascending. */
function drawGradientEigenvalues(
  scope: Scope,
  source: Plane,
  sigma: number,
  ordered: number,
  targets: readonly Plane[],
): void {
  const { width, height } = source;
  const radius = gradientRadius(sigma);
  const taps = (unit: number) => {
    const out = new Float32Array(TAPS);
    out.set(floatTaps(sigma, unit, radius));
    return out;
  };
  scope.within((inner) => {
    const sums = inner.texture(width, height, 'f32');
    const smoothed = inner.texture(width, height, 'f32');
    const down = { vertical: 1, radius, taps: taps(1 / 255) };
    inner.draw(smoothLinePasses.uint, { targets: [sums], textures: { source }, uniforms: down });
    const across = { vertical: 0, radius, taps: taps(1) };
    inner.draw(smoothLinePasses.float, { targets: [smoothed], textures: { source: sums }, uniforms: across });
    inner.draw(gradientEigenvaluesPass, { targets, textures: { source: smoothed }, uniforms: { ordered } });
  });
}

const eigenvaluesPass = definePass({
  name: 'vessels/eigenvalues',
  fragment: eigenFragment,
  textures: ['source'],
  uniforms: { first: 'int', width: 'int', ordered: 'int' },
  outputs: ['lambda1', 'lambda2'],
  defines: { VALUES: 'vec4' },
});

const unpackPass = definePass({
  name: 'vessels/unpack',
  fragment: unpackFragment,
  textures: ['first', 'second'],
  uniforms: {},
  outputs: ['a', 'b'],
});

const sobelEigenvaluesPass = definePass({
  name: 'vessels/sobel-eigenvalues',
  fragment: sobelFragment,
  textures: ['source'],
  uniforms: { unit: 'float', ordered: 'int' },
  outputs: ['lambda1', 'lambda2'],
  defines: { VALUES: 'float' },
});

type Pair = [Texture<'rgba32f'>, Texture<'rgba32f'>];

/** Both eigenvalues of the Gaussian's second differences, four pixels per texel. */
export const packedEigenvalues = (scope: Scope, source: Plane, sigma: number, order: EigenvalueOrder): Pair =>
  scope.within((inner) => {
    const packed = inner.packed(source, 4) as Texture<'rgba8ui'>;
    return packedEigenvaluesOf(scope, packed, source.width, sigma, order);
  });

/** Both eigenvalues of an image that is already packed, with `width` samples per row. */
export function packedEigenvaluesOf(
  scope: Scope,
  packed: Texture<'rgba8ui'>,
  width: number,
  sigma: number,
  order: EigenvalueOrder,
): Pair {
  const ordered = order === 'magnitude' ? 1 : 0;
  const target = () => scope.texture(packed.width, packed.height, 'rgba32f');
  const targets: Pair = [target(), target()];
  smoothStrips(scope, packed, { width, sigma, unit: 1 / 255 }, ({ texture, first, rows }) =>
    scope.draw(eigenvaluesPass, {
      targets,
      textures: { source: texture },
      uniforms: { first, width, ordered },
      region: { x: 0, y: first, width: packed.width, height: rows },
    }),
  );
  return targets;
}

/** Both eigenvalues as planes. */
export function eigenvaluesGpu(
  scope: Scope,
  source: Plane,
  { sigma, derivative }: EigenvalueValues,
  order: EigenvalueOrder,
): [Plane, Plane] {
  const { width, height } = source;
  const targets: [Plane, Plane] = [scope.gpuPlane(width, height, 'f32'), scope.gpuPlane(width, height, 'f32')];
  const ordered = order === 'magnitude' ? 1 : 0;
  scope.within((inner) => {
    if (derivative === 'gradients') drawGradientEigenvalues(inner, source, sigma, ordered, targets);
    else if (derivative === 'sobel')
      inner.draw(sobelEigenvaluesPass, { targets, textures: { source }, uniforms: { unit: sobelUnit, ordered } });
    else {
      const [first, second] = packedEigenvalues(inner, source, sigma, order);
      inner.draw(unpackPass, { targets, textures: { first, second }, uniforms: {} });
    }
  });
  return targets;
}

/** Number of pixels per read. A read blocks the thread while it copies. */
const READ_PIXELS = 1 << 20;

/** Copies rows of samples, four per texel, without the padding after the width. */
function copyTexels(bytes: Uint8Array, out: Float32Array, from: number, rows: number, width: number): void {
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const stride = samples.length / rows;
  if (stride === width) out.set(samples, from * width);
  else for (let y = 0; y < rows; y++) out.set(samples.subarray(y * stride, y * stride + width), (from + y) * width);
}

/** Both eigenvalues, read in bands of rows. */
export function* eigenvalueListsGpu(
  scope: Scope,
  source: Plane,
  params: EigenvalueValues,
  order: EigenvalueOrder,
): Plan<[Float32Array, Float32Array]> {
  if (params.derivative !== 'gaussian') {
    const planes = eigenvaluesGpu(scope, source, params, order);
    return (yield* scope.wait(Promise.all(planes.map((plane) => plane.read())))) as [Float32Array, Float32Array];
  }
  const { width, height } = source;
  const textures = packedEigenvalues(scope, source, params.sigma, order);
  const lists: [Float32Array, Float32Array] = [new Float32Array(width * height), new Float32Array(width * height)];
  for (const [y, end] of bandsOf(height, Math.max(8, Math.floor(READ_PIXELS / width)))) {
    const rows = end - y;
    const region = { x: 0, y, width: textures[0].width, height: rows };
    const bands = yield* scope.wait(Promise.all(textures.map((texture) => scope.gpu.read(texture, region))));
    bands.forEach((bytes, i) => copyTexels(bytes, lists[i]!, y, rows, width));
    scope.progress(end / height);
  }
  return lists;
}

/** GPU backend of vessels/line-or-blob and vessels/vesselness: one pass more than the eigenvalues, at each scale. */

const lineOrBlobPass = definePass({
  name: 'vessels/line-or-blob',
  fragment: lineOrBlobFragment,
  textures: ['first', 'second'],
  uniforms: { factor: 'float', blob: 'int' },
  outputs: ['strength'],
});

const vesselnessPass = definePass({
  name: 'vessels/vesselness',
  fragment: vesselnessFragment,
  textures: ['first', 'second', 'best', 'scales'],
  uniforms: { factor: 'float', roundness: 'float', faintness: 'float', sigma: 'float', fresh: 'int' },
  outputs: ['larger', 'scale'],
});

/** Feature of two eigenvalue maps, the one with the smaller magnitude first. */
export function featureOfMapsGpu(scope: Scope, first: Plane, second: Plane, params: LineOrBlobValues): Plane {
  const strength = scope.gpuPlane(first.width, first.height, 'f32');
  const uniforms = { factor: factorOf(params.feature, params), blob: params.feature.endsWith('blob') ? 1 : 0 };
  scope.draw(lineOrBlobPass, { targets: [strength], textures: { first, second }, uniforms });
  return strength;
}

export const lineOrBlobGpu = (scope: Scope, source: Plane, params: LineOrBlobValues): Plane =>
  scope.within((inner) => {
    const [first, second] = eigenvaluesGpu(inner, source, params, 'magnitude');
    return scope.own(inner.release(featureOfMapsGpu(inner, first, second, params)));
  });

/** The measure and its sigma. Two pairs of targets alternate, because a pass cannot read its own target. */
export function vesselnessGpu(
  scope: Scope,
  source: Plane,
  sigmas: readonly number[],
  measure: Measure,
): [best: Plane, scales: Plane] {
  const { width, height } = source;
  const pair = (): [Plane, Plane] => [scope.gpuPlane(width, height, 'f32'), scope.gpuPlane(width, height, 'f32')];
  let last: [Plane, Plane] | null = null;
  let next: [Plane, Plane] | null = null;
  for (const sigma of sigmas) {
    const targets: [Plane, Plane] = next ?? pair();
    scope.within((inner) => {
      const [first, second] = eigenvaluesGpu(inner, source, { sigma, derivative: 'gaussian' }, 'magnitude');
      const { factor, round, faint } = terms(sigma, measure);
      inner.draw(vesselnessPass, {
        targets,
        textures: { first, second, best: last?.[0] ?? first, scales: last?.[1] ?? first },
        uniforms: { factor, roundness: round, faintness: faint, sigma, fresh: last ? 0 : 1 },
      });
    });
    [last, next] = [targets, last];
  }
  return last!;
}
