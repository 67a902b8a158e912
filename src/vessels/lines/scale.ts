/** A scale of the line response in its reduced plane, and the integer steps for a photograph. */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { HALVINGS } from './enlarge.ts';
import { lineTable } from './table.ts';
import { lineTermRows, termPlanes } from './maximum.ts';

/** Maximum number of scales in one response. */
export const MOST_SCALES = 5;

export interface LineScale {
  /** Both in working pixels. */
  readonly sigma: number;
  readonly length: number;
}

export interface ReducedScale extends LineScale {
  /** Number of pyramid levels. */
  readonly halvings: number;
}

// These constants were chosen for speed, with `npm run lab -- speed vessels`. The results of `npm run bench -- accuracy vessels`
// changed by less than 0.003.

/** Standard deviation in pixels below which a scale is not reduced further. */
const SMALLEST = 1.5;
/** Number of rows used to estimate the size of the derivatives. */
const ROWS = 10;
/**
 * Quantile of the derivatives that counts as typical, and how many times it fits into the integers. Larger values are
 * clipped.
 */
const TYPICAL = 0.995;
const HEADROOM = 4;

export function reducedScale({ sigma, length }: LineScale): ReducedScale {
  // Means over blocks also smooth.
  const at = (halvings: number) => {
    const block = 2 ** halvings;
    return Math.sqrt(Math.max(0, sigma * sigma - (block * block - 1) / 12)) / block;
  };
  let halvings = 0;
  while (halvings < HALVINGS && at(halvings + 1) >= SMALLEST) halvings++;
  return { halvings, sigma: Math.max(0.3, at(halvings)), length: length / 2 ** halvings };
}

/**
 * Integer steps for a second difference of 1, as fine as 16 bits allow. Computed from a few rows of the plane, always
 * on the CPU (WASM), so that both backends use equal steps.
 */
export function* integerScale(scope: Scope, source: Plane, { sigma, length }: LineScale): Plan<number> {
  const { width, height } = source;
  const coarse = 256 / Math.min(2, 0.5 / (sigma * sigma));
  const rows = Math.min(ROWS, height);
  const sizes = new Int32Array(rows * width);
  let count = 0;
  yield* scope.part(function* (inner) {
    const planes = termPlanes(inner, width, 1);
    for (let k = 0; k < rows; k++) {
      const y = Math.floor(((k + 0.5) * height) / rows);
      yield* lineTermRows(inner, source, { sigma, scale: coarse }, planes, [y, y + 1]);
      const i16 = new Int16Array(scope.arena.memory.buffer);
      const [m, f, d] = planes.map(({ address }) => address >> 1) as [number, number, number];
      for (let x = 0; x < width; x++) {
        const size = Math.abs(i16[m + x]!) + Math.abs(i16[f + x]!) + Math.abs(i16[d + x]!);
        if (size > 0) sizes[count++] = size;
      }
    }
  });
  if (!count) return 1;
  const sorted = sizes.subarray(0, count).sort();
  const largest = sorted.at(-1)!;
  const range = Math.max(HEADROOM * sorted[Math.floor(TYPICAL * (count - 1))]!, largest / HEADROOM);
  return Math.min(32767, Math.max(1, (coarse * lineTable(sigma, length).limit) / range));
}
