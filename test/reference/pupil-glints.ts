/** Glints of an image by the definition: top-hat of the window about the pupil, 8-connected components, one after the other. */
import type { Reference, ReferenceImage } from './image.ts';
import { references as shrinkReferences } from './shrink.ts';
import { topHat } from './morphology.ts';

interface Spot {
  x: number;
  y: number;
  area: number;
  sum: number;
  peak: number;
}

/** The component of the samples of at least `threshold` with sample `start` in it; taken out of `left`. */
function component(left: Set<number>, start: number, width: number): number[] {
  const found = [start];
  left.delete(start);
  for (const at of found)
    for (const next of [...left]) {
      const [dx, dy] = [(next % width) - (at % width), Math.floor(next / width) - Math.floor(at / width)];
      if (Math.abs(dx) > 1 || Math.abs(dy) > 1) continue;
      left.delete(next);
      found.push(next);
    }
  return found;
}

function spotOf(samples: number[], { width, data }: ReferenceImage, largest: number): Spot | null {
  const xs = samples.map((at) => at % width);
  const ys = samples.map((at) => Math.floor(at / width));
  const across = Math.max(...xs) - Math.min(...xs) + 1;
  const down = Math.max(...ys) - Math.min(...ys) + 1;
  const area = samples.length;
  if (area < 2 || area > largest || across > 3 * down || down > 3 * across || area < 0.45 * across * down) return null;
  const sum = samples.reduce((total, at) => total + data[at]!, 0);
  const mean = (of: number[]) => of.reduce((total, v, i) => total + v * data[samples[i]!]!, 0) / sum;
  return { x: mean(xs), y: mean(ys), area, sum, peak: Math.max(...samples.map((at) => data[at]!)) };
}

export const references: Readonly<Record<string, Reference>> = {
  'pupil/glints': ([image, [x, y, r]], params) => {
    const { width, height, data } = image as ReferenceImage;
    const { most, reflectionThreshold: threshold } = params as { most: number; reflectionThreshold: number };
    const x0 = Math.max(0, Math.floor(x - 2.5 * r));
    const y0 = Math.max(0, Math.floor(y - 2.5 * r));
    const across = Math.min(width, Math.ceil(x + 2.5 * r) + 1) - x0;
    const down = Math.min(height, Math.ceil(y + 2.5 * r) + 1) - y0;
    if (!(across > 0 && down > 0)) return [new Float32Array(0)];
    const samples = Uint8Array.from(
      { length: across * down },
      (_, i) => data[(y0 + Math.floor(i / across)) * width + x0 + (i % across)]!,
    );
    let piece: ReferenceImage = { width: across, height: down, format: 'u8', data: samples };
    const factor = Math.min(16, Math.max(1, Math.ceil(r / 60)));
    const used = Math.min(factor, across, down);
    if (factor > 1) [piece] = shrinkReferences['image/shrink']!([piece], { factor: used }) as [ReferenceImage];
    const radius = 0.35 * (r / factor);
    const [hat] = topHat([piece], { size: 2 * Math.ceil(radius) + 1 }) as [ReferenceImage];
    const left = new Set([...hat.data.keys()].filter((at) => hat.data[at]! >= threshold));
    const spots: Spot[] = [];
    for (const at of [...left])
      if (left.has(at)) {
        const spot = spotOf(component(left, at, hat.width), hat, Math.max(4, Math.round(Math.PI * radius * radius)));
        if (!spot) continue;
        const full = { ...spot, x: (spot.x + 0.5) * factor - 0.5 + x0, y: (spot.y + 0.5) * factor - 0.5 + y0 };
        if (Math.hypot(full.x - x, full.y - y) <= 2.5 * r) spots.push(full);
      }
    spots.sort((a, b) => b.sum - a.sum);
    const brightest = spots.slice(0, most);
    const least = 0.5 * Math.max(0, ...brightest.map(({ peak }) => peak));
    const listed = brightest
      .filter(({ peak }) => peak >= least)
      .flatMap((s) => [s.x, s.y, s.area * factor ** 2, s.sum * factor ** 2, s.peak]);
    return [Float32Array.from(listed)];
  },
};
