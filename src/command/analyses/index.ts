/** The analyses by their name on the command line. */
import type { Analysis } from './analysis.ts';
import { edges } from './edges.ts';
import { faces } from './faces.ts';
import { flow } from './flow.ts';
import { pupil } from './pupil.ts';
import { track } from './track.ts';
import { vessels } from './vessels.ts';

export const analyses = { pupil, faces, track, vessels, edges, flow } as const satisfies Record<string, Analysis>;
export type AnalysisName = keyof typeof analyses;
