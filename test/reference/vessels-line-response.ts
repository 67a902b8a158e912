/** The response to lines of several widths, from the references of its parts. */
import { type Reference, make, type ReferenceImage, type ReferenceValue } from './image.ts';
import { lineMaximum, lineTerms } from './vessels-lines.ts';
import { between } from './vessels-segment.ts';

/** Means of 2 x 2 pixels; the last row and column count twice where there is no other. */
function halved({ width, height, data }: ReferenceImage): ReferenceImage {
  const at = (x: number, y: number) => data[Math.min(y, height - 1) * width + Math.min(x, width - 1)]!;
  return make((width + 1) >> 1, (height + 1) >> 1, 'f32', (x, y) => {
    const [u, v] = [2 * x, 2 * y];
    return (at(u, v) + at(u + 1, v) + at(u, v + 1) + at(u + 1, v + 1)) / 4;
  });
}

/** Halvings of the plane, at most three, that leave a sigma of 1.5 pixels; what the means smooth is taken off. */
function reduced(sigma: number): { halvings: number; sigma: number } {
  const at = (halvings: number) => Math.sqrt(Math.max(0, sigma ** 2 - (4 ** halvings - 1) / 12)) / 2 ** halvings;
  const halvings = [3, 2, 1].find((n) => [1, 2, 3].slice(0, n).every((k) => at(k) >= 1.5)) ?? 0;
  return { halvings, sigma: Math.max(0.3, at(halvings)) };
}

/** Integer steps of a second difference: 0.995 of what ten rows have, four times, fit into the sum along a line. */
function stepsOf(source: ReferenceImage, sigma: number, length: number): number {
  const { width, height } = source;
  const coarse = 256 / Math.min(2, 0.5 / sigma ** 2);
  const terms = lineTerms([source], { sigma, scale: coarse });
  const rows = Math.min(10, height);
  const sizes: number[] = [];
  for (let k = 0; k < rows; k++)
    for (let x = 0; x < width; x++) {
      const i = Math.floor(((k + 0.5) * height) / rows) * width + x;
      const size = terms.reduce((total, { data }) => total + Math.abs(data[i]!), 0);
      if (size) sizes.push(size);
    }
  if (!sizes.length) return 1;
  sizes.sort((a, b) => a - b);
  const largest = sizes[sizes.length - 1]!;
  const range = Math.max(4 * sizes[Math.floor(0.995 * (sizes.length - 1))]!, largest / 4);
  const spacing = Math.max(1, 0.8 * sigma, length / 30);
  const samples = 2 * Math.max(1, Math.round(length / 2 / spacing)) + 1;
  return Math.min(32767, Math.max(1, (coarse * Math.floor(32767 / samples)) / range));
}

/** Signal by squared noise of a sample under the mask, in steps of 1/128 of the mean. */
function weightOf(best: ReferenceImage, mask: ReferenceImage, block: number): number {
  const { width, height, data } = best;
  const step = Math.max(1, Math.floor(Math.max(width, height) / 160));
  const found: number[] = [];
  for (let y = step >> 1; y < height; y += step)
    for (let x = step >> 1; x < width; x += step) {
      const [u, v] = [x, y].map((i) => i * block + (block >> 1)) as [number, number];
      if (mask.data[Math.min(v, mask.height - 1) * mask.width + Math.min(u, mask.width - 1)])
        found.push(data[y * width + x]!);
    }
  const mean = found.reduce((a, b) => a + b, 0) / found.length;
  if (!(mean > 0)) return 0;
  const bins = found.map((v) => Math.min(1023, Math.floor((128 * v) / mean))).sort((a, b) => a - b);
  const share = (list: readonly number[], part: number) => list[Math.ceil(part * list.length) - 1]!;
  const median = share(bins, 0.5);
  const deviations = bins.map((bin) => Math.abs(bin - median)).sort((a, b) => a - b);
  const noise = share(deviations, 0.5) + 0.5;
  const signal = Math.max(0.5, share(bins, 0.95) - median);
  return ((128 / mean) * signal) / noise ** 2;
}

export function lineResponse([contrast, mask, list]: readonly [
  ReferenceImage,
  ReferenceImage,
  Float64Array,
]): ReferenceValue[] {
  const { width, height } = contrast;
  const total = new Float64Array(width * height);
  for (let k = 0; k < list.length; k += 2) {
    const { halvings, sigma } = reduced(list[k]!);
    const length = list[k + 1]! / 2 ** halvings;
    let source = contrast;
    for (let n = 0; n < halvings; n++) source = halved(source);
    const terms = lineTerms([source], { sigma, scale: stepsOf(source, sigma, length) });
    const [best] = lineMaximum(terms, { sigma, length });
    const weight = weightOf(best!, mask, 2 ** halvings);
    const block = 2 ** halvings;
    total.forEach((_, i) => {
      const [u, v] = [i % width, Math.floor(i / width)].map((at) => (at + 0.5) / block - 0.5) as [number, number];
      if (mask.data[i]) total[i]! += weight * between(best!, u, v);
    });
  }
  return [make(width, height, 'f32', (x, y) => total[y * width + x]!)];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'vessels/line-response': lineResponse as Reference,
};
