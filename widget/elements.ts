/** Defines every element. */
export { FoveolaFace } from './face.ts';
export { FoveolaFilter } from './filter.ts';
export { FoveolaPupil } from './pupil.ts';
export { FoveolaTrack } from './track.ts';
export { FoveolaVessels } from './vessels.ts';
export { addStrings, type Strings } from './strings/index.ts';
export { setAssetBase } from '../src/runtime/asset-base.ts';
