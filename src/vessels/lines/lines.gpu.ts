/**
 * GPU backend of the line response, four pixels per texel throughout. Terms: smoothing and derivatives into three
 * targets. Maximum, for two pairs of directions at a time: the rotated derivatives into four targets, then the sums
 * along the four lines. This reads 7/16 of a texel per pixel and sample on average. It works in strips, so that the
 * rotated derivatives stay in the cache.
 */
import packFragment from '../../../glsl/vessels/lines/pack-four.frag';
import unpackFragment from '../../../glsl/vessels/lines/unpack-four.frag';
import type { Texture, GpuBackend } from '../../runtime/gpu/gpu-backend.ts';
import { definePass } from '../../runtime/gpu/pass.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import sumFragment from '../../../glsl/vessels/lines/sum.frag';
import termsFragment from '../../../glsl/vessels/lines/terms.frag';
import turnFragment from '../../../glsl/vessels/lines/turn.frag';
import { lineTable, MOST_SAMPLES, PAIRS } from './table.ts';
import { bandsOf } from '../row-bands.ts';
import { smoothStrips } from '../hessian/smooth.gpu.ts';

/** Converts planes of one sample per pixel to textures of four samples per texel, and back. */

const kinds = {
  rgba32f: { SAMPLER: 'sampler2D', FOUR: 'vec4', ONE: 'float' },
  rgba16i: { SAMPLER: 'isampler2D', FOUR: 'ivec4', ONE: 'int' },
} as const;

type Packed = keyof typeof kinds;

const packPass = (format: Packed) =>
  definePass({
    name: `vessels/pack ${format}`,
    fragment: packFragment,
    textures: ['source'],
    uniforms: {},
    outputs: ['samples'],
    defines: kinds[format],
  });
const unpackPass = (format: Packed) =>
  definePass({
    name: `vessels/unpack ${format}`,
    fragment: unpackFragment,
    textures: ['source'],
    uniforms: {},
    outputs: ['value'],
    defines: kinds[format],
  });

const packs = { rgba32f: packPass('rgba32f'), rgba16i: packPass('rgba16i') };
const unpacks = { rgba32f: unpackPass('rgba32f'), rgba16i: unpackPass('rgba16i') };

/** Owned by the scope. Samples after the width are undefined. A plane in the arena needs only one upload. */
export function packedOf<F extends Packed>(scope: Scope, plane: Plane, format: F): Texture<F> {
  const { width, height } = plane;
  const texture = scope.texture(Math.ceil(width / 4), height, format);
  if (plane.on === 'gpu') scope.draw(packs[format], { targets: [texture], textures: { source: plane }, uniforms: {} });
  else {
    const { address, stride } = plane;
    scope.gpu.upload(texture, scope.arena.u8.subarray(address, address + stride * height), stride);
  }
  return texture;
}

export function unpackedTo(scope: Scope, source: Texture, target: Plane): void {
  scope.draw(unpacks[source.format as Packed], { targets: [target], textures: { source }, uniforms: {} });
}

/** Texels of a strip of rotated derivatives. */
const STRIP = 1 << 18;

const lineTermsPass = definePass({
  name: 'vessels/line-terms',
  fragment: termsFragment,
  textures: ['source'],
  uniforms: { first: 'int', width: 'int', scale: 'float' },
  outputs: ['mean', 'difference', 'mixed'],
});

const lineTurnPass = definePass({
  name: 'vessels/line-turn',
  fragment: turnFragment,
  textures: ['mean', 'difference', 'mixed'],
  uniforms: { width: 'int', first: 'int', margin: 'int', limit: 'int', turns: 'ivec4' },
  outputs: ['along0', 'across0', 'along1', 'across1'],
});

const lineSumPass = definePass({
  name: 'vessels/line-sum',
  fragment: sumFragment,
  textures: ['along0', 'across0', 'along1', 'across1', 'before'],
  uniforms: {
    fresh: 'int',
    first: 'int',
    margin: 'int',
    reach: 'int',
    count: 'int',
    offsets: 'ivec2[124]',
  },
  outputs: ['best'],
});

/** The three terms of `source`, owned by the scope. */
export function lineTermsGpu(
  scope: Scope,
  source: Texture<'rgba8ui' | 'rgba32f'>,
  { width, sigma, scale }: { width: number; sigma: number; scale: number },
): Texture<'rgba16i'>[] {
  const targets = Array.from({ length: 3 }, () => scope.texture(source.width, source.height, 'rgba16i'));
  smoothStrips(scope, source, { width, sigma, unit: 1 }, ({ texture, first, rows }) =>
    scope.draw(lineTermsPass, {
      targets,
      textures: { source: texture },
      uniforms: { first, width, scale },
      region: { x: 0, y: first, width: source.width, height: rows },
    }),
  );
  return targets;
}

/** Padding in texels at both ends of a row of rotated derivatives, for lines with this reach in pixels. */
const marginOf = (reach: number) => (reach >> 2) + 1;

/** Whether the rotated derivatives of a plane fit into textures. */
export const lineMaximumFits = (
  gpu: GpuBackend,
  { width, height }: { width: number; height: number },
  { sigma, length }: { sigma: number; length: number },
): boolean => gpu.fits(Math.ceil(width / 4) + 2 * marginOf(lineTable(sigma, length).reach), height);

/** Computes the response from the three terms into `best`. */
export function lineMaximumGpu(
  scope: Scope,
  [mean, difference, mixed]: readonly Texture<'rgba16i'>[],
  { width, sigma, length }: { width: number; sigma: number; length: number },
  best: Texture<'rgba16i'>,
): void {
  const { width: texels, height } = mean!;
  const { directions, count, reach, limit } = lineTable(sigma, length);
  const margin = marginOf(reach);
  const room = scope.gpu.capabilities.maxTextureSize;
  const columns = texels + 2 * margin;
  const most = Math.min(height, room - 2 * reach, Math.max(32, Math.floor(STRIP / columns)));
  const groups = Array.from({ length: PAIRS / 2 }, (_, i) => {
    const two = directions.slice(2 * i, 2 * i + 2);
    const offsets = new Int32Array(8 * MOST_SAMPLES);
    offsets.set(two.flatMap(({ along, across }) => [along, across].flat(2)));
    return { turns: two.flatMap(({ cos, sin }) => [cos, sin]), offsets };
  });
  scope.within((inner) => {
    const turned = Array.from({ length: 4 }, () => inner.texture(columns, most + 2 * reach, 'rgba16i'));
    const [along0, across0, along1, across1] = turned as [Texture, Texture, Texture, Texture];
    const other = inner.texture(texels, height, 'rgba16i');
    for (const [first, end] of bandsOf(height, most))
      groups.forEach(({ turns, offsets }, i) => {
        const rows = end - first;
        // The last of the groups draws into the target that is returned.
        const [target, before] = (groups.length - i) % 2 ? [best, other] : [other, best];
        inner.draw(lineTurnPass, {
          targets: turned,
          textures: { mean: mean!, difference: difference!, mixed: mixed! },
          uniforms: { width, first: first - reach, margin, limit, turns },
          region: { x: 0, y: 0, width: columns, height: rows + 2 * reach },
        });
        inner.draw(lineSumPass, {
          targets: [target],
          textures: { along0, across0, along1, across1, before },
          uniforms: { fresh: i === 0 ? 1 : 0, first, margin, reach, count, offsets },
          region: { x: 0, y: first, width: texels, height: rows },
        });
      });
  });
}
