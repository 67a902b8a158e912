/**
 * The size of a key frame by its own header, for codecs that change it within a stream: asked before a decoder takes memory for
 * it. VP8: RFC 6386, 9.1. VP9: bitstream specification 0.6, 6.2.
 */
type Size = [width: number, height: number];

/** Null for other codecs and other frames, and where the header is none. */
export function codedSize(codec: string | null, data: Uint8Array): Size | null {
  if (codec === 'vp8') return sizeOfVp8(data);
  return codec === 'vp9' ? sizeOfVp9(data) : null;
}

function sizeOfVp8(data: Uint8Array): Size | null {
  if (data.length < 10 || data[0]! & 1 || data[3] !== 0x9d || data[4] !== 0x01 || data[5] !== 0x2a) return null;
  return [(data[6]! | (data[7]! << 8)) & 0x3fff, (data[8]! | (data[9]! << 8)) & 0x3fff];
}

const RGB = 7;

function sizeOfVp9(data: Uint8Array): Size | null {
  let at = 0;
  const bits = (count: number) => {
    let value = 0;
    for (; count > 0; count--, at++) value = 2 * value + (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  if (bits(2) !== 2) return null;
  const profile = bits(1) + 2 * bits(1);
  if (profile === 3) bits(1);
  // Shown again, or no key frame.
  if (bits(1) || bits(1)) return null;
  bits(2);
  if (bits(24) !== 0x498342) return null;
  if (profile >= 2) bits(1); // ten bits or twelve
  const odd = profile % 2;
  if (bits(3) === RGB) bits(odd);
  else bits(odd ? 4 : 1); // range, and how colors are halved
  return [bits(16) + 1, bits(16) + 1];
}
