/**
 * Like page.ts, with the decoders of JPEG-LS and JPEG 2000 (image-codecs.js). Node loads the decoders from here as
 * well.
 */
import charls from 'virtual:codec/charls';
import openjpeg from 'virtual:codec/openjpeg';
import type { CodecName, CodecPicture, CodecRequest } from './codec.ts';
import { unsupported } from './faults.ts';
import { pageReader } from './page-reader.ts';

/**
 * JPEG-LS by CharLS and JPEG 2000 by OpenJPEG, both compiled to WASM by Cornerstone. Call this only where a hang can be
 * ended: of 3,000 damaged JPEG-LS files, some keep CharLS busy forever.
 */

interface Decoder {
  getEncodedBuffer(bytes: number): Uint8Array;
  decode(): void;
  getDecodedBuffer(): Uint8Array;
  getFrameInfo(): { width: number; height: number; bitsPerSample: number; componentCount: number };
  /** Only JPEG-LS. 0: component by component. */
  getInterleaveMode?(): number;
  delete(): void;
}

type Module = Readonly<Record<string, new () => Decoder>>;

const makers: Readonly<Record<CodecName, { make: () => Promise<unknown>; decoder: string }>> = {
  'JPEG-LS': { make: charls, decoder: 'JpegLSDecoder' },
  'JPEG 2000': { make: openjpeg, decoder: 'J2KDecoder' },
};
const modules = new Map<CodecName, Promise<Module>>();

/** @throws (rejects) the library's errors */
export async function decodeCodec({ codec, bytes }: CodecRequest): Promise<CodecPicture> {
  const { make, decoder: name } = makers[codec];
  const module = modules.get(codec) ?? (make() as Promise<Module>);
  modules.set(codec, module);
  let decoder: Decoder | null = null;
  try {
    decoder = new (await module)[name]!();
    decoder.getEncodedBuffer(bytes.length).set(bytes);
    decoder.decode();
    const { width, height, bitsPerSample: bits, componentCount: components } = decoder.getFrameInfo();
    const planar = components > 1 && decoder.getInterleaveMode?.() === 0;
    const samples = decoder.getDecodedBuffer();
    const data = new Uint8Array(samples.length);
    data.set(samples);
    return { width, height, components, bits, planar, data };
  } catch (error) {
    modules.delete(codec); // after a trap its memory is in an unknown state
    // C++ throws numbers, which have no meaning here.
    throw typeof error === 'number' ? new TypeError(`${codec}: damaged`) : error;
  } finally {
    if (modules.has(codec)) decoder?.delete();
  }
}

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
