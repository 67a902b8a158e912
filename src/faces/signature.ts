/**
 * Whether two faces are one: the middle of a box, made small and of one contrast, against another's, as a correlation. It tells a face
 * from what covers it and from those beside it; it is no recognition of persons. `npm run train:eyes` prints how well it tells renders
 * apart.
 */
import type { Box } from '../results/types.ts';
import { sampleAt, type GrayView } from './iris.ts';

/** Samples on each side. */
const SAMPLES = 12;
/** What is looked at, in sides of the box: its middle is a little lower than that of the box. */
const SPAN = 0.72;
const LOWER = 0.06;

export type Signature = Float32Array;

/** Of mean 0 and length 1; null where nothing is to be seen. */
export function signatureOf(view: GrayView, { x, y, width, height }: Box): Signature | null {
  const signature = new Float32Array(SAMPLES * SAMPLES);
  const step = (SPAN * width) / SAMPLES;
  let sum = 0;
  for (let j = 0; j < SAMPLES; j++)
    for (let i = 0; i < SAMPLES; i++) {
      const [u, v] = [i, j].map((k) => (k + 0.5) / SAMPLES - 0.5) as [number, number];
      const gray = sampleAt(view, x + width * (0.5 + SPAN * u), y + height * (0.5 + LOWER + SPAN * v), step);
      signature[SAMPLES * j + i] = gray;
      sum += gray;
    }
  let squares = 0;
  for (let i = 0; i < signature.length; i++) squares += (signature[i]! -= sum / signature.length) ** 2;
  const length = Math.sqrt(squares);
  if (!(length > SAMPLES)) return null; // less than a gray level a sample
  return signature.map((v) => v / length);
}

/** -1..1. */
export const resemblance = (a: Signature, b: Signature): number => a.reduce((sum, v, i) => sum + v * b[i]!, 0);

/** A signature that has taken on some of a newer one. */
export function renewed(old: Signature | null, now: Signature, share: number): Signature {
  if (!old) return now;
  const mixed = old.map((v, i) => v + share * (now[i]! - v));
  const length = Math.sqrt(resemblance(mixed, mixed));
  return length > 0 ? mixed.map((v) => v / length) : now;
}
