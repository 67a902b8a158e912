/**
 * Contrast relative to the background in percent. The background is a mean over about a sixteenth of the field. Samples
 * more than a tenth brighter than the background are clipped there, so that bright lesions and the disc do not cause
 * dark rims. Means are computed over cells and interpolated between their centers. Outside the mask the plane has the
 * mean contrast of nearby pixels inside. A field that darkens towards its rim then has no step there, which would look
 * like a vessel.
 */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import { number } from '../../runtime/parameters.ts';
import { BackgroundCellsRecord } from '../../runtime/wasm/records.ts';
import type { Block, Scope } from '../../runtime/scope.ts';
import { defineStage } from '../../runtime/stage.ts';

/** Half the width of the background's window, relative to the width of the field. The window is applied twice. */
const BACKGROUND = 0.03;
/** Cells of the background's window on each side of the center. */
const CELLS = 3;
const WINDOW = { reach: CELLS, times: 2 };
/** The window for extending the contrast outside the field. */
const NEAR = { reach: 1, times: 1 };
/** Brightness, relative to the background, where samples are clipped. */
const CEILING = 1.1;
/** Share of the mean background that is added to the divisor. It reduces noise in dark corners. */
const OFFSET = 0.25;

/** Cell size for a field of view with this diameter. */
export const cellOf = (diameter: number): number => Math.max(1, Math.round((diameter * BACKGROUND) / CELLS));

interface Window {
  readonly reach: number;
  readonly times: number;
}

/**
 * Sums over a window of `reach` cells to each side, `times` along each axis, in place. Processes whole rows at a time.
 */
function smoothCells(cells: Float64Array, width: number, height: number, { reach, times }: Window): void {
  const line = new Float64Array(Math.max(width, height));
  const sums = new Float64Array(width);
  const copy = new Float64Array(cells.length);
  for (let k = 0; k < times; k++) {
    for (let row = 0; row < cells.length; row += width) {
      let sum = 0;
      for (let i = -reach; i < width; i++) {
        if (i + reach < width) sum += cells[row + i + reach]!;
        if (i - reach - 1 >= 0) sum -= cells[row + i - reach - 1]!;
        if (i >= 0) line[i] = sum;
      }
      for (let i = 0; i < width; i++) cells[row + i] = line[i]!;
    }
    copy.set(cells);
    sums.fill(0);
    for (let y = -reach; y < height; y++) {
      const enters = (y + reach) * width;
      const leaves = (y - reach - 1) * width;
      if (y + reach < height) for (let x = 0; x < width; x++) sums[x]! += copy[enters + x]!;
      if (leaves >= 0) for (let x = 0; x < width; x++) sums[x]! -= copy[leaves + x]!;
      if (y >= 0) cells.set(sums, y * width);
    }
  }
}

const total = (cells: Float64Array) => {
  let sum = 0;
  for (let i = 0; i < cells.length; i++) sum += cells[i]!;
  return sum;
};

/** Layout of the cells over a plane, and its address for kernels. */
interface Cells {
  readonly columns: number;
  readonly rows: number;
  readonly stride: number;
  readonly record: { readonly address: number };
}

function cellsOver(scope: Scope, width: number, height: number, block: number): Cells {
  const [columns, rows] = [Math.ceil(width / block), Math.ceil(height / block)];
  const stride = (4 * columns + 31) & ~15;
  return { columns, rows, stride, record: scope.record(BackgroundCellsRecord, { block, columns, rows, stride }) };
}

/** A table of cells as an array. */
function read(scope: Scope, table: Block, { columns, rows, stride }: Cells): Float64Array {
  const values = scope.f32(table, table.bytes / 4);
  const out = new Float64Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    const start = (y * stride) >> 2;
    out.set(values.subarray(start, start + columns), y * columns);
  }
  return out;
}

/**
 * Means over a window of cells, written to a table. `otherwise` without a sample nearby. `counts` are already
 * smoothed.
 */
function means(
  scope: Scope,
  { columns, rows, stride }: Cells,
  [sums, counts]: readonly [Float64Array, Float64Array],
  window: Window,
  otherwise: number,
  table: Block,
): void {
  smoothCells(sums, columns, rows, window);
  const values = scope.f32(table, table.bytes / 4);
  for (let y = 0, i = 0; y < rows; y++)
    for (let x = 0, out = (y * stride) >> 2; x < columns; x++, i++, out++)
      values[out] = counts[i]! > 0.5 ? sums[i]! / counts[i]! : otherwise;
}

/** Inputs: gray, and 255 inside the field. */
export const contrast = defineStage({
  name: 'vessels/contrast',
  params: {
    cell: number({
      default: 5,
      min: 1,
      max: 1024,
      integer: true,
      unit: 'px',
      effect: 'Side of the background cells.',
    }),
  },
  inputs: ['f32', 'u8'],
  outputs: ['f32'],
  // In percent.
  tolerance: 0.01,
  wasmOnly: 'The next pass waits for sums over cells, three times. A GPU would wait for the results.',
  *wasm(scope, [source, mask], { cell }) {
    const { width, height } = source;
    const cells = cellsOver(scope, width, height, cell);
    const { columns, rows, stride, record } = cells;
    const table = () => scope.block(stride * rows);
    const [first, second, sums, counts] = [table(), table(), table(), table()];
    function* cellSums(plane: typeof source, ceiling: number): Plan<Float64Array> {
      yield* scope.kernels.maskedSums(
        { source: plane, mask, width, height, cells: record, background: first, ceiling, sums, counts },
        { rows, cost: width * cell },
      );
      return read(scope, sums, cells);
    }
    const gray = yield* cellSums(source, 0);
    // The mask is always the same, and so is the number of its pixels.
    const number = read(scope, counts, cells);
    const level = total(gray) / Math.max(1, total(number));
    const within = (window: Window) => {
      const smoothed = number.slice();
      smoothCells(smoothed, columns, rows, window);
      return smoothed;
    };
    const wide = within(WINDOW);
    means(scope, cells, [gray, wide], WINDOW, level, first);
    means(scope, cells, [yield* cellSums(source, CEILING), wide], WINDOW, level, second);
    const target = scope.plane(width, height, 'f32');
    const relative = { ceiling: CEILING, offset: OFFSET * level, gain: 100 * (1 + OFFSET) };
    yield* scope.kernels.contrast(
      { source, mask, target, width, cells: record, first, second, ...relative },
      { rows: height },
    );
    means(scope, cells, [yield* cellSums(target, 0), within(NEAR)], NEAR, 0, first);
    yield* scope.kernels.fillOutside({ plane: target, mask, width, cells: record, values: first }, { rows: height });
    return [target];
  },
});
