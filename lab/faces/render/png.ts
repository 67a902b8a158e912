/** A PNG of 8 bits in Node, in color. */
import { deflateSync } from 'node:zlib';
import { crc32 } from '../../../src/runtime/crc32.ts';

/** @param rgb three bytes a pixel */
export function encodePng(width: number, height: number, rgb: Uint8Array): Uint8Array {
  const chunk = (type: string, content: Uint8Array) => {
    const out = Buffer.alloc(content.length + 12);
    out.writeUInt32BE(content.length, 0);
    out.write(type, 4, 'latin1');
    out.set(content, 8);
    out.writeUInt32BE(crc32(out, 4, content.length + 8), content.length + 8);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const row = 3 * width;
  const lines = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y++) lines.set(rgb.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
