/** Gaze: its calibration, saccades and fixations. Pure functions of numbers, without an engine and without a page. */
export { fixations, type Fixation, type FixationOptions } from './series/saccades.ts';
export { fixationParameters, saccadeParameters } from './series/gaze.ts';
export type { GazeSample } from './series/gaze.ts';
export { saccades, type Saccade, type SaccadeOptions } from './series/saccades.ts';
export {
  calibrateGaze,
  degreesOnScreen,
  gazeOf,
  type CalibrationPoint,
  type GazeCalibration,
  type ScreenGeometry,
} from './series/gaze-calibration.ts';
