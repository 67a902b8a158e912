/**
 * Like page.ts, with the decoders of JPEG-LS and JPEG 2000 (image-codecs.js). Node loads the decoders from here as
 * well.
 */
import { decodeCodec } from './codecs.ts';
import { unsupported } from './faults.ts';
import { pageReader } from './page-reader.ts';

export { decodeCodec };

export const { readFile, readPages, stackFrames } = pageReader({
  name: 'foveola-image-codecs',
  url: () => new URL('./codecs-page.ts', import.meta.url).href, // not in the worker, which may be a blob
  codec: (request) => {
    if (typeof document === 'undefined') return decodeCodec(request);
    // A hang on a page could not be ended.
    throw unsupported(
      `The file is compressed as ${request.codec}, which needs a worker, but this page blocks workers. Allow the script's folder in worker-src, or use an uncompressed file.`,
    );
  },
});
