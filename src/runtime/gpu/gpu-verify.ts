/**
 * Uploads a known pattern, draws it with a pass and reads it back. Some browsers add noise to canvas reads to prevent
 * fingerprinting, and some drivers are broken. Then every result would be wrong without an error.
 */
import type { GpuBackend } from './gpu-backend.ts';
import { Plane, type PlaneFormat, type PlaneHost } from '../plane.ts';

const WIDTH = 37;
const HEIGHT = 11;

function pattern(bytes: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes);
  let s = 2463534242;
  for (let i = 0; i < bytes; i++) {
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    out[i] = s >>> 24;
  }
  return out;
}

const equal = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((v, i) => v === b[i]);

/** Null if the GPU works, otherwise the reason not to use it. Rejects with 'context-lost'. */
export async function verifyGpu(host: PlaneHost, backend: GpuBackend): Promise<string | null> {
  const formats: PlaneFormat[] = ['u8', 'rgba8', 'u32'];
  if (backend.capabilities.floatTargets) formats.push('f32');
  for (const format of formats) {
    const bytes = pattern(WIDTH * HEIGHT * (format === 'u8' ? 1 : 4));
    // Integers, because the conversion of NaN and denormal values is not tested here.
    const data = format === 'f32' ? Float32Array.from(bytes.subarray(0, WIDTH * HEIGHT)) : bytes;
    const expected = new Uint8Array(data.buffer);
    const plane = Plane.from(host, WIDTH, HEIGHT, format, data);
    try {
      const read = await backend.download(plane.texture());
      if (!equal(read, expected)) return `WebGL2 does not return its ${format} samples unchanged.`;
      if (format !== 'u8') continue;
      const copy = backend.toPlane(plane.texture()); // only on the GPU, so that a pass packs it
      const packed = backend.packed(copy, 4);
      const drawn = await backend.read(packed).finally(() => backend.release(packed));
      for (let y = 0; y < HEIGHT; y++)
        if (
          !equal(drawn.subarray(4 * packed.width * y).subarray(0, WIDTH), expected.subarray(WIDTH * y, WIDTH * (y + 1)))
        )
          return 'WebGL2 does not draw its samples unchanged.';
    } finally {
      plane.dispose();
    }
  }
  return null;
}
