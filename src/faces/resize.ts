/**
 * Reduction of an image for detection: bilinear with 8-bit weights, byte for byte OpenCV's INTER_LINEAR_EXACT, and
 * halving by means where an image is made much smaller.
 */
import { roundEven } from '../image/numbers.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

/** Per sample of the result: the left (upper) sample and the weight of its neighbour in 1/256. */
export function resizeTable(from: number, to: number): Int32Array {
  const table = new Int32Array(2 * to);
  const scale = from / to;
  for (let i = 0; i < to; i++) {
    const at = scale * (i + 0.5) - 0.5;
    const low = Math.floor(at);
    const inside = low >= 0 && low < from - 1;
    table[2 * i] = Math.min(Math.max(low, 0), from - 1);
    // Rounded to even, as the table of the original is.
    table[2 * i + 1] = inside ? roundEven((at - low) * 256) : 0;
  }
  return table;
}

/** A new plane of width x height. */
export function resizeExact(side: WasmSide, source: Plane, width: number, height: number): Plane {
  const out = side.plane(width, height, 'u8');
  const columns = resizeTable(source.width, width);
  const rows = resizeTable(source.height, height);
  side.temporary(columns.byteLength + rows.byteLength, (tables) => {
    side.arena.i32.set(columns, tables >> 2);
    side.arena.i32.set(rows, (tables + columns.byteLength) >> 2);
    const args = [source.address, source.stride, out.address, out.stride, width, tables, tables + columns.byteLength];
    side.bands('resizeExact', height, [...args, source.height], { scratch: 2 * ((2 * width + 31) & ~31) + 64 });
  });
  return out;
}

/** The size with the long side at most `longest`. */
export function reducedSize(
  source: { width: number; height: number },
  longest: number,
): { width: number; height: number } {
  const scale = longest / Math.max(source.width, source.height);
  return {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  };
}

/** The image with its long side at most `longest`: halved while that is possible, the rest bilinear. */
export function reduceTo(side: WasmSide, source: Plane, longest: number): Plane {
  const { width, height } = reducedSize(source, longest);
  let image = source;
  while (image.width >= 2 * width && image.height >= 2 * height) {
    const half = side.plane(image.width >> 1, image.height >> 1, 'u8');
    side.bands('halve', half.height, [image.address, image.stride, half.address, half.stride, half.width]);
    if (image !== source) image.dispose();
    image = half;
  }
  if (image.width === width && image.height === height) return image;
  const out = resizeExact(side, image, width, height);
  if (image !== source) image.dispose();
  return out;
}
