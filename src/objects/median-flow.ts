/**
 * Median flow (Kalal, Mikolajczyk, Matas 2010): points of the box are tracked forth and back; those with the larger
 * forward-backward error and the smaller correlation are dropped; the median of the rest moves the box, the median change
 * of their distances scales it.
 */
import { trackPoints } from '../flow/index.ts';
import type { Box } from '../results/types.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import type { SharedFrame } from './frame.ts';
import type { ObjectValues } from './parameters.ts';

/** Distance of the points from the box's edges. */
const MARGIN = 5;

/** A grid of points inside a box, x and y in turn. */
export function gridPoints({ x, y, width, height }: Box, across: number): Float32Array {
  const points = new Float32Array(2 * across * across);
  const marginX = Math.min(MARGIN, width / 4);
  const marginY = Math.min(MARGIN, height / 4);
  for (let j = 0; j < across; j++)
    for (let i = 0; i < across; i++) {
      const at = 2 * (j * across + i);
      points[at] = x + marginX + (i * (width - 1 - 2 * marginX)) / (across - 1);
      points[at + 1] = y + marginY + (j * (height - 1 - 2 * marginY)) / (across - 1);
    }
  return points;
}

/** The median; that of an even number is the mean of the middle two. NaN of none. */
export function medianOf(values: Float64Array): number {
  const n = values.length;
  values.sort();
  return n ? (values[(n - 1) >> 1]! + values[n >> 1]!) / 2 : NaN;
}

export interface Motion {
  box: Box;
  /** Median distance of the points' motion from the median motion, in pixels. */
  residual: number;
  /** Median forward-backward error in pixels. */
  error: number;
  kept: number;
}

/** The motion of a box from tracked points; null when fewer than 4 are left. */
export function medianFlow(
  box: Box,
  from: Float32Array,
  to: Float32Array,
  valid: Uint8Array,
  errors: Float32Array,
  correlations: Float32Array,
): Motion | null {
  const all: number[] = [];
  valid.forEach((ok, i) => ok && all.push(i));
  const error = medianOf(Float64Array.from(all, (i) => errors[i]!));
  const correlation = medianOf(Float64Array.from(all, (i) => correlations[i]!));
  const kept = all.filter((i) => errors[i]! <= error && correlations[i]! >= correlation);
  const n = kept.length;
  if (n < 4) return null;
  const dx = medianOf(Float64Array.from(kept, (i) => to[2 * i]! - from[2 * i]!));
  const dy = medianOf(Float64Array.from(kept, (i) => to[2 * i + 1]! - from[2 * i + 1]!));
  const ratios = new Float64Array((n * (n - 1)) / 2);
  let r = 0;
  for (let a = 0; a < n; a++)
    for (let b = 0; b < a; b++) {
      const i = 2 * kept[a]!;
      const j = 2 * kept[b]!;
      ratios[r++] =
        Math.hypot(to[i]! - to[j]!, to[i + 1]! - to[j + 1]!) /
        Math.hypot(from[i]! - from[j]!, from[i + 1]! - from[j + 1]!);
    }
  const scale = medianOf(ratios);
  const residual = medianOf(
    Float64Array.from(kept, (i) => Math.hypot(to[2 * i]! - from[2 * i]! - dx, to[2 * i + 1]! - from[2 * i + 1]! - dy)),
  );
  // The published box is its corner pixels, width - 1 apart.
  const growX = (scale - 1) * (box.width - 1);
  const growY = (scale - 1) * (box.height - 1);
  return {
    box: {
      x: box.x + dx - growX / 2,
      y: box.y + dy - growY / 2,
      width: box.width + growX,
      height: box.height + growY,
    },
    residual,
    error,
    kept: n,
  };
}

/** Where a box of the previous frame went, or null: the flow failed. */
export function trackBox(
  side: WasmSide,
  previous: SharedFrame,
  next: SharedFrame,
  box: Box,
  values: ObjectValues,
): Box | null {
  const from = gridPoints(box, values.flowPoints);
  const tracked = side.now((scope) =>
    trackPoints(scope, previous.pyramid, next.pyramid, from, {
      window: values.flowWindow,
      levels: values.flowLevels,
      forwardBackward: true,
    }),
  );
  const count = from.length >> 1;
  const { stride, address, width, height } = previous.gray;
  const correlations = side.temporary(20 * count + 256, (block) => {
    const f32 = side.arena.f32;
    f32.set(from, block >> 2);
    f32.set(tracked.points, (block >> 2) + 2 * count);
    const out = block + 16 * count;
    side.kernels.call(
      'pointCorrelations',
      ...[address, next.gray.address, stride, width, height, block, block + 8 * count, count, out, out + 4 * count],
    );
    return side.arena.f32.slice(out >> 2, (out >> 2) + count);
  });
  const motion = medianFlow(box, from, tracked.points, tracked.status, tracked.forwardBackward!, correlations);
  if (!motion || !(motion.residual <= values.flowResidual)) return null;
  const { x, y, width: w, height: h } = motion.box;
  // Out of the frame, or no box any more.
  if (!(w >= 4 && h >= 4) || x + w < 2 || y + h < 2 || x > width - 2 || y > height - 2) return null;
  return motion.box;
}
