/** Converts planes of one sample per pixel to textures of four samples per texel, and back. */
import packFragment from '../../../glsl/vessels/lines/pack-four.frag';
import unpackFragment from '../../../glsl/vessels/lines/unpack-four.frag';
import type { Texture } from '../../runtime/gpu/gpu-backend.ts';
import { definePass } from '../../runtime/gpu/pass.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';

const kinds = {
  rgba32f: { SAMPLER: 'sampler2D', FOUR: 'vec4', ONE: 'float' },
  rgba16i: { SAMPLER: 'isampler2D', FOUR: 'ivec4', ONE: 'int' },
} as const;

export type Packed = keyof typeof kinds;

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
