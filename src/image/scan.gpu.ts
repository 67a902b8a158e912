/**
 * Scans on the GPU: sums of blocks of 8 on the way up, offsets of the blocks on the way down (Blelloch 1990). They need
 * about 7 fetches per sample in 2 log8(n) passes for an axis. All sums are modulo 2^32, so their order does not matter.
 * The row-major scan of a whole image is the scan of its rows, and each row starts with the exclusive scan of the row
 * totals.
 */
import reduceFragment from '../../glsl/image/scan-reduce.frag';
import spreadFragment from '../../glsl/image/scan-spread.frag';
import type { Surface } from '../runtime/gpu/gpu-backend.ts';
import type { Scope } from '../runtime/scope.ts';
import { definePass } from '../runtime/gpu/pass.ts';
import type { Plane } from '../runtime/plane.ts';
import countFragment from '../../glsl/image/compact-count.frag';
import compactFragment from '../../glsl/image/compact.frag';
import { thresholdPass } from './filters.gpu.ts';
import resultFragment from '../../glsl/image/reduce-result.frag';
import reduceSamplesFragment from '../../glsl/image/reduce.frag';

/** The values to sum, from a sample v. */
const scanValues = {
  sample: 'v',
  square: '((v - 128u) * (v - 128u))',
} as const;
type ScanValue = keyof typeof scanValues;
type Axis = 'x' | 'y';

const define = (value: ScanValue) => ({
  reduce: definePass({
    name: `image/scan-reduce ${value}`,
    fragment: reduceFragment,
    textures: ['source'],
    uniforms: { axis: 'ivec2', extent: 'int' },
    outputs: ['total'],
    defines: { 'VALUE(v)': scanValues[value] },
  }),
  spread: definePass({
    name: `image/scan-spread ${value}`,
    fragment: spreadFragment,
    textures: ['source', 'blocks'],
    uniforms: { whole: 'int', axis: 'ivec2', extent: 'int', inclusive: 'int' },
    outputs: ['sum'],
    defines: { 'VALUE(v)': scanValues[value] },
  }),
});
const passes = { sample: define('sample'), square: define('square') };

const axes = { x: [1, 0], y: [0, 1] } as const;
const extentOf = (surface: Surface, axis: Axis) => (axis === 'x' ? surface.width : surface.height);

/** Sums of blocks of 8, of 64, ..., of everything. The levels cover `extent` samples. */
function scanLevels(
  scope: Scope,
  source: Surface,
  axis: Axis,
  value: ScanValue,
  extent = extentOf(source, axis),
): Surface[] {
  const levels: Surface[] = [source];
  let n = extent;
  do {
    const from = levels[levels.length - 1]!;
    n = (n + 7) >> 3;
    const to = axis === 'x' ? scope.texture(n, source.height, 'u32') : scope.texture(source.width, n, 'u32');
    scope.draw(passes[levels.length > 1 ? 'sample' : value].reduce, {
      targets: [to],
      textures: { source: from },
      uniforms: { axis: axes[axis], extent: extentOf(from, axis) },
    });
    levels.push(to);
  } while (n > 1);
  return levels;
}

/** Writes the sums along an axis to `target`, which is one sample wide there. This is only the way up. */
export function scanTotal(scope: Scope, source: Surface, axis: Axis, target: Surface): void {
  let from = source;
  let n = extentOf(source, axis);
  do {
    const extent = n;
    n = (n + 7) >> 3;
    const to =
      n === 1 ? target : axis === 'x' ? scope.texture(n, source.height, 'u32') : scope.texture(source.width, n, 'u32');
    scope.draw(passes.sample.reduce, {
      targets: [to],
      textures: { source: from },
      uniforms: { axis: axes[axis], extent },
    });
    from = to;
  } while (n > 1);
}

/**
 * Computes the scan from the levels into `target`. `offsets` holds the start value of each row (or column), one sample
 * wide.
 */
function scanSpread(
  scope: Scope,
  levels: readonly Surface[],
  axis: Axis,
  value: ScanValue,
  target: Surface,
  options: { inclusive: boolean; offsets?: Surface },
): void {
  let blocks = options.offsets;
  // The top level is one sample wide, so its exclusive scan is the offset itself.
  for (let i = levels.length - 2; i >= 0; i--) {
    const source = levels[i]!;
    const to = i === 0 ? target : scope.texture(source.width, source.height, 'u32');
    scope.draw(passes[i ? 'sample' : value].spread, {
      targets: [to],
      textures: { source, blocks: blocks ?? levels[levels.length - 1]! },
      uniforms: {
        whole: blocks ? 0 : 1,
        axis: axes[axis],
        extent: extentOf(source, axis),
        inclusive: i === 0 && options.inclusive ? 1 : 0,
      },
    });
    blocks = to;
  }
}

/** Writes the row-major scan of a whole image to `target`. */
export function scanLinear(scope: Scope, source: Surface, target: Surface, options: { inclusive: boolean }): void {
  scope.within((inner) => {
    const rows = scanLevels(inner, source, 'x', 'sample');
    const totals = rows[rows.length - 1]!;
    const columns = scanLevels(inner, totals, 'y', 'sample');
    const offsets = inner.texture(1, source.height, 'u32');
    scanSpread(inner, columns, 'y', 'sample', offsets, { inclusive: false });
    scanSpread(inner, rows, 'x', 'sample', target, { ...options, offsets });
  });
}

export function scanGpu(scope: Scope, source: Plane, inclusive: boolean): Plane {
  const out = scope.gpuPlane(source.width, source.height, 'u32');
  scanLinear(scope, source, out, { inclusive });
  return out;
}

/** The GPU backends of image/integral and image/integral-squares: exclusive scans of the rows, then of the columns. */

export function integralGpu(scope: Scope, source: Surface, value: 'sample' | 'square'): Plane {
  const width = source.width + 1;
  const height = source.height + 1;
  return scope.within((inner) => {
    const out = scope.gpuPlane(width, height, 'u32');
    const rows = inner.texture(width, source.height, 'u32');
    const exclusive = { inclusive: false };
    scanSpread(inner, scanLevels(inner, source, 'x', value, width), 'x', value, rows, exclusive);
    scanSpread(inner, scanLevels(inner, rows, 'y', 'sample', height), 'y', 'sample', out, exclusive);
    return out;
  });
}

/** The GPU backend of image/compact: flags, their inclusive scan, and a gather that looks up each entry of the list. */

const common = { textures: ['counts'], uniforms: {} } as const;

/** Gathers the list from the inclusive scan of flags. */
export const compactPass = definePass({
  name: 'image/compact',
  fragment: compactFragment,
  ...common,
  outputs: ['index'],
});
/** Counts the entries of the list. */
export const compactCountPass = definePass({
  name: 'image/compact-count',
  fragment: countFragment,
  ...common,
  outputs: ['count'],
});

export function compactGpu(scope: Scope, source: Plane, level: number): [Plane, Plane] {
  const { width, height } = source;
  return scope.within((inner) => {
    const list = scope.gpuPlane(width, height, 'u32');
    const count = scope.gpuPlane(1, 1, 'u32');
    const flags = inner.texture(width, height, 'u8');
    const counts = inner.texture(width, height, 'u32');
    scope.draw(thresholdPass, { targets: [flags], textures: { source }, uniforms: { level, value: 1 } });
    scanLinear(scope, flags, counts, { inclusive: true });
    scope.draw(compactPass, { targets: [list], textures: { counts }, uniforms: {} });
    scope.draw(compactCountPass, { targets: [count], textures: { counts }, uniforms: {} });
    return [list, count];
  });
}

/**
 * The GPU backends of the reductions: blocks of 8 x 8 until one is left. The order of float sums depends only on the
 * size.
 */

function defineReduction(float: boolean) {
  const kind = float ? 'float' : 'integer';
  const types = float
    ? { SAMPLER: 'sampler2D', TRIPLE: 'vec4', SCALAR: 'float', ZERO: '0.0' }
    : { SAMPLER: 'usampler2D', TRIPLE: 'uvec4', SCALAR: 'uint', ZERO: '0u' };
  const reduce = (name: string, more: object) =>
    definePass({
      name: `image/${name} ${kind}`,
      fragment: reduceSamplesFragment,
      textures: ['source'],
      uniforms: {},
      outputs: ['extremes'],
      defines: { ...types, ...more },
    });
  return {
    first: reduce('reduce-samples', { FIRST: 1 }),
    next: reduce('reduce', {}),
    result: definePass({
      name: `image/reduce-result ${kind}`,
      fragment: resultFragment,
      textures: ['source'],
      uniforms: {},
      outputs: ['result'],
      defines: types,
    }),
  };
}

const integers = defineReduction(false);
const floats = defineReduction(true);

/** Sum, minimum and maximum as a plane of 3x1. */
export function reduceGpu(scope: Scope, source: Plane): Plane {
  const float = source.format === 'f32';
  const passes = float ? floats : integers;
  return scope.within((inner) => {
    const out = scope.gpuPlane(3, 1, float ? 'f32' : 'u32');
    let from: Surface = source;
    do {
      const to: Surface = inner.texture((from.width + 7) >> 3, (from.height + 7) >> 3, float ? 'rgba32f' : 'rgba32ui');
      scope.draw(from === source ? passes.first : passes.next, {
        targets: [to],
        textures: { source: from },
        uniforms: {},
      });
      from = to;
    } while (from.width > 1 || from.height > 1);
    scope.draw(passes.result, { targets: [out], textures: { source: from }, uniforms: {} });
    return out;
  });
}
