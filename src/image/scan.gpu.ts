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

/** The values to sum, from a sample v. */
export const scanValues = {
  sample: 'v',
  square: '((v - 128u) * (v - 128u))',
} as const;
export type ScanValue = keyof typeof scanValues;
export type Axis = 'x' | 'y';

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
export function scanLevels(
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
export function scanSpread(
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
