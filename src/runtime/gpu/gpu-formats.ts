/** Texture formats: plane formats, and packed formats that hot paths use between passes. */
import type { PlaneFormat } from '../plane.ts';

/** How a sampler or an output of the shader must be declared: sampler2D, isampler2D, usampler2D. */
export type TexelKind = 'float' | 'int' | 'uint';

export type TextureFormat =
  | PlaneFormat
  | 'rg8ui'
  | 'rgba8ui'
  | 'rg16ui'
  | 'rgba16ui'
  | 'rg16i'
  | 'rgba16i'
  | 'rg32ui'
  | 'rgba32ui'
  | 'rg32i'
  | 'rgba32i'
  | 'rg32f'
  | 'rgba32f';

export interface FormatInfo {
  readonly kind: TexelKind;
  readonly channels: 1 | 2 | 4;
  /** Bytes of one channel. */
  readonly channelBytes: 1 | 2 | 4;
  /** Bytes of one texel. */
  readonly bytes: number;
  readonly internalFormat: number;
  readonly format: number;
  readonly type: number;
}

// Values of the WebGL constants, so that this table needs no context.
const kinds = { ui: 'uint', i: 'int', f: 'float' } as const;
const integerFormat = { 1: 0x8d94, 2: 0x8228, 4: 0x8d99 } as const; // RED_INTEGER, RG_INTEGER, RGBA_INTEGER
const floatFormat = { 1: 0x1903, 2: 0x8227, 4: 0x1908 } as const; // RED, RG, RGBA
const types = { ui: { 1: 0x1401, 2: 0x1403, 4: 0x1405 }, i: { 1: 0x1400, 2: 0x1402, 4: 0x1404 } } as const;
const internal: Record<string, number> = {
  '1x1ui': 0x8232, // R8UI
  '2x1ui': 0x8238,
  '4x1ui': 0x8d7c,
  '1x2ui': 0x8234,
  '2x2ui': 0x823a,
  '4x2ui': 0x8d76,
  '1x4ui': 0x8236,
  '2x4ui': 0x823c,
  '4x4ui': 0x8d70,
  '1x2i': 0x8233,
  '2x2i': 0x8239,
  '4x2i': 0x8d88,
  '1x4i': 0x8235,
  '2x4i': 0x823b,
  '4x4i': 0x8d82,
  '1x4f': 0x822e, // R32F
  '2x4f': 0x8230,
  '4x4f': 0x8814,
};

function info(channels: 1 | 2 | 4, channelBytes: 1 | 2 | 4, suffix: 'ui' | 'i' | 'f'): FormatInfo {
  return {
    kind: kinds[suffix],
    channels,
    channelBytes,
    bytes: channels * channelBytes,
    internalFormat: internal[`${channels}x${channelBytes}${suffix}`]!,
    format: (suffix === 'f' ? floatFormat : integerFormat)[channels],
    type: suffix === 'f' ? 0x1406 : types[suffix][channelBytes],
  };
}

export const formats: Readonly<Record<TextureFormat, FormatInfo>> = {
  u8: info(1, 1, 'ui'),
  u16: info(1, 2, 'ui'),
  i16: info(1, 2, 'i'),
  u32: info(1, 4, 'ui'),
  i32: info(1, 4, 'i'),
  f32: info(1, 4, 'f'),
  // Normalized, because video frames are uploaded in this format. `ivec4(texel * 255.0 + 0.5)` returns the bytes.
  rgba8: {
    kind: 'float',
    channels: 4,
    channelBytes: 1,
    bytes: 4,
    internalFormat: 0x8058,
    format: 0x1908,
    type: 0x1401,
  },
  rg8ui: info(2, 1, 'ui'),
  rgba8ui: info(4, 1, 'ui'),
  rg16ui: info(2, 2, 'ui'),
  rgba16ui: info(4, 2, 'ui'),
  rg16i: info(2, 2, 'i'),
  rgba16i: info(4, 2, 'i'),
  rg32ui: info(2, 4, 'ui'),
  rgba32ui: info(4, 4, 'ui'),
  rg32i: info(2, 4, 'i'),
  rgba32i: info(4, 4, 'i'),
  rg32f: info(2, 4, 'f'),
  rgba32f: info(4, 4, 'f'),
};

/** The same bytes as elements of the type that texSubImage2D requires for this format. */
export function typedView(format: TextureFormat, bytes: Uint8Array): ArrayBufferView {
  const { kind, channelBytes } = formats[format];
  if (channelBytes === 1) return bytes;
  // A view must start at an element boundary. Arena addresses do, but a caller's subarray may not.
  const aligned = bytes.byteOffset % channelBytes === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset } = aligned;
  const length = aligned.byteLength / channelBytes;
  if (channelBytes === 2)
    return kind === 'int' ? new Int16Array(buffer, byteOffset, length) : new Uint16Array(buffer, byteOffset, length);
  if (kind === 'float') return new Float32Array(buffer, byteOffset, length);
  return kind === 'int' ? new Int32Array(buffer, byteOffset, length) : new Uint32Array(buffer, byteOffset, length);
}
