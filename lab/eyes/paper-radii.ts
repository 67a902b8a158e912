import { normalQuantile } from './arithmetic.ts';
import { Random } from './random.ts';

/**
 * The counterpart of the data set of paper 000 (section 3): 964 clean, focused images of 1280x1024 from 51 subjects,
 * pupil radii 1.66 to 4.28 mm with mean 3.21, a half ring of LEDs whose image lies in or about the pupil, differing
 * light, axis ratios 0.9 to 1, lids and lashes on the border in some. The paper does not state its scale; 46 px per mm
 * puts its largest pupil (394 px across) well into the frame.
 */
export const PAPER = {
  width: 1280,
  height: 1024,
  images: 964,
  subjects: 51,
  pxPerMm: 46,
  smallestMm: 1.66,
  largestMm: 4.28,
  meanMm: 3.21,
  noise: 1.5,
  defocus: 0.8,
  seed: 64,
  /** Frames a second of the sequence. */
  rate: 250,
  /** Frames of one subject in a row in the sequence. */
  run: 100,
} as const;

let radii: Float64Array | null = null;

/** Subject of an image 0..963: the first 46 subjects have 19 images each, the others 18. */
export function subjectOf(index: number): number {
  return index < 46 * 19 ? Math.floor(index / 19) : 46 + Math.floor((index - 46 * 19) / 18);
}

/**
 * Radii in mm of all images: 964 quantiles of a bell cut at 2.2 sigma, with different widths on both sides so that its
 * ends and mean are the paper's, given to the images by rank: subjects differ by 0.5 mm, images of one by 0.3 mm.
 */
export function pupilRadii(): Float64Array {
  if (radii) return radii;
  const { images, smallestMm, largestMm, meanMm } = PAPER;
  const z: number[] = [];
  const edge = 0.0139;
  for (let i = 0; i < images; i++) z.push(normalQuantile(edge + ((1 - 2 * edge) * (i + 0.5)) / images));
  const ends = z[images - 1];
  const value = (q: number, middle: number) => middle + (q / ends) * (q < 0 ? middle - smallestMm : largestMm - middle);
  let low: number = smallestMm;
  let high: number = largestMm;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    let sum = 0;
    for (const q of z) sum += value(q, middle);
    if (sum / images < meanMm) low = middle;
    else high = middle;
  }
  const scores: { index: number; score: number }[] = [];
  for (let i = 0; i < images; i++) {
    const number = subjectOf(i);
    const own = new Random(PAPER.seed, number, 7).normal(0, 0.5);
    scores.push({ index: i, score: own + new Random(PAPER.seed, i, 8).normal(0, 0.3) });
  }
  scores.sort((a, b) => a.score - b.score || a.index - b.index);
  radii = new Float64Array(images);
  for (let rank = 0; rank < images; rank++) radii[scores[rank].index] = value(z[rank], low);
  return radii;
}

/** Mean radius of a subject's images. */
export function subjectRadius(number: number): number {
  const all = pupilRadii();
  const first = number < 46 ? number * 19 : 46 * 19 + (number - 46) * 18;
  const count = number < 46 ? 19 : 18;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += all[first + i];
  return sum / count;
}
