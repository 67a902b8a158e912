/**
 * A folder of rendered faces: faces.json says how many, shards hold 100 each.
 * A shard is little endian: u32 'FVF1', u32 faces, u32 side in pixels, u32 bytes of JSON; the JSON of the records, padded with
 * spaces to a multiple of 4; gray pictures of side x side; x, y of 68 points of each face as f32, whole numbers at the centers
 * of pixels.
 */
import type { FaceRecord } from './face.ts';

export const SHARD = 100;
const MAGIC = 0x31465646;
const POINTS = 136;

export interface FaceSet {
  version: 1;
  seed: number;
  count: number;
  side: number;
  shard: number;
}

export interface Shard {
  side: number;
  records: FaceRecord[];
  /** Gray, face by face. */
  pictures: Uint8Array;
  points: Float32Array;
}

export const shardName = (index: number): string => `faces-${String(index).padStart(5, '0')}.bin`;

export function packShard({ side, records, pictures, points }: Shard): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(records));
  const padded = Math.ceil(text.length / 4) * 4;
  const out = new Uint8Array(16 + padded + pictures.length + 4 * points.length);
  const view = new DataView(out.buffer);
  [MAGIC, records.length, side, padded].forEach((value, i) => view.setUint32(4 * i, value, true));
  out.fill(32, 16, 16 + padded);
  out.set(text, 16);
  out.set(pictures, 16 + padded);
  points.forEach((value, i) => view.setFloat32(16 + padded + pictures.length + 4 * i, value, true));
  return out;
}

/** @throws Error when the bytes are no whole shard */
export function readShard(bytes: Uint8Array): Shard {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length >= 16 && view.getUint32(0, true) === MAGIC;
  const [count, side, length] = whole ? [1, 2, 3].map((i) => view.getUint32(4 * i, true)) : [0, 0, 0];
  const at = 16 + length;
  const size = count * side * side;
  if (!whole || bytes.length !== at + size + 4 * POINTS * count)
    throw new Error('This is no whole shard of rendered faces; render it again with npm run lab -- render-faces.');
  return {
    side,
    records: JSON.parse(new TextDecoder().decode(bytes.subarray(16, at))),
    pictures: Uint8Array.from(bytes.subarray(at, at + size)),
    points: Float32Array.from({ length: POINTS * count }, (_, i) => view.getFloat32(at + size + 4 * i, true)),
  };
}
