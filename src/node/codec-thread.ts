/** The script of the thread that decodes JPEG-LS and JPEG 2000: one image per message. */
import { parentPort } from 'node:worker_threads';
import type { CodecRequest } from '../frames/image-files/codec.ts';
import { decodeCodec } from '../frames/image-files/codecs-page.ts';

parentPort!.on('message', (request: CodecRequest) => {
  decodeCodec(request).then(
    (picture) => parentPort!.postMessage({ picture }, [picture.data.buffer]),
    (error: unknown) => parentPort!.postMessage({ error: String(error) }),
  );
});
