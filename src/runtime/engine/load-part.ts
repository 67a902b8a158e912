/** Parts of the ESM builds that are loaded when they are needed. The CDN scripts load theirs with a hash (load-chunk.cdn.ts). */
import { FoveolaError } from '../error.ts';
import { isSilence, networkFault, within } from '../patience.ts';

/**
 * @param need what cannot be done without the part
 * @param instead what to do without it
 * @throws {FoveolaError} (rejects) 'asset-missing', 'asset-blocked'
 */
export const loadPart = <T>(part: Promise<T>, need: string, instead: string): Promise<T> =>
  within(part).catch((cause: Error) => {
    throw isSilence(cause)
      ? new FoveolaError(
          'asset-blocked',
          `${need}: a file of the package did not come: ${networkFault(cause)}. Check the network and try again, or ${instead}.`,
          { cause },
        )
      : new FoveolaError(
          'asset-missing',
          `${need}: a file of the package is not there or of another version (${cause.message}). Put all of its files of one version where the page has them, or ${instead}.`,
          { cause },
        );
  });
