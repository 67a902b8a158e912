/** Pupil series: pure functions of numbers, without an engine and without a page. */
export { cleanSeries, type CleaningOptions } from './clean.ts';
export { cleaningParameters } from './clean-parameters.ts';
export { lightReflex, type LightReflex, type LightReflexOptions } from './light-reflex.ts';
export { reflexParameters } from './light-reflex.ts';
export { pupilSamples, type PupilSamplesOptions, type SampledResult } from './samples.ts';
export type { MeasuredSamples, PupilSample, PupilSeries, RejectedSamples } from './samples.ts';
export {
  anisocoria,
  relativeAfferentDefect,
  type AfferentDefect,
  type Anisocoria,
  type AnisocoriaOptions,
} from './both-eyes.ts';
export { blinkStatistics, type BlinkStatistics } from './statistics.ts';
export { epochParameters, epochs, type Epoch, type Epochs } from './epochs.ts';
export { hippus, hippusParameters, type Hippus, type HippusOptions } from './hippus.ts';
export {
  postIllumination,
  postIlluminationParameters,
  type PostIllumination,
  type PostIlluminationOptions,
} from './post-illumination.ts';
export { unrest, type Unrest, type UnrestOptions } from './unrest.ts';
export {
  darkAdaptation,
  nearResponse,
  type DarkAdaptation,
  type NearResponse,
  type StepSpan,
} from './dark-and-near.ts';
export { averageReflexes } from './light-reflex.ts';
export type { Average } from './statistics.ts';
export { cameraDirection, frontalDiameter, type Frontal } from './foreshortening.ts';
