/** Models of other programs to the compact form, for `npm run convert:model`. */
import { packCascade } from './cascade.ts';
import { readCascade } from './cascades.ts';

/** @throws {FoveolaError} 'model-format', 'model-checksum' */
export function convertModel(bytes: Uint8Array): Uint8Array {
  return packCascade(readCascade(bytes));
}
