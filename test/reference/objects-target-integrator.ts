/** The published integrator (Kalal, Mikolajczyk, Matas 2012, section 5.4) on plain values. */
import type { Box } from '../../src/results/types.ts';
import { groups, overlap, type Found } from './objects-boxes.ts';

export interface Belief {
  box: Box;
  confidence: number;
  valid: boolean;
}

export function integrate(
  tracked: Belief | null,
  all: readonly Found[],
  threshold: number,
): { belief: Belief | null; by: 'none' | 'tracker' | 'detector' | 'both' } {
  const boxOf = ({ x, y, width, height }: Box) => ({ x, y, width, height });
  const found = groups(all, threshold);
  const better = tracked
    ? found.filter((group) => overlap(group, tracked.box) < 0.5 && group.conservative > tracked.confidence)
    : found;
  if (better.length === 1) {
    const [group] = better;
    return { belief: { box: boxOf(group!), confidence: group!.conservative, valid: false }, by: 'detector' };
  }
  if (!tracked) return { belief: null, by: 'none' };
  const close = all.filter((one) => one.relative > threshold && overlap(one, tracked.box) > 0.7);
  if (!close.length) return { belief: tracked, by: 'tracker' };
  const mean = (key: keyof Box) =>
    (10 * tracked.box[key] + close.reduce((sum, one) => sum + one[key], 0)) / (10 + close.length);
  const box = { x: mean('x'), y: mean('y'), width: mean('width'), height: mean('height') };
  return { belief: { ...tracked, box }, by: 'both' };
}
