/**
 * Separable Gaussian on the GPU in two passes, down the columns and then across, four pixels per texel, in strips of
 * rows. The intermediate result stays small enough for the cache of the GPU, and a large photograph does not displace
 * other textures from the pool. For radius r it reads 2 r + 1 texels down and r / 2 + 1 across for four pixels.
 */
import acrossFragment from '../../../glsl/vessels/hessian/smooth-across.frag';
import downFragment from '../../../glsl/vessels/hessian/smooth-down.frag';
import type { Texture } from '../../runtime/gpu/gpu-backend.ts';
import { definePass } from '../../runtime/gpu/pass.ts';
import type { Scope } from '../../runtime/scope.ts';
import { floatTaps } from './parameters.ts';

/** Taps of the widest kernel, with maximumSigma, and the number of texels that it covers. */
const TAPS = 97;
const TEXELS = 49;
/** Texels of a strip: 8 MiB between two passes. */
const STRIP = 1 << 19;

const downPass = (kind: string, sampler: string) =>
  definePass({
    name: `vessels/smooth-down ${kind}`,
    fragment: downFragment,
    textures: ['source'],
    uniforms: { first: 'int', radius: 'int', taps: `float[${TAPS}]` },
    outputs: ['sums'],
    defines: { SAMPLER: sampler },
  });

export const smoothDownPasses = { uint: downPass('u8', 'usampler2D'), float: downPass('f32', 'sampler2D') };

export const smoothAcrossPass = definePass({
  name: 'vessels/smooth-across',
  fragment: acrossFragment,
  textures: ['source'],
  uniforms: { reach: 'int', width: 'int', taps: `mat4[${TEXELS}]` },
  outputs: ['smoothed'],
});

/** For every texel within the kernel, the matrix, column by column, from its four samples to the four sums. */
function matrices(taps: Float32Array, reach: number): Float32Array {
  const out = new Float32Array(16 * TEXELS);
  for (let j = -reach; j <= reach; j++)
    for (let sample = 0; sample < 4; sample++)
      for (let sum = 0; sum < 4; sum++)
        out[16 * (reach + j) + 4 * sample + sum] = taps[Math.abs(4 * j + sample - sum)] ?? 0;
  return out;
}

/** Rows of the image whose smoothed rows are in a strip. The strip also contains one more row above and below them. */
export interface Strip {
  readonly texture: Texture<'rgba32f'>;
  readonly first: number;
  readonly rows: number;
}

/**
 * Smooths `source` (four samples per texel, rgba8ui or rgba32f) with `width` samples per row and yields the strips from
 * top to bottom. `unit`: output value for a sample of 1.
 */
export function smoothStrips(
  scope: Scope,
  source: Texture<'rgba8ui' | 'rgba32f'>,
  { width, sigma, unit }: { width: number; sigma: number; unit: number },
  take: (strip: Strip) => void,
): void {
  const { height } = source;
  const limit = scope.gpu.capabilities.maxTextureSize - 2;
  const most = Math.min(height, limit, Math.max(16, Math.floor(STRIP / source.width)));
  const across = floatTaps(sigma);
  const radius = across.length - 1;
  const reach = Math.ceil(radius / 4);
  const down = new Float32Array(TAPS);
  down.set(floatTaps(sigma, unit));
  const columns = { radius, taps: down };
  const rowwise = { reach, width, taps: matrices(across, reach) };
  const pass = source.format === 'rgba8ui' ? smoothDownPasses.uint : smoothDownPasses.float;
  scope.within((inner) => {
    const sums = inner.texture(source.width, most + 2, 'rgba32f');
    const smoothed = inner.texture(source.width, most + 2, 'rgba32f');
    for (let first = 0; first < height; first += most) {
      const rows = Math.min(most, height - first);
      const region = { x: 0, y: 0, width: source.width, height: rows + 2 };
      inner.draw(pass, { targets: [sums], textures: { source }, uniforms: { first: first - 1, ...columns }, region });
      inner.draw(smoothAcrossPass, { targets: [smoothed], textures: { source: sums }, uniforms: rowwise, region });
      take({ texture: smoothed, first, rows });
    }
  });
}
