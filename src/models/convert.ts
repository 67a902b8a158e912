/** Converts models of other programs to the compact form, for `npm run lab -- convert-model`. */
import { packCascade } from './cascade.ts';
import { readCascade } from './cascades.ts';
import { isPacked, wrongFormat } from './container.ts';
import { readDat, dlibBox } from './dlib-landmarks.ts';
import { packLandmarks, type LeafForm } from './landmarks.ts';

/**
 * Converts an OpenCV cascade (.xml) or a dlib shape_predictor (.dat). `form` sets the format of the leaves of landmark
 * models.
 * @throws {FoveolaError} 'model-format'
 */
export function convertModel(bytes: Uint8Array, form: LeafForm = '8-bit', notice = ''): Uint8Array {
  if (isPacked(bytes)) throw wrongFormat('The model is already in compact form. Convert the original.');
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  if (start.startsWith('<')) return packCascade(readCascade(bytes));
  return packLandmarks(readDat(bytes, { box: dlibBox, notice }), form);
}
