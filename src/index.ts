/** foveola: computer vision for eyes, faces, vessels and moving objects that runs wholly in the page. */
export { createEngine, sharedEngine } from './engine.ts';
export { asFoveolaError, FoveolaError, errorCodes, type FoveolaErrorCode } from './runtime/error.ts';
export { toCsv, toJson } from './results/export.ts';
export { clocks, pupilColumns, pupilRows, type Clock, type FrameTiming } from './results/export-pupil.ts';
export { notice, Recording, type Cell, type Column, type Marker, type RecordingHeader } from './results/recording.ts';
export type * from './api.ts';
export type * from './results/types.ts';
export type { EngineOptions } from './runtime/engine-options.ts';

export const version = '0.1.0';
