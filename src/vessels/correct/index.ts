/** Corrections by hand, for who has a result and a list of them. */
export { correctedKinds, correctedMask, correctedOptions, type CorrectedMask } from './correct-vessels.ts';
export { cutAcross, kindCorrection } from './gestures.ts';
export { CorrectionHistory } from './history.ts';
