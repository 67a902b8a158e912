/** Files of words and numbers that a person chooses or drops: looked at before they are read, whatever they are called. */
import { FoveolaError } from '../../src/index.ts';

/** @throws {FoveolaError} (rejects) 'invalid-argument' where it has more than `most` bytes */
export async function smallText(file: File, most: number): Promise<string> {
  if (file.size > most) throw new FoveolaError('invalid-argument', `'${file.name}' is too large.`);
  return file.text();
}
