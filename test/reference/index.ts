/** One reference a stage, by the stage's name. Never shipped. */
import { gaussian } from './gaussian.ts';
import { gray, lumaRange } from './gray.ts';
import type { Reference } from './image.ts';
import { threshold } from './threshold.ts';

export const references: Readonly<Record<string, Reference>> = {
  'image/gray': gray,
  'image/luma-range': lumaRange,
  'image/gaussian': gaussian,
  'image/threshold': threshold,
};
