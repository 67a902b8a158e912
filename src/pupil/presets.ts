/**
 * Preprocessing by name (paper 000, section 5.1): the reflection kernels 13, 19 and 25 with the Gaussian (5, 2) and with
 * medians of 7 and 11. 'gaussian-19' is the paper's best and the default. Each is a part of the tracker's parameters:
 * `engine.createPupilTracker({ ...pupilPresets['median-7-25'] })`.
 */
import type { PupilValues } from './parameters.ts';

type Preset = Pick<PupilValues, 'reflectionSize' | 'smoothing'> & Partial<PupilValues>;

const gaussian = (reflectionSize: number): Preset => ({
  reflectionSize,
  smoothing: 'gaussian',
  gaussianSize: 5,
  gaussianSigma: 2,
});
const median = (medianSize: number, reflectionSize: number): Preset => ({
  reflectionSize,
  smoothing: 'median',
  medianSize,
});

export const pupilPresets = {
  'gaussian-13': gaussian(13),
  'gaussian-19': gaussian(19),
  'gaussian-25': gaussian(25),
  'median-7-13': median(7, 13),
  'median-7-19': median(7, 19),
  'median-7-25': median(7, 25),
  'median-11-13': median(11, 13),
  'median-11-19': median(11, 19),
  'median-11-25': median(11, 25),
} as const satisfies Record<string, Preset>;

export type PupilPreset = keyof typeof pupilPresets;
