/** Small constant tables as textures of bits, which need no float textures: directions, arc, RANSAC's numbers. */
import type { GpuSide, Texture } from '../../runtime/gpu/gpu-side.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { PupilValues } from '../parameters.ts';
import { ransacTable } from '../search/ransac-table.ts';
import { arcDirections, rayDirections } from '../search/directions.ts';

export interface RayTables {
  readonly directions: Texture;
  readonly arc: Texture;
  readonly table: Texture;
}

/** Sets across and down; `sets` is a power of two. */
export function setsShape(sets: number): { columns: number; rows: number } {
  const columns = 2 ** Math.floor(Math.log2(sets) / 2);
  return { columns, rows: sets / columns };
}

function store(scope: Scope, width: number, height: number, format: 'rg32ui' | 'rgba32ui', data: ArrayBuffer) {
  const texture = scope.texture(width, height, format);
  scope.gpu.upload(texture, new Uint8Array(data), width * (format === 'rg32ui' ? 8 : 16));
  return texture;
}

/** The five 24-bit numbers of a set in one texel, the fifth in the high bytes of the first three. */
function packTable(sets: number, seed?: number): Uint32Array<ArrayBuffer> {
  const table = ransacTable(sets, seed);
  const out = new Uint32Array(sets * 4);
  for (let set = 0; set < sets; set++) {
    const drawn = (k: number) => table[(set >> 2) * 20 + k * 4 + (set & 3)]! * 16777216;
    const fifth = drawn(4);
    for (let k = 0; k < 4; k++) out[4 * set + k] = (drawn(k) | (k < 3 ? ((fifth >>> (8 * k)) & 255) << 24 : 0)) >>> 0;
  }
  return out;
}

export function uploadTable(side: GpuSide, texture: Texture, sets: number, seed: number): void {
  side.upload(texture, new Uint8Array(packTable(sets, seed).buffer), texture.width * 16);
}

export function makeTables(scope: Scope, values: PupilValues): RayTables {
  const { rays, secondaryRays, sets } = values;
  const bits = (directions: Float32Array) => Float32Array.from(directions).buffer;
  const { columns, rows } = setsShape(sets);
  return {
    directions: store(scope, rays, 1, 'rg32ui', bits(rayDirections(rays))),
    arc: store(scope, Math.max(1, secondaryRays), 1, 'rg32ui', bits(arcDirections(Math.max(1, secondaryRays)))),
    table: store(scope, columns, rows, 'rgba32ui', packTable(sets).buffer),
  };
}
