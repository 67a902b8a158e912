/**
 * Response to dark lines: at each scale the Hessian is turned to twelve directions, the second derivative across is
 * averaged over samples along the line, and the largest of the twelve is taken: the largest eigenvalue, of a line as long
 * as several widths. Scales are brought together as multiples of their own noise (median absolute deviation inside the
 * field of view), so that a scale at which a photograph is noisy counts for less.
 * Sources: Frangi et al. 1998 and Lindeberg 1998 for the scales; averaging along lines after Nguyen et al. 2013.
 */
import type { CallContext } from '../runtime/capability.ts';
import type { Plane } from '../runtime/plane.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { eigenvaluesScratch } from './eigenvalues.ts';
import { floatTaps } from './gaussian-taps.ts';
import type { WorkingPlane } from './working-plane.ts';

const DIRECTIONS = 12;

/** Samples along a line of `length`, as offsets from its middle. */
function samples(angle: number, length: number, sigma: number): [number, number][] {
  const step = Math.max(1, 0.8 * sigma);
  const reach = Math.max(1, Math.round(length / 2 / step));
  return Array.from({ length: 2 * reach + 1 }, (_, i) => [
    Math.round((i - reach) * step * Math.cos(angle)),
    Math.round((i - reach) * step * Math.sin(angle)),
  ]);
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
function noise(side: WasmSide, { address, stride, width, height }: Plane, mask: Plane): number {
  const { f32, u8 } = side.arena;
  const step = Math.max(1, Math.floor(Math.max(width, height) / SAMPLES));
  const visit = (take: (value: number) => void) => {
    for (let y = step >> 1; y < height; y += step) {
      const row = (address + y * stride) >> 2;
      const line = mask.address + y * mask.stride;
      for (let x = step >> 1; x < width; x += step) if (u8[line + x]) take(Math.max(0, f32[row + x]!));
    }
  };
  let sum = 0;
  let total = 0;
  visit((v) => {
    sum += v;
    total++;
  });
  if (!(sum > 0)) return 0;
  const scale = (128 * total) / sum;
  const counts = new Uint32Array(BINS);
  visit((v) => counts[Math.min(BINS - 1, Math.floor(v * scale))]!++);
  const median = middle(counts, total);
  const deviations = new Uint32Array(BINS);
  for (let i = 0; i < BINS; i++) deviations[Math.abs(i - median)]! += counts[i]!;
  return (middle(deviations, total) + 0.5) / scale;
}

/** Sum over scales, in multiples of their noise, 0 outside of the mask; f32, on the arena. */
export async function lineResponse(
  { runtime, slice, progress }: CallContext,
  { contrast, inside, width, height }: WorkingPlane,
  scales: readonly { sigma: number; length: number }[],
): Promise<Plane> {
  const side = runtime.wasm;
  const margin = Math.max(...scales.map(({ sigma, length }) => Math.ceil(length / 2 + sigma) + 1));
  const planes: Plane[] = [];
  const lend = (w: number, h: number) => {
    const plane = side.plane(w, h, 'f32');
    planes.push(plane);
    return plane;
  };
  const total = side.plane(width, height, 'f32');
  let done = false;
  try {
    const [across, down, mixed, best] = Array.from({ length: 4 }, () => lend(width, height)) as [
      Plane,
      Plane,
      Plane,
      Plane,
    ];
    const turned = lend(width + 2 * margin, height + 2 * margin);
    side.arena.u8.fill(0, turned.address, turned.address + turned.stride * turned.height);
    const origin = turned.address + margin * turned.stride + 4 * margin;
    for (const [k, { sigma, length }] of scales.entries()) {
      derivatives(side, contrast, [across, down, mixed], sigma);
      let count = 0;
      for (let i = 0; i < DIRECTIONS; i++) {
        const angle = (Math.PI * i) / DIRECTIONS;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const line = samples(angle, length, sigma);
        count = line.length;
        const hessian = [across.address, down.address, mixed.address, across.stride];
        side.bands('directional', height, [...hessian, origin, turned.stride, width, s * s, c * c, -2 * s * c]);
        side.temporary(4 * count, (table) => {
          side.arena.i32.set(
            line.map(([x, y]) => y * turned.stride + 4 * x),
            table >> 2,
          );
          const target = [best.address, best.stride, width, table, count, i === 0 ? 1 : 0];
          side.bands('lineMaximum', height, [origin, turned.stride, ...target]);
        });
        progress((k + (i + 1) / DIRECTIONS) / scales.length);
        await slice();
      }
      const deviation = noise(side, best, inside);
      const weight = deviation > 0 ? 1 / deviation : 0;
      const mask = [inside.address, inside.stride];
      side.bands('accumulate', height, [
        ...[best.address, best.stride, ...mask, total.address, width, weight, k === 0 ? 1 : 0],
      ]);
    }
    done = true;
    return total;
  } finally {
    for (const plane of planes) plane.dispose();
    if (!done) total.dispose();
  }
}

function derivatives(side: WasmSide, source: Plane, [h, v, d]: [Plane, Plane, Plane], sigma: number): void {
  const taps = floatTaps(sigma);
  const { width, height } = source;
  const radius = taps.length - 1;
  side.temporary(taps.byteLength, (table) => {
    side.arena.f32.set(taps, table >> 2);
    side.bands(
      'secondDerivatives',
      height,
      [source.address, source.stride, h.address, v.address, d.address, h.stride, width, height, table, radius],
      { scratch: eigenvaluesScratch(width, radius), minimumBand: 32 },
    );
  });
}
