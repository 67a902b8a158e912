/** Series of a pupil and of gaze: pure functions of numbers, without engine and page. */
export { cleanSeries, type CleaningOptions } from './clean.ts';
export { cleaningParameters } from './clean-parameters.ts';
export { lightReflex, type LightReflex, type LightReflexOptions } from './light-reflex.ts';
export { reflexParameters } from './reflex-parameters.ts';
export { pupilSamples, type PupilSamplesOptions } from './samples.ts';
export type { MeasuredSamples, PupilSample, PupilSeries, RejectedSamples } from './types.ts';
