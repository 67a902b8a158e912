/** The pupil tracker as its user holds it: types alone. */
import type { PupilResult } from '../results/types.ts';
import type { TrackerHandle } from '../runtime/engine/tracker-proxy.ts';
import type { PupilValues, Roi } from './parameters.ts';

/** Parameters as their table declares them; no calibration and no region are also null. */
export type PupilParameters = Omit<PupilValues, 'millimetresPerPixel' | 'roi'> & {
  millimetresPerPixel: number | null;
  roi: Roi | null;
};

export type PupilTracker = TrackerHandle<PupilResult, PupilParameters>;
