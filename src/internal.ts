/** Functions of the library that only the elements use. They are not part of the package's interface. */
export { overlap } from './image/numbers.ts';
export { shown } from './runtime/check.ts';
export { asOurs } from './runtime/error.ts';
export { photographFaceParameters } from './faces/parameters.ts';
export { covers, eventAt } from './results/event-list.ts';
export { eyeOf } from './results/laterality.ts';
export { Newest, grabbed, showAgain } from './frames/presented.ts';
export { Throttle, soundOf } from './frames/frames.ts';
export { canvasIsNoisy, decodeBitmap } from './frames/canvas-pixels.ts';
export { type SoundPiece } from './frames/read-recording.ts';
export { kindOf, sourcePixels, type SourcePixels } from './frames/read-image.ts';
export {
  addressNotReached,
  addressNotShared,
  addressNotThere,
  networkFailed,
  parseAddress,
} from './frames/addresses.ts';
export { whySilent } from './frames/video.ts';
export {
  BLIND_PATIENCE,
  isSilence,
  networkFault,
  PATIENCE,
  Patience,
  patientFetch,
  silence,
  within,
} from './runtime/patience.ts';
export { pictured, acceptedSources } from './frames/to-packet.ts';
export { checkSize } from './frames/size.ts';
export { loadPart, partPlace } from './runtime/engine/assets.ts';
export { paintStroke, type Area } from './results/strokes.ts';
export { maskPixels, overlayPixels } from './results/export-vessels.ts';
export { overlayPngOf } from './vessels/export-png.ts';
export { csvLines, csvStart, type Field, inertJson, rounded, tableFormats, textField } from './results/csv.ts';
export { csvHead, withFrame } from './results/export.ts';
export { backendCell, backendColumn } from './results/export-pupil.ts';
export { retinaFurther, retinaHeads, type RetinaGroup } from './reports/retina-names.ts';
export { retinaReport as reportOfRetina } from './reports/retina-report.ts';
export { retinaRows, type RetinaRow } from './reports/retina-values.ts';
export type { Similarity } from './image/similarity.ts';
export { alignVisits, type Alignment, type VisitVessels } from './vessels/retina/align-visits.ts';
export { wordsIn } from './protocols/protocol.ts';
export { screenColor } from './protocols/flash-rate.ts';
export { stimulusOf } from './protocols/stimulus.ts';
export { correctedResult, ellipseIn, isOpenQuestion, rowOf } from './results/pupil-corrections.ts';
