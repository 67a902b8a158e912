/** Masks that follow the measured edges, beside the response above its level: what `edges vessels` runs in a page. */
import { createEngine } from '../../../src/index.ts';
import type { Engine } from '../../../src/api.ts';
import type { VesselSegment } from '../../../src/results/types.ts';
import { filled, smoothed } from '../../../src/vessels/segment/middle-line.ts';
import { count, halved, pixels, shareOf, wideParts, type Photograph } from '../../../bench/vessels/parts/page.ts';

let engine: Engine | null = null;

/** Widths are smoothed along the line over so many of them (a Gaussian's sigma). */
const SMOOTH = 2;

/** 255 within half the width of a middle line, straight between its points, where the width is known and at least `least` px. */
function between(segments: readonly VesselSegment[], width: number, height: number, least: number, more: number) {
  const out = new Uint8Array(width * height);
  for (const { points, widths } of segments)
    for (let k = 0; k + 1 < widths.length; k++) {
      if (!(widths[k]! >= least && widths[k + 1]! >= least)) continue;
      const [a, b] = [widths[k]! / 2 + more, widths[k + 1]! / 2 + more];
      const [x, y, u, v] = points.subarray(2 * k, 2 * k + 4) as unknown as [number, number, number, number];
      const [dx, dy, reach] = [u - x, v - y, Math.max(a, b) + 1];
      for (
        let j = Math.max(0, Math.floor(Math.min(y, v) - reach));
        j <= Math.min(height - 1, Math.max(y, v) + reach);
        j++
      )
        for (
          let i = Math.max(0, Math.floor(Math.min(x, u) - reach));
          i <= Math.min(width - 1, Math.max(x, u) + reach);
          i++
        ) {
          const t = Math.max(0, Math.min(1, ((i - x) * dx + (j - y) * dy) / (dx * dx + dy * dy || 1)));
          if (Math.hypot(i - x - t * dx, j - y - t * dy) <= a + t * (b - a)) out[j * width + i] = 255;
        }
    }
  return out;
}

/** Widths along a line, gaps filled, smoothed over so many widths; as they are where the segment has no width. */
function even({ points, widths, width }: VesselSegment, over: number): Float32Array {
  if (width === undefined || widths.length < 2) return widths;
  const step = Math.hypot(points[2]! - points[0]!, points[3]! - points[1]!);
  return Float32Array.from(smoothed(filled(Float64Array.from(widths)), (over * width) / (step || 1)));
}

/** A mask whose border is that of a higher level, and of measured edges where a vessel is wide. */
export interface Combination {
  /** Levels of the response: factors[high] marks vessels; between the edges factors[low] does. */
  readonly low: number;
  readonly high: number;
  /** Least smoothed width, pixels at DRIVE's scale. */
  readonly least: number;
}

/** Precision and share of wide pixels of: responses above their levels, bands between edges, and what both have. */
export async function scoreEdges(
  photograph: Photograph,
  half: boolean,
  factors: readonly number[],
  bands: readonly { least: number; more: number }[],
  combinations: readonly Combination[],
) {
  engine ??= await createEngine({ backend: 'wasm', threads: 1 });
  const blob = await (await fetch(`/shared/data/fundus/${photograph.image}`)).blob();
  const own = await engine.vessels(blob, { scales: 'thick', measures: true });
  const { width, height } = own.mask;
  const truth = await pixels(photograph.truth, half);
  const given = photograph.field ? await pixels(photograph.field, half) : null;
  const asCounted = (data: Uint8Array) => (half ? halved(data, width, height) : data);
  const found = asCounted(own.fieldOfView.data);
  const field = given?.red ?? found;
  const diameter = Math.sqrt((4 * found.reduce((s, v) => s + (v > 127 ? 1 : 0), 0)) / Math.PI);
  const wide = wideParts(truth.red, truth.width, truth.height, (7 * diameter) / 540);
  const unit = (diameter * (half ? 2 : 1)) / 540;
  const scored = (data: Uint8Array) => {
    const mask = asCounted(data);
    return { ...count(mask, truth.red, field), wide: shareOf(mask, wide, field) };
  };
  const masks: Uint8Array[] = [];
  for (const thresholdFactor of factors)
    masks.push((await engine.vessels(blob, { scales: 'thick', thresholdFactor })).mask.data as Uint8Array);
  const levels = masks.map(scored);
  const smooth = own.segments!.map((segment) => ({ ...segment, widths: even(segment, SMOOTH) }));
  const wideBands = new Map<number, Uint8Array>();
  for (const { least } of combinations)
    if (!wideBands.has(least)) wideBands.set(least, between(smooth, width, height, least * unit, 0));
  const combined = combinations.map(({ low, high, least }) => {
    const [inner, outer, band] = [masks[high]!, masks[low]!, wideBands.get(least)!];
    return scored(inner.map((v, i) => v | (band[i]! & outer[i]!)));
  });
  const made = bands.map(({ least, more }) => between(own.segments!, width, height, least * unit, more * unit));
  return {
    levels,
    combined,
    edges: made.map(scored),
    both: made.map((band) => scored(band.map((v, i) => v & own.mask.data[i]!))),
  };
}
