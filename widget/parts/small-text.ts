/**
 * Reads text and number files that a user chooses or drops. They are checked before reading, whatever their name is.
 */
import { FoveolaError } from '../../src/index.ts';

/** @throws {FoveolaError} (rejects) 'invalid-argument' if the file has more than `most` bytes */
export async function smallText(file: File, most: number): Promise<string> {
  if (file.size > most) throw new FoveolaError('invalid-argument', `'${file.name}' is too large.`);
  return file.text();
}
