/** Defines all elements. */
export { FoveolaFace, type FoveolaFaceEventMap } from './face/face.ts';
export { FoveolaFilter, type FoveolaFilterEventMap } from './filter/filter.ts';
export { FoveolaPupil, type FoveolaPupilEventMap } from './pupil/pupil.ts';
export { FoveolaTrack, type FoveolaTrackEventMap } from './track/track.ts';
export { FoveolaVessels, type FoveolaVesselsEventMap } from './vessels/vessels.ts';
export { addStrings, type Strings } from './strings/index.ts';
export { setAssetBase } from '../src/index.ts';
export type { AnalysisResult } from './tools/analysis.ts';
export type { ElementState, FoveolaEventMap, ProgressDetail, StateDetail } from './base/kind.ts';
export type { EyeBox, EyeSide } from './face/eyes.ts';
export type { Given as ElementSource } from './base/feed.ts';
export type { FilterOperation, FilterResult } from './filter/tracker.ts';
export type { Settings } from './base/kind.ts';
export type { FileResult } from './tools/batch/several-files.ts';
export type { VesselFrame } from './vessels/tracker.ts';
