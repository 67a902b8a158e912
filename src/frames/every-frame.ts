/** Every frame of a recording, once and in order: demuxed by mediabunny, decoded by WebCodecs. */
import {
  BlobSource,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  QTFF,
  UrlSource,
  VideoSampleSink,
  WEBM,
} from 'mediabunny';
import { asFoveolaError, FoveolaError } from '../runtime/error.ts';
import { describeBytes, readHeader } from './blob-header.ts';
import { missingOf } from './cut-off.ts';
import { decodeInOrder, keepsOrder } from './decode-in-order.ts';
import { abortedError, type RawFrame } from './presented.ts';

/**
 * @throws {FoveolaError} 'decode-failed' (missing, empty, no recording; also after the last good frame where the
 * recording is cut off or damaged: `partial` is `{ frames, mediaTime }`, what was read before), 'source-unsupported' (no
 * WebCodecs, no picture, a codec that this browser does not decode), 'aborted'
 */
export async function* everyFrameOf(source: Blob | string, signal?: AbortSignal): AsyncGenerator<RawFrame, void> {
  if (typeof VideoDecoder === 'undefined')
    throw new FoveolaError(
      'source-unsupported',
      'This browser has no WebCodecs (VideoDecoder), which everyFrame needs. Read the frames as they are played, without everyFrame.',
    );
  const input = await open(source);
  // What was read before something failed.
  let frames = 0;
  let last = NaN;
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) throw await withoutPicture(input, source);
    if (!(await track.canDecode()))
      throw new FoveolaError(
        'source-unsupported',
        `The recording's codec (${(await track.getCodec?.()) ?? 'unknown'}) is not decoded by this browser. Convert it to MP4 (H.264) or WebM (VP9).`,
      );
    const inOrder = keepsOrder(await track.getCodec());
    for await (const frame of inOrder ? decodeInOrder(track) : decodeByTime(track)) {
      if (signal?.aborted) {
        frame.close();
        throw abortedError(signal);
      }
      frames++;
      last = frame.timestamp / 1e6;
      yield { frame, media: frame.timestamp / 1000, arrival: performance.now(), dropped: 0 };
    }
    const missing = await cutOff(input, source, last);
    if (missing)
      throw new FoveolaError('decode-failed', `The recording breaks off ${after(frames, last)}: ${missing}`, {
        partial: { frames, mediaTime: last * 1000 },
      });
  } catch (error) {
    if (error instanceof FoveolaError) throw error;
    throw new FoveolaError(
      'decode-failed',
      `The recording cannot be decoded ${frames ? 'further ' : ''}${after(frames, last)}: ${String(error)}`,
      { cause: error, partial: { frames, mediaTime: last * 1000 } },
    );
  } finally {
    input.dispose();
  }
}

const after = (frames: number, last: number) =>
  frames ? `after ${frames} frames, the last at ${last.toFixed(3)} s` : 'before its first frame';

/** Codecs with reordering, whose workarounds for the decoders of several browsers mediabunny knows. */
async function* decodeByTime(track: InputVideoTrack): AsyncGenerator<VideoFrame, void> {
  for await (const sample of new VideoSampleSink(track).samples()) {
    let frame: VideoFrame;
    try {
      frame = sample.toVideoFrame();
    } finally {
      sample.close();
    }
    yield frame;
  }
}

/** What is missing at the end, in words; null where nothing is. */
async function cutOff(input: Input, source: Blob | string, last: number): Promise<string | null> {
  if (source instanceof Blob) {
    return missingOf(source);
  }
  // Sound may be longer than the picture: the declared duration tells only where there is no sound.
  const tracks = await input.getTracks();
  const duration = tracks.length === 1 ? await input.getDurationFromMetadata() : null;
  return duration !== null && duration - last > 1
    ? `it says that it lasts ${duration.toFixed(3)} s. Load it again, or copy it again from where it was recorded.`
    : null;
}

async function withoutPicture(input: Input, source: Blob | string): Promise<FoveolaError> {
  const sound = (await input.getTracks()).length > 0;
  const missing = sound ? null : await cutOff(input, source, NaN);
  if (missing)
    return new FoveolaError(
      'decode-failed',
      `The recording breaks off before its index, without which nothing can be read: ${missing}`,
      {
        partial: { frames: 0, mediaTime: NaN },
      },
    );
  return new FoveolaError('source-unsupported', `The recording has no picture${sound ? ', only sound' : ''}.`);
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
