/** A scale of the line response in the plane that it is worked on in, and the integer steps that suit a photograph. */
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import { HALVINGS } from './enlarge.ts';
import { lineTable } from './table.ts';
import { lineTermRows, termPlanes } from './maximum.ts';

/** Scales that one response joins. */
export const MOST_SCALES = 5;

export interface LineScale {
  /** Both in working pixels. */
  readonly sigma: number;
  readonly length: number;
}

export interface ReducedScale extends LineScale {
  /** Times that the plane is halved. */
  readonly halvings: number;
}

// Chosen for speed, by `npm run bench -- speed vessels`; `-- accuracy vessels` moved by less than 0.003.

/** Standard deviation in pixels below which a scale is not reduced any further. */
const SMALLEST = 1.5;
/** Rows whose derivatives say how large they are. */
const ROWS = 10;
/** Share of them below TYPICAL, and how many times that fits into the integers: what is larger still is cut. */
const TYPICAL = 0.995;
const HEADROOM = 4;

export function reducedScale({ sigma, length }: LineScale): ReducedScale {
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
