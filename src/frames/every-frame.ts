/** Every frame of a recording, once and in order: demuxed by mediabunny, decoded by WebCodecs. */
import { BlobSource, Input, MATROSKA, MP4, QTFF, UrlSource, VideoSampleSink, WEBM } from 'mediabunny';
import { asFoveolaError, FoveolaError } from '../runtime/error.ts';
import { describeBytes, readHeader } from './blob-header.ts';
import { abortedError, type RawFrame } from './presented.ts';

/**
 * @throws {FoveolaError} 'decode-failed' (missing, empty, no recording), 'source-unsupported' (no WebCodecs, no picture,
 * a codec that this browser does not decode), 'aborted'
 */
export async function* everyFrameOf(source: Blob | string, signal?: AbortSignal): AsyncGenerator<RawFrame, void> {
  if (typeof VideoDecoder === 'undefined')
    throw new FoveolaError(
      'source-unsupported',
      'This browser has no WebCodecs (VideoDecoder), which everyFrame needs. Read the frames as they are played, without everyFrame.',
    );
  const input = await open(source);
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) throw new FoveolaError('source-unsupported', 'The recording has no picture, only sound.');
    if (!(await track.canDecode()))
      throw new FoveolaError(
        'source-unsupported',
        `The recording's codec (${(await track.getCodec?.()) ?? 'unknown'}) is not decoded by this browser. Convert it to MP4 (H.264) or WebM (VP9).`,
      );
    for await (const sample of new VideoSampleSink(track).samples()) {
      if (signal?.aborted) {
        sample.close();
        throw abortedError(signal);
      }
      let frame: VideoFrame;
      try {
        frame = sample.toVideoFrame();
      } finally {
        sample.close();
      }
      yield { frame, media: sample.timestamp * 1000, arrival: performance.now(), dropped: 0 };
    }
  } catch (error) {
    if (error instanceof FoveolaError) throw error;
    throw new FoveolaError('decode-failed', `The recording cannot be decoded to its end: ${String(error)}`, {
      cause: error,
    });
  } finally {
    input.dispose();
  }
}

async function open(source: Blob | string): Promise<Input> {
  const header = source instanceof Blob ? await readHeader(source, 4096) : null;
  const input = new Input({
    formats: [MP4, QTFF, WEBM, MATROSKA],
    source: typeof source === 'string' ? new UrlSource(new URL(source, document.baseURI)) : new BlobSource(source),
  });
  try {
    if (await input.canRead()) return input;
  } catch (error) {
    input.dispose();
    if (typeof source === 'string')
      throw new FoveolaError('decode-failed', `${source} cannot be loaded. Check the address and its CORS headers.`, {
        cause: error,
      });
    throw asFoveolaError(error, 'Reading the file');
  }
  input.dispose();
  throw new FoveolaError(
    'decode-failed',
    `${typeof source === 'string' ? source : 'The file'} is no recording that can be read${header ? `; it looks like ${describeBytes(header)}` : ''}. Take MP4, MOV, WebM or Matroska.`,
  );
}
