// Gray PNG of 8 bits without interlace, for tests in Node; pages have the browser's decoder.
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

/** { width, height, data } */
export function readGrayPng(file) {
  const bytes = readFileSync(file);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (bytes[24] !== 8 || bytes[25] !== 0 || bytes[28] !== 0)
    throw new Error(`${file}: only gray of 8 bits is read here.`);
  const parts = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  const rows = inflateSync(Buffer.concat(parts));
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (width + 1)];
    for (let x = 0; x < width; x++) {
      const left = x ? data[y * width + x - 1] : 0;
      const up = y ? data[(y - 1) * width + x] : 0;
      const corner = x && y ? data[(y - 1) * width + x - 1] : 0;
      const [a, b, c] = [left, up, corner].map((v) => Math.abs(left + up - corner - v));
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      const guess = [0, left, up, (left + up) >> 1, paeth][filter];
      data[y * width + x] = rows[y * (width + 1) + 1 + x] + guess;
    }
  }
  return { width, height, data };
}
