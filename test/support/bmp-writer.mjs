// BMP files as tests need them: every packing that browsers read.

/**
 * @param bits 1, 4, 8 (with `palette` of [r, g, b]), 16, 24 or 32
 * @param options.masks  of red, green, blue and alpha: a header of version 4
 * @param options.data  of each pixel: its index, its 16 or 32 bits, or [r, g, b]; `packed`: bytes as they are, packed as RLE8
 */
export function bmpFile(width, height, bits, { data, packed, palette = [], masks, topDown = false }) {
  const row = Math.ceil((width * bits) / 32) * 4;
  const pixels = packed ? Buffer.from(packed) : Buffer.alloc(row * height);
  for (let y = 0; y < height && !packed; y++)
    for (let x = 0; x < width; x++) {
      const at = row * (topDown ? y : height - 1 - y);
      const value = data[y * width + x];
      if (bits < 8) pixels[at + ((x * bits) >> 3)] |= value << (8 - bits - ((x * bits) & 7));
      else if (bits === 24) pixels.set([value[2], value[1], value[0]], at + 3 * x);
      else pixels.writeUIntLE(value, at + (x * bits) / 8, bits / 8);
    }
  const header = Buffer.alloc(14 + (masks ? 108 : 40) + 4 * palette.length);
  header.write('BM');
  header.writeUInt32LE(header.length + pixels.length, 2);
  header.writeUInt32LE(header.length, 10);
  header.writeUInt32LE(masks ? 108 : 40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(topDown ? -height : height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits, 28);
  header.writeUInt32LE(masks ? 3 : packed ? 1 : 0, 30);
  header.writeUInt32LE(pixels.length, 34);
  header.writeUInt32LE(palette.length, 46);
  masks?.forEach((mask, i) => header.writeUInt32LE(mask, 54 + 4 * i));
  palette.forEach(([r, g, b], i) => header.set([b, g, r, 0], (masks ? 122 : 54) + 4 * i));
  return Buffer.concat([header, pixels]);
}
