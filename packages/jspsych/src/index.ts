/** Pupil diameter from a camera in jsPsych experiments. For research use, not a medical device. */
export { CalibrationPlugin } from './calibration.ts';
export { CameraPreviewPlugin } from './camera-preview.ts';
export { type Delay, type DelayEstimate, estimateDelay, type Brightness, type Switch, withoutDelay } from './delay.ts';
export { PupilExtension, type PupilExtensionParameters } from './extension.ts';
export { LightReflexPlugin, measureReflex } from './light-reflex.ts';
export type { RecordedResult } from './recorder.ts';
export { TimingCheckPlugin } from './timing-check.ts';
