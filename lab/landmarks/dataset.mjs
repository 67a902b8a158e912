// Rendered faces in shards: faces.json { version: 1, seed, count, side, shard } and files faces-00000.bin, little endian:
//   u32 0x31465646 'FVF1', faces, side in pixels, bytes of the JSON; the JSON, a record a face (pose, tone and what is worn),
//   padded to 4 bytes; side * side gray pixels a face; 68 points a face, x and y as 32-bit floats, pixels' centers at integers
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const MAGIC = 0x31465646;

/** A copy that all threads see. */
export function shared(array) {
  const out = new array.constructor(new SharedArrayBuffer(array.byteLength));
  out.set(array);
  return out;
}

export const sharedArray = (Kind, length) => new Kind(new SharedArrayBuffer(length * Kind.BYTES_PER_ELEMENT));

/** Faces of a folder. @returns {{ count, side, values, gray: Uint8Array, shapes: Float32Array, records: object[] }} */
export function readFaces(folder, most = Infinity) {
  const list = path.join(folder, 'faces.json');
  if (!existsSync(list)) throw new Error(`${folder} has no faces.json: render faces into it first.`);
  const { version, side, shard, count: announced } = JSON.parse(readFileSync(list, 'utf8'));
  if (version !== 1) throw new Error(`${list} has version ${version}; this trainer reads 1.`);
  const values = 136;
  const count = Math.min(most, announced);
  const gray = sharedArray(Uint8Array, count * side * side);
  const shapes = sharedArray(Float32Array, count * values);
  const records = [];
  for (let n = 0; records.length < count; n++) {
    const file = path.join(folder, `faces-${String(n).padStart(5, '0')}.bin`);
    if (!existsSync(file)) throw new Error(`${file} is missing: ${count} faces of ${shard} a file were announced.`);
    const bytes = readFileSync(file);
    const [magic, faces, own, json] = [0, 4, 8, 12].map((at) => bytes.readUInt32LE(at));
    const pixels = 16 + json;
    const points = pixels + faces * side * side;
    if (magic !== MAGIC || own !== side || bytes.length !== points + 4 * values * faces)
      throw new Error(`${file} is no shard of ${side} pixels a face, or was cut short: render it again.`);
    const taken = Math.min(faces, count - records.length);
    gray.set(bytes.subarray(pixels, pixels + taken * side * side), records.length * side * side);
    for (let k = 0; k < taken * values; k++) shapes[records.length * values + k] = bytes.readFloatLE(points + 4 * k);
    records.push(...JSON.parse(bytes.toString('utf8', 16, pixels)).slice(0, taken));
  }
  return { count, side, values, gray, shapes, records };
}

/** The image of a face. */
export const imageOf = ({ side, gray }, face) => ({
  width: side,
  height: side,
  data: gray.subarray(face * side * side, (face + 1) * side * side),
});
