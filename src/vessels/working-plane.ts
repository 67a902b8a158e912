/**
 * From a photograph to the plane that vessels are sought in: the green channel in means over whole blocks, as
 * large as the scales allow, as contrast against its background in percent. The background is a mean
 * over about a sixteenth of the field; what is brighter than it by a tenth is cut there, so that bright lesions and the
 * disc cast no dark rims. Planes lie on the arena; large images are never held more than once.
 */
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { fieldOfView, type FieldOfView } from './field-of-view.ts';

/** Blocks of the search for the field of view across the image. */
const FIELD_BLOCKS = 192;
/** Half the width of the background's window, in parts of the field's width; the window is applied twice. */
const BACKGROUND = 0.03;
/** Cells of the background's window to either side. */
const CELLS = 3;
const WINDOW = { reach: CELLS, times: 2 };
/** The window that the contrast is continued by outside of the field. */
const NEAR = { reach: 1, times: 1 };
/** Brightness, in parts of the background, above which samples are cut. */
const CEILING = 1.1;
/** Of the mean background, added to the divisor: keeps noise in dark corners down. */
const OFFSET = 0.25;

export interface WorkingPlane {
  readonly width: number;
  readonly height: number;
  /** Source pixels of a working pixel along one side. */
  readonly block: number;
  /** Contrast in percent, continued outside of `inside`; f32. */
  readonly contrast: Plane;
  /** 255 where vessels are sought; u8. */
  readonly inside: Plane;
  readonly field: FieldOfView;
  /** Sides of the field's blocks. */
  readonly fieldSize: { width: number; height: number; block: number };
  /** Diameter of a circle of the field's area, in working pixels. */
  readonly diameter: number;
  dispose(): void;
}

/** Source pixels that are reduced at a time. */
const BAND_PIXELS = 1 << 21;
/** From how many times the wanted width on two pixels become one: there a pixel costs most. */
const HALVED = 1.27;

const blockOf = (ratio: number) => (ratio < HALVED ? 1 : Math.max(2, Math.round(ratio)));

/** Bytes between pixels of one channel. */
const step = (source: Plane) => (source.format === 'rgba8' ? 4 : 1);

function findField(side: WasmSide, source: Plane): { field: FieldOfView; size: WorkingPlane['fieldSize'] } {
  const { width, height } = source;
  const block = Math.max(1, Math.round(Math.max(width, height) / FIELD_BLOCKS));
  const [columns, rows] = [Math.ceil(width / block), Math.ceil(height / block)];
  const means = side.plane(columns, rows, 'f32');
  try {
    // A few rows tell a block's brightness as well as all of them.
    const skip = Math.max(1, block >> 2);
    side.bands('blockBrightness', rows, [
      ...[source.address, source.stride, step(source), width, height, block, skip, means.address, means.stride],
    ]);
    const brightness = means.copy() as Float32Array;
    return { field: fieldOfView(brightness, columns, rows), size: { width: columns, height: rows, block } };
  } finally {
    means.dispose();
  }
}

/** The plane of a mask of the field, enlarged to `width` x `height`; `ratio` blocks a pixel. */
export function enlargedMask(
  side: WasmSide,
  mask: Float32Array,
  { width: columns, height: rows }: { width: number; height: number },
  ratio: number,
  width: number,
  height: number,
): Plane {
  const coarse = side.plane(columns, rows, 'f32');
  try {
    const { u8 } = side.arena;
    for (let y = 0; y < rows; y++)
      u8.set(
        new Uint8Array(mask.buffer, mask.byteOffset + 4 * y * columns, 4 * columns),
        coarse.address + y * coarse.stride,
      );
    const out = side.plane(width, height, 'u8');
    side.bands(
      'enlargeMask',
      height,
      [coarse.address, coarse.stride, columns, rows, ratio, out.address, out.stride, width, 0.5],
      { scratch: 4 * columns + 8 * width + 128 },
    );
    return out;
  } finally {
    coarse.dispose();
  }
}

/** Sums over a window of `reach` cells to either side, `times` along each axis, in place; whole rows at a time. */
function smoothCells(
  cells: Float64Array,
  width: number,
  height: number,
  { reach, times }: { reach: number; times: number },
): void {
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

/** A plane of coarse cells as an array. */
function cellsOf(side: WasmSide, address: number, stride: number, columns: number, rows: number): Float64Array {
  const { f32 } = side.arena;
  const out = new Float64Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    const start = (address + y * stride) >> 2;
    out.set(f32.subarray(start, start + columns), y * columns);
  }
  return out;
}

const total = (cells: Float64Array) => {
  let sum = 0;
  for (let i = 0; i < cells.length; i++) sum += cells[i]!;
  return sum;
};

/** Cells of the working plane: `smoothed` sums of the mask's pixels over the same window as the samples' sums. */
interface Cells {
  readonly columns: number;
  readonly rows: number;
  readonly window: { reach: number; times: number };
  readonly smoothed: Float64Array;
}

/** Means over a window of cells, to the plane at `address`; `otherwise` where no sample is near. */
function localMeans(
  side: WasmSide,
  sums: Float64Array,
  { columns, rows, window, smoothed }: Cells,
  otherwise: number,
  address: number,
  stride: number,
): void {
  smoothCells(sums, columns, rows, window);
  const { f32 } = side.arena;
  for (let y = 0, i = 0; y < rows; y++)
    for (let x = 0, out = (address + y * stride) >> 2; x < columns; x++, i++, out++)
      f32[out] = smoothed[i]! > 0.5 ? sums[i]! / smoothed[i]! : otherwise;
}

/** Lets others work, as CallContext's. */
type Slice = () => Promise<void>;

/**
 * Replaces gray by its contrast; outside of the mask by the mean contrast of what is inside nearby, so that a field that
 * darkens towards its rim has no step there, which would look like a vessel. All means have cells of `block` pixels.
 */
async function normalise(side: WasmSide, plane: Plane, inside: Plane, diameter: number, slice: Slice): Promise<void> {
  const { width, height } = plane;
  const block = Math.max(1, Math.round((diameter * BACKGROUND) / CELLS));
  const [columns, rows] = [Math.ceil(width / block), Math.ceil(height / block)];
  const stride = (4 * columns + 31) & ~15;
  const bytes = stride * rows;
  const table = side.arena.allocate(4 * bytes);
  try {
    const [first, second, sums, counts] = [table, table + bytes, table + 2 * bytes, table + 3 * bytes];
    const image = [plane.address, plane.stride, inside.address, inside.stride];
    const scratch = { scratch: 4 * (columns + 4 * (width + block)) + 512 };
    const cellSums = (ceiling: number) => {
      side.bands(
        'maskedSums',
        rows,
        [...image, width, height, block, first, stride, columns, rows, ceiling, sums, counts],
        scratch,
      );
      return cellsOf(side, sums, stride, columns, rows);
    };
    const gray = cellSums(0);
    // The mask is the same each time, and so is the number of its pixels.
    const number = cellsOf(side, counts, stride, columns, rows);
    const level = total(gray) / Math.max(1, total(number));
    const cells = (window: Cells['window']): Cells => {
      const smoothed = number.slice();
      smoothCells(smoothed, columns, rows, window);
      return { columns, rows, window, smoothed };
    };
    const wide = cells(WINDOW);
    localMeans(side, gray, wide, level, first, stride);
    await slice();
    localMeans(side, cellSums(CEILING), wide, level, second, stride);
    await slice();
    const offset = OFFSET * level;
    const gain = 100 * (1 + OFFSET);
    side.bands(
      'contrast',
      height,
      [...image, width, block, first, second, stride, columns, rows, CEILING, offset, gain],
      scratch,
    );
    await slice();
    localMeans(side, cellSums(0), cells(NEAR), 0, first, stride);
    side.bands('fillOutside', height, [...image, width, block, first, stride, columns, rows], scratch);
  } finally {
    side.arena.free(table);
  }
}

/** The green channel, or gray, in means over blocks. */
async function reduced(side: WasmSide, source: Plane, block: number, out: Plane, slice: Slice): Promise<void> {
  const channel = source.address + (source.format === 'rgba8' ? 1 : 0);
  const args = [channel, source.stride, step(source), block, out.address, out.stride, out.width];
  const rows = Math.max(16, Math.floor(BAND_PIXELS / (block * block * out.width)));
  for (let first = 0; first < out.height; first += rows) {
    const options = { scratch: 4 * out.width * block + 64, first };
    side.bands('blockMean', Math.min(out.height, first + rows), args, options);
    await slice();
  }
}

/**
 * Of a gray or RGBA plane on the arena; `wanted`: about how many working pixels wide the field of view may be. The caller
 * disposes of it.
 */
export async function workingPlane(
  side: WasmSide,
  source: Plane,
  wanted: number,
  slice: Slice = () => Promise.resolve(),
): Promise<WorkingPlane> {
  const { field, size } = findField(side, source);
  await slice();
  const diameter = Math.sqrt((field.area * source.width * source.height * 4) / Math.PI);
  const block = Math.min(blockOf(diameter / wanted), source.width, source.height);
  const [width, height] = [Math.floor(source.width / block), Math.floor(source.height / block)];
  const planes: Plane[] = [];
  const dispose = () => {
    for (const plane of planes.splice(0)) plane.dispose();
  };
  try {
    const contrast = side.plane(width, height, 'f32');
    planes.push(contrast);
    await reduced(side, source, block, contrast, slice);
    const inside = enlargedMask(side, field.inner, size, block / size.block, width, height);
    planes.push(inside);
    await slice();
    await normalise(side, contrast, inside, diameter / block, slice);
    return { width, height, block, contrast, inside, field, fieldSize: size, diameter: diameter / block, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Mean red, green and blue of a sample of pixels inside the field; null for a gray picture. */
export function meanColour(
  side: WasmSide,
  source: Plane,
  { inside, block, width, height }: WorkingPlane,
): [number, number, number] | null {
  if (source.format !== 'rgba8') return null;
  const { u8 } = side.arena;
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / 16384)));
  let [red, green, blue, count] = [0, 0, 0, 0];
  let colourful = false;
  for (let y = 0; y < height; y += step) {
    const row = source.address + y * block * source.stride;
    const mask = inside.address + y * inside.stride;
    for (let x = 0; x < width; x += step) {
      if (!u8[mask + x]) continue;
      const p = row + 4 * x * block;
      const [r, g, b] = [u8[p]!, u8[p + 1]!, u8[p + 2]!];
      red += r;
      green += g;
      blue += b;
      if (r !== g || g !== b) colourful = true;
      count++;
    }
  }
  return count && colourful ? [red / count, green / count, blue / count] : null;
}
