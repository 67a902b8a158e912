/** Exports of every build of the library. The clinical part is in clinic.ts. */
import { version as current } from './results/version.ts';

export { createEngine, createEngineSync, sharedEngine } from './engine.ts';
export { setAssetBase } from './runtime/engine/options.ts';
export { asFoveolaError, FoveolaError, errorCodes, type FoveolaErrorCode } from './runtime/error.ts';
export { csvFormats, type CsvFormat, type CsvOptions } from './results/csv.ts';
export { toCsv, toJson } from './results/export.ts';
export { faceColumns, faceRows } from './faces/export-faces.ts';
export { measureFace } from './faces/head.ts';
export { detectionParameters, faceTrackerParameters, landmarkParameters, photographFaces } from './faces/parameters.ts';
export { addEvents, clocks, pupilColumns, pupilRows, type Clock, type FrameTiming } from './results/export-pupil.ts';
export { EventList, eventKinds } from './results/event-list.ts';
export { eyeSides } from './results/laterality.ts';
export {
  notice,
  Recording,
  type About,
  type AnalysisNote,
  type CalibrationNote,
  type Cell,
  type Column,
  type Marker,
  type RecordingHeader,
} from './results/recording.ts';
export { listCameras, openCamera, Camera, type CameraDevice, type CameraOptions } from './frames/camera.ts';
export { FrameClock, type FrameTimes, type Stamp } from './frames/clock.ts';
export { VideoFrames, type PresentedFrame } from './frames/presented.ts';
export { frames, type FramesOptions, type FramesSource, type TimedFrame } from './frames/frames.ts';
export { browserShows, readImage, type ReadImageOptions } from './frames/read-image.ts';
export { openVideo, type OpenedVideo, type OpenVideoOptions } from './frames/video.ts';
export { OneEuroFilter, oneEuroDefaults, type OneEuroOptions } from './results/one-euro.ts';
export {
  pupilSeries,
  type PupilSeriesOptions,
  type PupilSeriesRow,
  type PupilSeriesRows,
  type SeriesInput,
} from './pupil/series.ts';
export { recordedPupils, toPupilCsv, toPupilJson, type PupilExportOptions } from './pupil/export.ts';
export { checkPupilCorrections, correctPupils, type CorrectionOptions } from './results/pupil-corrections.ts';
export { diameterInMillimetres, millimetresPerPixel, type CalibrationOptions, type Disc } from './pupil/calibration.ts';
export { vesselsCsv, vesselsJson, type VesselExportHeader } from './results/export-vessels.ts';
export { maskPng, overlayPng, type MaskPngOptions, type OverlayPngOptions } from './vessels/export-png.ts';
export { lineOrBlobParameters, vesselnessParameters } from './vessels/hessian/features.ts';
export { vesselParameters } from './vessels/parameters.ts';
export type { VesselMeasuresOptions, VesselMeasuresResult } from './vessels/correct/operation.ts';
export type { OpticDiscOptions, OpticDiscResult } from './vessels/retina/operation.ts';
export { boxFigures, type BoxFigures, type BoxScore, meanOverlap, scoreFrames } from './objects/box-score.ts';
export { type BoxTruth, readTruth, type TruthFormat } from './objects/box-score.ts';
export { objectParameters } from './objects/parameters.ts';
export { objectColumns, objectRows, toMot } from './results/export-objects.ts';
export { pupilParameters } from './pupil/parameters.ts';
export { pupilPresets, type PupilPreset } from './pupil/parameters.ts';
export {
  resolveParameters,
  type BooleanParameter,
  type ChoiceParameter,
  type NumberParameter,
  type Parameter,
  type ParameterTable,
} from './runtime/parameters.ts';
export { stages, type Stage } from './runtime/stage.ts';
export { operations, trackers } from './runtime/capability.ts';
export type * from './api.ts';
export type * from './results/types.ts';
export type { EngineOptions } from './runtime/engine/options.ts';

// This file must contain code. Otherwise the bundler splits the library into one file for each importer of a part of
// it.
export const version = current;
