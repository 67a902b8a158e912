/** Results at the size of the photograph, made in bands of rows from the working plane: no seams, little memory. */
import type { CallContext } from '../runtime/capability.ts';
import type { Plane } from '../runtime/plane.ts';

const BAND_PIXELS = 1 << 19;

export interface Enlargement {
  readonly width: number;
  readonly height: number;
  /** Coarse samples a pixel. */
  readonly ratio: number;
}

async function bands(
  { runtime, slice }: CallContext,
  coarse: Plane,
  { width, height, ratio }: Enlargement,
  level: number,
  take: (address: number, stride: number, from: number, to: number) => void,
): Promise<void> {
  const side = runtime.wasm;
  const rows = Math.min(height, Math.max(1, Math.floor(BAND_PIXELS / width)));
  const band = side.plane(width, rows, level < 0 ? 'f32' : 'u8');
  try {
    for (let y = 0; y < height; y += rows) {
      const end = Math.min(height, y + rows);
      if (ratio === 1 && level >= 0) {
        const first = coarse.address + y * coarse.stride;
        side.once('above', [first, coarse.stride, band.address, band.stride, width, level, 0, end - y]);
      } else {
        const size = [coarse.address, coarse.stride, coarse.width, coarse.height, ratio];
        side.once(
          'enlarge',
          [...size, band.address, band.stride, width, level, y, y, end],
          4 * coarse.width + 8 * width + 128,
        );
      }
      take(band.address, band.stride, y, end);
      await slice();
    }
  } finally {
    band.dispose();
  }
}

/** The values themselves, multiplied by `factor`. */
export async function enlargedValues(
  context: CallContext,
  coarse: Plane,
  size: Enlargement,
  factor: number,
): Promise<Float32Array> {
  const { width, height } = size;
  const out = size.ratio === 1 ? (coarse.copy() as Float32Array) : new Float32Array(width * height);
  const { arena } = context.runtime;
  if (size.ratio === 1) for (let i = 0; i < out.length; i++) out[i]! *= factor;
  else
    await bands(context, coarse, size, -1, (address, stride, from, to) => {
      for (let y = from; y < to; y++) {
        const start = (address + (y - from) * stride) >> 2;
        out.set(arena.f32.subarray(start, start + width), y * width);
      }
      for (let i = from * width; i < to * width; i++) out[i]! *= factor;
    });
  return out;
}

/** 255 where the enlarged value is above `level`. */
export async function enlargedAbove(
  context: CallContext,
  coarse: Plane,
  size: Enlargement,
  level: number,
): Promise<Uint8Array> {
  const { width, height } = size;
  const out = new Uint8Array(width * height);
  const { arena } = context.runtime;
  await bands(context, coarse, size, level, (address, stride, from, to) => {
    for (let y = from; y < to; y++) {
      const start = address + (y - from) * stride;
      out.set(arena.u8.subarray(start, start + width), y * width);
    }
  });
  return out;
}
