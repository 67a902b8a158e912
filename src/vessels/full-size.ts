/** Results at the size of the photograph, made in bands of rows from the working plane: no seams, little memory. */
import type { CallContext } from '../runtime/capability.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

const BAND_PIXELS = 1 << 19;
/** Bytes that the kernels write past the end of a row beside a block. */
const ROOM = 16;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A plane of which a sample stands for `block` x `block` pixels. */
export interface Coarse {
  readonly plane: Plane;
  readonly block: number;
}

async function bands(
  { runtime, slice }: CallContext,
  { width, height }: Size,
  planes: (rows: number) => Plane[],
  work: (planes: readonly Plane[], from: number, to: number) => void,
): Promise<void> {
  const rows = Math.min(height, Math.max(1, Math.floor(BAND_PIXELS / width)));
  const made = runtime.wasm.guarded(() => planes(rows));
  try {
    for (let y = 0; y < height; y += rows) {
      work(made, y, Math.min(height, y + rows));
      await slice();
    }
  } finally {
    for (const plane of made) plane.dispose();
  }
}

const head = ({ address, stride, width, height }: Plane) => [address, stride, width, height];
const scratchOf = ({ plane, block }: Coarse) => 4 * (plane.width + block) + 160;

function aboveTo(side: WasmSide, coarse: Coarse, level: number, band: Plane, width: number, from: number, to: number) {
  const { plane, block } = coarse;
  if (block === 1) {
    const first = plane.address + from * plane.stride;
    side.once('above', [first, plane.stride, band.address, band.stride, width, level, 0, to - from]);
  } else
    side.once(
      'enlargeAbove',
      [...head(plane), block, level, band.address, band.stride, width, from, from, to],
      scratchOf(coarse),
    );
}

/** The values themselves, multiplied by `factor`. */
export async function enlargedValues(
  context: CallContext,
  coarse: Coarse,
  size: Size,
  factor: number,
): Promise<Float32Array> {
  const side = context.runtime.wasm;
  const { width, height } = size;
  const { plane, block } = coarse;
  const out = new Float32Array(width * height);
  await bands(
    context,
    size,
    (rows) => [side.plane(width + block + ROOM, rows, 'f32')],
    ([band], from, to) => {
      side.once(
        'enlargeValues',
        [...head(plane), block, factor, band!.address, band!.stride, width, from, from, to],
        scratchOf(coarse),
      );
      const { f32 } = side.arena;
      for (let y = from; y < to; y++) {
        const start = (band!.address + (y - from) * band!.stride) >> 2;
        out.set(f32.subarray(start, start + width), y * width);
      }
    },
  );
  return out;
}

/** 255 where the enlarged response is above `level`; the field of view; the share of it that the response covers. */
export async function enlargedMasks(
  context: CallContext,
  response: Coarse,
  level: number,
  field: Coarse,
  size: Size,
): Promise<{ mask: Uint8Array; field: Uint8Array; fraction: number }> {
  const side = context.runtime.wasm;
  const { width, height } = size;
  const results = [new Uint8Array(width * height), new Uint8Array(width * height)] as const;
  let [covered, inside] = [0, 0];
  await bands(
    context,
    size,
    (rows) => [response, field].map(({ block }) => side.plane(width + block + ROOM, rows, 'u8')),
    ([mask, over], from, to) => {
      aboveTo(side, response, level, mask!, width, from, to);
      aboveTo(side, field, 0.5, over!, width, from, to);
      const count = (a: Plane, b: Plane) =>
        side.kernels.evaluate('countBoth', a.address, a.stride, b.address, b.stride, width, to - from);
      covered += count(mask!, over!);
      inside += count(over!, over!);
      const { u8 } = side.arena;
      for (const [i, band] of [mask!, over!].entries())
        for (let y = from; y < to; y++) {
          const start = band.address + (y - from) * band.stride;
          results[i]!.set(u8.subarray(start, start + width), y * width);
        }
    },
  );
  return { mask: results[0], field: results[1], fraction: inside ? covered / inside : 0 };
}
