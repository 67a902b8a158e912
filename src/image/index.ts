/** The image stages: whatever two capabilities need. */
import { gaussian } from './gaussian.ts';
import { gray } from './gray.ts';
import { lumaRange } from './luma-range.ts';
import { threshold } from './threshold.ts';

export { gaussian, gray, lumaRange, threshold };

/** Every image stage, for the parity test and the bench. */
export const imageStages = [gray, lumaRange, gaussian, threshold] as const;
