/** Takes the seams out of a filled hole: see assembly/inpaint/blend.ts for the equation. */
import type { WasmSide } from '../runtime/wasm-side.ts';
import type { Box } from './wasm-buffers.ts';

/** Sweeps; what a misfit still changes after them is below half a level. */
const SWEEPS = 60;
/** Pixels of one call: well below a millisecond. */
const PIXELS = 1 << 16;

/** Addresses and strides of the picture; `origin`: sources of the hole's box. */
export interface Filled {
  readonly width: number;
  readonly height: number;
  readonly source: number;
  readonly image: number;
  readonly stride: number;
  readonly origin: number;
  readonly box: Box;
}

/** Changes the image's filled pixels in place. */
export async function blend(side: WasmSide, filled: Filled, slice: () => Promise<void>): Promise<void> {
  const { width, height, source, image, stride, origin, box } = filled;
  const x = Math.max(0, box.x - 1);
  const y = Math.max(0, box.y - 1);
  const columns = Math.min(width, box.x + box.width + 1) - x;
  const rows = Math.min(height, box.y + box.height + 1) - y;
  const values = side.arena.allocate(36 * columns * rows);
  try {
    const constants = values + 16 * columns * rows;
    const inverses = constants + 16 * columns * rows;
    const planes = [source, image, stride, width, height, origin];
    const frame = [x, y, columns, values, constants, inverses];
    side.bands('inpaintBlendStart', rows, [...planes, box.x, box.y, box.width, box.height, ...frame]);
    await slice();
    const perCall = Math.max(1, Math.floor(PIXELS / (columns * rows)));
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      for (const parity of [0, 1])
        side.bands('inpaintBlendSweep', rows, [values, constants, inverses, columns, rows, parity]);
      if (sweep % perCall === 0) await slice();
    }
    side.bands('inpaintBlendEnd', rows, [values, inverses, image, stride, x, y, columns]);
  } finally {
    side.arena.free(values);
  }
}
