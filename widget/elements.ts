/** Defines every element. */
export { FoveolaFace, type FoveolaFaceEventMap } from './face.ts';
export { FoveolaFilter, type FoveolaFilterEventMap } from './filter.ts';
export { FoveolaPupil, type FoveolaPupilEventMap } from './pupil.ts';
export { FoveolaTrack, type FoveolaTrackEventMap } from './track.ts';
export { FoveolaVessels, type FoveolaVesselsEventMap } from './vessels.ts';
export { addStrings, type Strings } from './strings/index.ts';
export { setAssetBase } from '../src/index.ts';
export type { AnalysisResult } from './parts/analysis.ts';
export type { ElementState, StateDetail } from './parts/element-core.ts';
export type { FoveolaEventMap, ProgressDetail } from './parts/events.ts';
export type { EyeBox, EyeSide } from './parts/eye-crops.ts';
export type { Given as ElementSource } from './parts/feed.ts';
export type { FilterOperation, FilterResult } from './parts/filter-tracker.ts';
export type { Settings } from './parts/settings-element.ts';
export type { VesselFrame } from './parts/vessel-tracker.ts';
