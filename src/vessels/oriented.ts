/**
 * Response to dark lines of several widths: vessels/line-maximum at each scale, brought together as multiples of the
 * scale's own noise (median absolute deviation inside the field of view), so that a scale at which a photograph is noisy
 * counts for less. A coarse scale is worked on in a plane reduced so far that its sigma is still SMALLEST there.
 * Sources: Frangi et al. 1998 and Lindeberg 1998 for the scales; averaging along lines after Nguyen et al. 2013.
 */
import type { CallContext } from '../runtime/capability.ts';
import type { Texture } from '../runtime/gpu-side.ts';
import type { Plane } from '../runtime/plane.ts';
import { sideOf } from '../runtime/stage.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { lineMaximum, lineMaximumInBands } from './line-maximum.ts';
import { lineTermRows } from './line-terms.ts';
import { lineMaximumGpu, lineTermsGpu } from './line.gpu.ts';
import { lineTable } from './line-table.ts';
import { packedOf, packedRow } from './packed.gpu.ts';
import type { WorkingPlane } from './working-plane.ts';

export interface LineScale {
  /** Both in working pixels. */
  readonly sigma: number;
  readonly length: number;
}

/** Standard deviation in pixels below which a scale is not reduced any further. */
const SMALLEST = 1.5;
/** Times that a plane may be halved. */
const HALVINGS = 3;
/** Rows whose derivatives say how large they are. */
const ROWS = 10;
/** Share of them below TYPICAL, and how many times that fits into the integers: what is larger still is cut. */
const TYPICAL = 0.995;
const HEADROOM = 4;

/** A scale in the plane that it is worked on in. */
interface Reduced {
  readonly halvings: number;
  readonly sigma: number;
  readonly length: number;
}

export function reducedScale({ sigma, length }: LineScale): Reduced {
  // Of the means over blocks, which smooth by themselves.
  const at = (halvings: number) => {
    const block = 2 ** halvings;
    return Math.sqrt(Math.max(0, sigma * sigma - (block * block - 1) / 12)) / block;
  };
  let halvings = 0;
  while (halvings < HALVINGS && at(halvings + 1) >= SMALLEST) halvings++;
  return { halvings, sigma: Math.max(0.3, at(halvings)), length: length / 2 ** halvings };
}

/**
 * Integer steps of a second difference of 1, as fine as 16 bits allow: from a few rows of the plane, on the WASM side
 * always, so that both sides take the same.
 */
function integerScale(side: WasmSide, source: Plane, { sigma, length }: Reduced): number {
  const { width, height } = source;
  const coarse = 256 / Math.min(2, 0.5 / (sigma * sigma));
  const rows = Math.min(ROWS, height);
  const sizes = new Int32Array(rows * width);
  const planes = side.guarded(() => Array.from({ length: 3 }, () => side.plane(width, 1, 'i16')));
  let count = 0;
  try {
    for (let k = 0; k < rows; k++) {
      const first = Math.floor(((k + 0.5) * height) / rows);
      lineTermRows(side, source, { sigma, scale: coarse }, { planes, first }, first, first + 1);
      const i16 = new Int16Array(side.arena.memory.buffer);
      const [m, f, d] = planes.map(({ address }) => address >> 1) as [number, number, number];
      for (let x = 0; x < width; x++) {
        const size = Math.abs(i16[m + x]!) + Math.abs(i16[f + x]!) + Math.abs(i16[d + x]!);
        if (size > 0) sizes[count++] = size;
      }
    }
  } finally {
    for (const plane of planes) plane.dispose();
  }
  if (!count) return 1;
  const sorted = sizes.subarray(0, count).sort();
  const largest = sorted.at(-1)!;
  const range = Math.max(HEADROOM * sorted[Math.floor(TYPICAL * (sorted.length - 1))]!, largest / HEADROOM);
  return Math.min(32767, Math.max(1, (coarse * lineTable(sigma, length).limit) / range));
}

/** Samples of the plane that the noise is measured on, along one side. */
const SAMPLES = 160;
const BINS = 1024;

/** Middle of a histogram: the first bin up to which half of the counts lie. */
function middle(counts: Uint32Array, total: number): number {
  let below = 0;
  for (let i = 0; i < counts.length; i++) if (2 * (below += counts[i]!) >= total) return i;
  return counts.length - 1;
}

/** Median absolute deviation from the median, of a sample of the plane under the mask; in bins of 1/128 of the mean. */
function noise(side: WasmSide, { address, stride, width, height }: Plane, mask: Plane, block: number): number {
  const { u8 } = side.arena;
  const i16 = new Int16Array(side.arena.memory.buffer);
  const step = Math.max(1, Math.floor(Math.max(width, height) / SAMPLES));
  const values = new Int16Array(Math.ceil(width / step) * Math.ceil(height / step));
  let total = 0;
  let sum = 0;
  for (let y = step >> 1; y < height; y += step) {
    const row = (address + y * stride) >> 1;
    const line = mask.address + Math.min(mask.height - 1, y * block + (block >> 1)) * mask.stride;
    for (let x = step >> 1; x < width; x += step) {
      if (!u8[line + Math.min(mask.width - 1, x * block + (block >> 1))]) continue;
      const v = i16[row + x]!;
      values[total++] = v;
      sum += v;
    }
  }
  if (!(sum > 0)) return 0;
  const scale = (128 * total) / sum;
  const counts = new Uint32Array(BINS);
  for (let i = 0; i < total; i++) counts[Math.min(BINS - 1, Math.floor(values[i]! * scale))]!++;
  const median = middle(counts, total);
  const deviations = new Uint32Array(BINS);
  for (let i = 0; i < BINS; i++) deviations[Math.abs(i - median)]! += counts[i]!;
  return (middle(deviations, total) + 0.5) / scale;
}

/** The working plane and its reductions, each made when it is first asked for. */
function pyramid(side: WasmSide, base: Plane): { level(halvings: number): Plane; dispose(): void } {
  const levels = [base];
  return {
    level(halvings) {
      while (levels.length <= halvings) {
        const { address, stride, width, height } = levels.at(-1)!;
        const half = side.plane((width + 1) >> 1, (height + 1) >> 1, 'f32');
        levels.push(half);
        side.bands('halveF32', half.height, [address, stride, width, height, half.address, half.stride]);
      }
      return levels[halvings]!;
    },
    dispose() {
      for (const plane of levels.slice(1)) plane.dispose();
    },
  };
}

/** The response at one scale, on the arena; what the GPU computes is on its way when this returns. */
type AtScale = (source: Plane, scale: Reduced) => Promise<Plane>;

function onWasm({ runtime, slice }: CallContext): AtScale {
  const side = runtime.wasm;
  return (source, reduced) => {
    const { sigma, length } = reduced;
    const scale = integerScale(side, source, reduced);
    return lineMaximumInBands(side, source, { sigma, length, scale }, slice);
  };
}

function onGpu({ runtime }: CallContext): AtScale {
  const gpu = runtime.gpu!;
  const side = runtime.wasm;
  return async (source, reduced) => {
    gpu.usable();
    const { sigma, length } = reduced;
    const scale = integerScale(side, source, reduced);
    const { width, height } = source;
    const packed = packedOf(gpu, runtime.arena, source, 'rgba32f');
    const lent: Texture[] = [packed];
    let bytes: Promise<Uint8Array>;
    try {
      const terms = lineTermsGpu(gpu, packed, { width, sigma, scale });
      lent.push(...terms);
      const best = lineMaximumGpu(gpu, terms, { width, sigma, length });
      lent.push(best);
      bytes = gpu.read(best);
    } finally {
      for (const texture of lent) gpu.release(texture);
    }
    const rows = await bytes;
    const plane = side.plane(width, height, 'i16');
    const row = packedRow(width, 'rgba16i');
    const { u8 } = side.arena;
    for (let y = 0; y < height; y++) u8.set(rows.subarray(y * row, (y + 1) * row), plane.address + y * plane.stride);
    return plane;
  };
}

/** Sum over scales, in multiples of their noise, 0 outside of the mask; f32, on the arena. */
export async function lineResponse(
  context: CallContext,
  { contrast, inside, width, height }: WorkingPlane,
  scales: readonly LineScale[],
): Promise<Plane> {
  const { runtime, slice, progress } = context;
  const side = runtime.wasm;
  const gpu = sideOf(runtime, lineMaximum, [contrast]) === 'gpu';
  const at = gpu ? onGpu(context) : onWasm(context);
  const levels = pyramid(side, contrast);
  const total = side.plane(width, height, 'f32');
  let ahead: Promise<Plane>[] = [];
  let done = false;
  try {
    const list = scales.map(reducedScale);
    // The GPU gets all of its work before the first result is waited for.
    if (gpu) ahead = list.map((scale) => at(levels.level(scale.halvings), scale));
    for (const one of ahead) one.catch(() => {}); // reported when its turn comes
    for (const [k, scale] of list.entries()) {
      const best = await (ahead[k] ?? at(levels.level(scale.halvings), scale));
      try {
        const block = 2 ** scale.halvings;
        const deviation = noise(side, best, inside, block);
        side.bands(
          'accumulateLines',
          height,
          [
            ...[best.address, best.stride, best.width, best.height, block, inside.address, inside.stride],
            ...[total.address, total.stride, width, deviation > 0 ? 1 / deviation : 0, k === 0 ? 1 : 0],
          ],
          { scratch: 4 * best.width + 96 },
        );
      } finally {
        best.dispose();
      }
      progress((k + 1) / scales.length);
      await slice();
    }
    done = true;
    return total;
  } finally {
    levels.dispose();
    if (!done) total.dispose();
  }
}
