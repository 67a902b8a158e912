/**
 * GPU backends of the image filters: Gaussian, median, morphology, threshold, gradient, gray and pyramid levels. Each
 * is a pass or a short sequence of passes.
 */
import medianFragment from '../../glsl/image/median.frag';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import morphologyFragment from '../../glsl/image/morphology.frag';
import type { Surface } from '../runtime/gpu/gpu-backend.ts';
import thresholdFragment from '../../glsl/image/threshold.frag';
import gradientFragment from '../../glsl/image/gradient.frag';
import grayFragment from '../../glsl/image/gray.frag';
import pyramidDownFragment from '../../glsl/image/pyramid-down.frag';
import gaussianFragment from '../../glsl/image/gaussian.frag';

/** The GPU backend of image/median. It is exact: 9 fetches for 3 x 3, and twice the window size for larger windows. */

const declareMedian = (radius: number) =>
  definePass({
    name: `image/median ${2 * radius + 1}`,
    fragment: medianFragment,
    textures: ['source'],
    uniforms: {},
    outputs: ['middle'],
    defines: { RADIUS: radius },
  });

const medianPasses = new Map<number, ReturnType<typeof declareMedian>>();

/** The pass for one window size, 3 to 15. Loops of fixed length compile to straight code. */
function medianPass(size: number): ReturnType<typeof declareMedian> {
  const radius = size >> 1;
  let pass = medianPasses.get(radius);
  if (!pass) medianPasses.set(radius, (pass = declareMedian(radius)));
  return pass;
}

export function medianGpu(scope: Scope, source: Plane, size: number): Plane {
  const out = scope.gpuPlane(source.width, source.height, 'u8');
  scope.draw(medianPass(size), { targets: [out], textures: { source }, uniforms: {} });
  return out;
}

/**
 * The GPU backend of image/erode, image/dilate and image/top-hat. Windows of 1, 2, 4, ... pixels are joined from four
 * copies of the previous window, in both directions at once: 5 passes of 4 fetches for 19 x 19, independent of the
 * content.
 */

const uniforms = { before: 'int', after: 'int' } as const;
const declareExtreme = (name: string, extreme: 'min' | 'max') =>
  definePass({
    name: `image/${name}`,
    fragment: morphologyFragment,
    textures: ['source'],
    uniforms,
    outputs: ['extreme'],
    defines: { EXTREME: extreme },
  });

const erodePass = declareExtreme('erode', 'min');
const dilatePass = declareExtreme('dilate', 'max');
const residuePass = definePass({
  name: 'image/top-hat',
  fragment: morphologyFragment,
  textures: ['source', 'original'],
  uniforms,
  outputs: ['extreme'],
  defines: { EXTREME: 'max', RESIDUE: 1 },
});

/** Shifts of the doubling steps. They add up to (size - 1) / 2 before and after the pixel. */
function doublingSteps(size: number): { before: number; after: number }[] {
  const steps: { before: number; after: number }[] = [];
  let before = 0;
  for (let window = 1; window < size;) {
    const grow = Math.min(window, size - window);
    // In the first step, the odd pixel comes after the window. In the last step, if there is one, it comes before.
    const left = window + grow === size ? (size - 1) / 2 - before : grow >> 1;
    steps.push({ before: left, after: grow - left });
    before += left;
    window += grow;
  }
  return steps.length ? steps : [{ before: 0, after: 0 }];
}

/** Runs all steps. The last one draws into `target`, with the pass `last` if it is set. */
function sweep(
  scope: Scope,
  pass: typeof erodePass,
  source: Surface,
  size: number,
  target: Surface,
  original?: Surface,
): void {
  const { width, height } = source;
  const steps = doublingSteps(size);
  const pair =
    steps.length > 1
      ? [scope.texture(width, height, 'u8'), steps.length > 2 ? scope.texture(width, height, 'u8') : null]
      : [];
  let from = source;
  steps.forEach((step, i) => {
    const end = i === steps.length - 1;
    const to = end ? target : pair[i & 1]!;
    if (end && original)
      scope.draw(residuePass, { targets: [to], textures: { source: from, original }, uniforms: step });
    else scope.draw(pass, { targets: [to], textures: { source: from }, uniforms: step });
    from = to;
  });
}

export function morphologyGpu(scope: Scope, kernel: 'erode' | 'dilate' | 'topHat', source: Plane, size: number): Plane {
  const { width, height } = source;
  return scope.within((inner) => {
    const out = scope.gpuPlane(width, height, 'u8');
    if (kernel !== 'topHat') sweep(inner, kernel === 'erode' ? erodePass : dilatePass, source, size, out);
    else {
      const eroded = inner.texture(width, height, 'u8');
      sweep(inner, erodePass, source, size, eroded);
      sweep(inner, dilatePass, eroded, size, out, source);
    }
    return out;
  });
}

/** The GPU backend of image/threshold. */

export const thresholdPass = definePass({
  name: 'image/threshold',
  fragment: thresholdFragment,
  textures: ['source'],
  uniforms: { level: 'uint', value: 'uint' },
  outputs: ['mask'],
});

export function thresholdGpu(scope: Scope, source: Plane, level: number, value: number): Plane {
  const out = scope.gpuPlane(source.width, source.height, 'u8');
  scope.draw(thresholdPass, { targets: [out], textures: { source }, uniforms: { level, value } });
  return out;
}

/** The GPU backends of image/gradient and image/gradient-float: both derivatives in one pass of 8 fetches. */

const gradientPass = definePass({
  name: 'image/gradient',
  fragment: gradientFragment,
  textures: ['source'],
  uniforms: { side: 'int', center: 'int' },
  outputs: ['dx', 'dy'],
  defines: { SAMPLER: 'usampler2D', SCALAR: 'int' },
});

const gradientFloatPass = definePass({
  name: 'image/gradient-float',
  fragment: gradientFragment,
  textures: ['source'],
  uniforms: { side: 'float', center: 'float' },
  outputs: ['dx', 'dy'],
  defines: { SAMPLER: 'sampler2D', SCALAR: 'float' },
});

/** `weights` has the weights of the outer and the central sample along the derivative, see gradientWeights. */
export function gradientGpu(scope: Scope, source: Plane, weights: readonly [number, number]): [Plane, Plane] {
  const { width, height, format } = source;
  const float = format === 'f32';
  const targets: [Plane, Plane] = [
    scope.gpuPlane(width, height, float ? 'f32' : 'i16'),
    scope.gpuPlane(width, height, float ? 'f32' : 'i16'),
  ];
  const draw = { targets, textures: { source }, uniforms: { side: weights[0], center: weights[1] } };
  if (float) scope.draw(gradientFloatPass, draw);
  else scope.draw(gradientPass, draw);
  return targets;
}

/** The GPU backend of image/gray. */

const grayPass = definePass({
  name: 'image/gray',
  fragment: grayFragment,
  textures: ['source'],
  uniforms: {},
  outputs: ['gray'],
});

export function grayGpu(scope: Scope, source: Plane): Plane {
  const out = scope.gpuPlane(source.width, source.height, 'u8');
  scope.draw(grayPass, { targets: [out], textures: { source }, uniforms: {} });
  return out;
}

/** The GPU backend of image/pyramid-down: one level of pyrDown, across into 16 bits, then down. */

export const pyramidDownPass = definePass({
  name: 'image/pyramid-down',
  fragment: pyramidDownFragment,
  textures: ['source'],
  uniforms: { direction: 'ivec2', rounding: 'uint', shift: 'int', reflects: 'int' },
  outputs: ['level'],
});

export function pyramidDownGpu(scope: Scope, source: Plane, border: 'reflect' | 'replicate'): Plane {
  const width = (source.width + 1) >> 1;
  const height = (source.height + 1) >> 1;
  const reflects = border === 'reflect' ? 1 : 0;
  return scope.within((inner) => {
    const out = scope.gpuPlane(width, height, 'u8');
    const across = inner.texture(width, source.height, 'u16');
    scope.draw(pyramidDownPass, {
      targets: [across],
      textures: { source },
      uniforms: { direction: [1, 0], rounding: 0, shift: 0, reflects },
    });
    scope.draw(pyramidDownPass, {
      targets: [out],
      textures: { source: across },
      uniforms: { direction: [0, 1], rounding: 128, shift: 8, reflects },
    });
    return out;
  });
}

/** The GPU backend of image/gaussian: across into 16 bits, then down. 2 (2 radius + 1) fetches per pixel. */

const gaussianPass = definePass({
  name: 'image/gaussian',
  fragment: gaussianFragment,
  textures: ['source'],
  uniforms: { direction: 'ivec2', radius: 'int', taps: 'uint[32]', rounding: 'uint', shift: 'int' },
  outputs: ['smoothed'],
});

/** `half` holds the taps from the center outwards, see gaussianTaps. */
export function gaussianGpu(scope: Scope, source: Plane, half: readonly number[]): Plane {
  const { width, height } = source;
  const taps = Uint32Array.from(half);
  const radius = taps.length - 1;
  return scope.within((inner) => {
    const out = scope.gpuPlane(width, height, 'u8');
    const across = inner.texture(width, height, 'u16');
    scope.draw(gaussianPass, {
      targets: [across],
      textures: { source },
      uniforms: { direction: [1, 0], radius, taps, rounding: 0, shift: 0 },
    });
    scope.draw(gaussianPass, {
      targets: [out],
      textures: { source: across },
      uniforms: { direction: [0, 1], radius, taps, rounding: 32768, shift: 16 },
    });
    return out;
  });
}
