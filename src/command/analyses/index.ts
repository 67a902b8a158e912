/** The analyses by their name on the command line. */
import type { Analysis } from './analysis.ts';
import { edges, flow, vessels } from './images.ts';
import { faces, pupil } from './tracked.ts';
import { track } from './track.ts';

export const analyses = { pupil, faces, track, vessels, edges, flow } as const satisfies Record<string, Analysis>;
export type AnalysisName = keyof typeof analyses;
