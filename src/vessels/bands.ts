/** Results of whole images in bands of rows from the whole gray plane: no seams, little memory, cancelled between two. */
import type { CallContext } from '../runtime/capability.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';

/** Pixels of a band: a few milliseconds of work. */
const BAND_PIXELS = 1 << 18;
/** Above these the planes of a whole image would take too much of the arena for what threads give. */
const WHOLE_PIXELS = 1 << 24;

export const wantsBands = (side: WasmSide, { width, height }: Plane): boolean =>
  side.threads === 1 || width * height > WHOLE_PIXELS;

/** `work(planes, y, end)` makes rows y..end-1, from the first row of `count` float planes of a band's size on. */
export async function inBands(
  { runtime, slice, progress }: CallContext,
  { width, height }: Plane,
  count: number,
  work: (planes: readonly Plane[], y: number, end: number) => void,
): Promise<void> {
  const side = runtime.wasm;
  const rows = Math.min(height, Math.max(8, Math.floor(BAND_PIXELS / width)));
  const planes = side.guarded(() => Array.from({ length: count }, () => side.plane(width, rows, 'f32')));
  try {
    for (let y = 0; y < height; y += rows) {
      const end = Math.min(height, y + rows);
      work(planes, y, end);
      progress(end / height);
      await slice();
    }
  } finally {
    for (const plane of planes) plane.dispose();
  }
}

/** The first rows of a band's plane to rows y..end-1 of an array. */
export function copyRows(
  side: WasmSide,
  { address, stride, width }: Plane,
  out: Float32Array,
  y: number,
  end: number,
): void {
  for (let r = y; r < end; r++) {
    const start = (address + (r - y) * stride) >> 2;
    out.set(side.arena.f32.subarray(start, start + width), r * width);
  }
}
