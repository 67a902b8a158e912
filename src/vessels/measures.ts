/** Further processing of a result of `vessels`: manual corrections, and measures of the retina. */
export {
  checkCorrections,
  type CorrectionAction,
  type DiscCorrection,
  type FoveaCorrection,
  type KindCorrection,
  type StrokeCorrection,
  type VesselCorrection,
} from './correct/correct-vessels.ts';
export { correctionsText, countedCorrections, type CorrectionNote } from '../results/export-vessels.ts';
export { correctedKinds, correctedMask, correctedOptions, type CorrectedMask } from './correct/correct-vessels.ts';
export { cutAcross, kindCorrection } from './correct/correct-vessels.ts';
export { CorrectionHistory } from './correct/correct-vessels.ts';
export { retinalMeasures, type RetinalMeasures, type RetinalOptions } from './retina/retinal-measures.ts';
