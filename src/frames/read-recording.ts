/** Reads a recording: mediabunny demuxes it and WebCodecs decodes its frames, once and in order. */
import { isSilence, networkFault, patientFetch } from '../runtime/patience.ts';
import { waitingFor, work } from './image-files/pace.ts';
import {
  BlobSource,
  EncodedPacketSink,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  QTFF,
  UrlSource,
  VideoSampleSink,
  WEBM,
} from 'mediabunny';
import { FoveolaError } from '../runtime/error.ts';
import { networkFailed } from './addresses.ts';
import { describeBytes, readHeader } from './blob-header.ts';
import { containerOf, isBrowsers, notPlayed, missingOf } from './containers.ts';
import { decodeInOrder, keepsOrder } from './decode-in-order.ts';
import { type Edit, checkFrame, presented, type Presentation } from './presentation.ts';
import { damaged } from './image-files/faults.ts';
import { checkDecoded } from './size.ts';

// The connection over which a recording is read. A slow network does not mean that the reader hangs, so the time until
// each part of a response arrives counts as waiting. A broken connection is restored as long as each attempt returns
// data. If the server sends no more data, the reading ends.

/** Seconds before each new attempt. After an attempt that returned data, the list starts again. */
const RETRY_AFTER = [0.5, 1, 2];

export class Connection {
  /** Why no more data arrives, as text. Null if that was not the reason. */
  fault: string | null = null;
  #breaks = 0;

  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const watch = async <T>(wait: Promise<T>): Promise<T> => {
      const got = await waitingFor(wait);
      if ((got as { value?: unknown }).value) this.#breaks = 0;
      return got;
    };
    const answer = await patientFetch(input, init, watch);
    if (!answer.ok) this.fault = `its server answers HTTP ${answer.status}`;
    return answer;
  };

  /** Seconds until a failed request is repeated. Null: it is not repeated. */
  readonly retryAfter = (_attempts: number, error: unknown): number | null => {
    const after = isSilence(error) ? undefined : RETRY_AFTER[this.#breaks++];
    if (after !== undefined) return after;
    this.fault = networkFault(error);
    return null;
  };
}

export const usesWebCodecs = (): void => {
  if (typeof VideoDecoder === 'undefined')
    throw new FoveolaError(
      'source-unsupported',
      'This browser has no WebCodecs (VideoDecoder), which everyFrame needs. Read the frames during playback, without everyFrame.',
    );
};

/** Throws 'source-unsupported' for a codec that this browser does not decode. */
export async function checkCodec(supported: boolean | Promise<boolean>, codec: string | null): Promise<void> {
  if (await supported) return;
  const name = codec ?? 'unknown';
  const formats = ['MP4 (H.264)', 'WebM (VP9)'];
  const others = /^avc/.test(name) ? formats.slice(1) : /^vp0?9/.test(name) ? formats.slice(0, 1) : formats;
  throw new FoveolaError(
    'source-unsupported',
    `The recording's codec (${name}) is not decoded by this browser. Convert it to ${others.join(' or ')}.`,
  );
}

/** Encoded pieces of a recording. The first one has the decoder's configuration and how its frames are shown. */
export type Packets =
  { config: VideoDecoderConfig; codec: string | null; presentation: Presentation } | { packet: EncodedVideoChunkInit };

/** The decoded frames. The receiver must close each frame. Throws like `everyFrameOf`. */
export async function* decodedFrames(source: Blob | string): AsyncGenerator<VideoFrame, void> {
  usesWebCodecs();
  yield* piecesOf(source, async function* (track) {
    const codec = await track.getCodec();
    await checkCodec(track.canDecode(), await codecOf(track));
    const frames = keepsOrder(codec)
      ? decodeInOrder(await configOf(track), codec, packetsOf(track))
      : decodeByTime(track);
    for await (const frame of presented(frames, await presentationOf(track)))
      yield { item: frame, time: frame.timestamp / 1e6 };
  });
}

/** For a worker without WebCodecs: packets for the page to decode. */
export async function* encodedPackets(source: Blob | string): AsyncGenerator<Packets, void> {
  yield* piecesOf<Packets>(source, async function* (track) {
    const presentation = await presentationOf(track);
    yield { item: { config: await configOf(track), codec: await codecOf(track), presentation }, time: null };
    for await (const packet of packetsOf(track)) {
      const { type, microsecondTimestamp: timestamp, microsecondDuration: duration } = packet;
      yield { item: { packet: { type, timestamp, duration, data: packet.data.slice() } }, time: packet.timestamp };
    }
  });
}

/** The stored (encoded) sound of a recording: its encoding first, then its pieces. Times in seconds. */
export type SoundPiece =
  | { codec: string; config: AudioDecoderConfig }
  | { data: Uint8Array<ArrayBuffer>; type: 'key' | 'delta'; timestamp: number; duration: number };

/** Empty if there is no sound or its codec is unknown. */
export async function* soundPieces(source: Blob | string): AsyncGenerator<SoundPiece, void> {
  const input = await open(source);
  try {
    await checkTracks(input);
    const track = await input.getPrimaryAudioTrack();
    const codec = await track?.getCodec();
    const config = await track?.getDecoderConfig();
    if (!track || !codec || !config) return;
    yield { codec, config };
    for await (const { data, type, timestamp, duration } of new EncodedPacketSink(track).packets()) {
      work.done++;
      yield { data: data.slice(), type, timestamp, duration };
    }
  } finally {
    input.dispose();
  }
}

/** Name of the codec, or the container's name for a codec that no browser supports. */
const codecOf = async (track: InputVideoTrack) => (await track.getCodec()) ?? String(await track.getInternalCodecId());

/** Edits that the container lists. The patched demuxer reads them (patches/). */
const editsOf = async (track: InputVideoTrack): Promise<readonly Edit[]> => (await track.getEdits?.()) ?? [];

const presentationOf = async (track: InputVideoTrack): Promise<Presentation> => ({
  edits: await editsOf(track),
  orientation: { rotation: await track.getRotation(), flip: await track.getFlip() },
});

const packetsOf = (track: InputVideoTrack) => new EncodedPacketSink(track).packets();

async function configOf(track: InputVideoTrack): Promise<VideoDecoderConfig> {
  const config = await track.getDecoderConfig();
  await checkCodec(config !== null, await codecOf(track));
  return config!;
}

/** The pieces that `read` makes from the video track, followed by a check whether the recording is complete. */
async function* piecesOf<T>(
  source: Blob | string,
  read: (track: InputVideoTrack) => AsyncGenerator<{ item: T; time: number | null }, void>,
): AsyncGenerator<T, void> {
  const connection = new Connection();
  const input = await open(source, connection);
  // Data read before the failure.
  let frames = 0;
  let last = NaN;
  try {
    await checkTracks(input);
    const track = await input.getPrimaryVideoTrack();
    if (!track) throw await withoutPicture(input, source);
    const [width, height] = [await track.getCodedWidth(), await track.getCodedHeight()];
    if (!(width >= 1 && height >= 1)) throw damaged('The recording is damaged: its picture has no size.');
    checkDecoded(width, height);
    checkDecoded(await track.getDisplayWidth(), await track.getDisplayHeight());
    for await (const { item, time } of read(track)) {
      work.done++;
      if (time !== null) {
        frames++;
        last = time;
      }
      yield item;
    }
    const missing = await cutOff(input, source, last, await editsOf(track));
    if (missing)
      throw new FoveolaError('decode-failed', `The recording ends early ${after(frames, last)}: ${missing}`, {
        partial: { frames, mediaTime: last * 1000 },
      });
  } catch (error) {
    const partial = { frames, mediaTime: last * 1000 };
    if (connection.fault)
      throw networkFailed(source as string, `reading ended ${after(frames, last)}, because ${connection.fault}`, {
        cause: error,
        partial,
      });
    if (error instanceof FoveolaError) throw error;
    throw new FoveolaError(
      'decode-failed',
      `The recording cannot be decoded ${frames ? 'further ' : ''}${after(frames, last)}: ${reason(error)}. ${again}`,
      { cause: error, partial },
    );
  } finally {
    input.dispose();
  }
}

export const again = 'Copy it again from its source, or convert it to MP4 (H.264) or WebM (VP9).';
/**
 * The demuxer follows offsets in the file. If they point outside, its error message is meant for its authors, not for
 * the user.
 */
export const reason = (error: unknown) =>
  error instanceof RangeError || error instanceof TypeError || !(error as Error)?.message
    ? 'its index does not match its data'
    : (error as Error).message.replace(/[.\s]+$/, '');

const after = (frames: number, last: number) =>
  frames ? `after ${frames} frames, the last at ${last.toFixed(3)} s` : 'before its first frame';

/** Codecs with reordering. mediabunny contains workarounds for the decoders of several browsers. */
async function* decodeByTime(track: InputVideoTrack): AsyncGenerator<VideoFrame, void> {
  for await (const sample of new VideoSampleSink(track).samples()) {
    let frame: VideoFrame;
    try {
      frame = sample.toVideoFrame();
    } finally {
      sample.close();
    }
    try {
      checkFrame(frame);
    } catch (error) {
      frame.close();
      throw error;
    }
    yield frame;
  }
}

/** Describes what is missing at the end. Null if nothing is missing. */
async function cutOff(
  input: Input,
  source: Blob | string,
  last: number,
  edits: readonly Edit[] = [],
): Promise<string | null> {
  if (source instanceof Blob) {
    return missingOf(source);
  }
  // Sound may be longer than the video, so the declared duration is reliable only without sound.
  const tracks = await input.getTracks();
  const end = edits.at(-1);
  const shown = end ? end.start + end.duration : await input.getDurationFromMetadata();
  const duration = tracks.length === 1 ? shown : null;
  return duration !== null && duration - last > 1
    ? `its header says ${duration.toFixed(3)} s. Load it again, or copy it again from its source.`
    : null;
}

async function withoutPicture(input: Input, source: Blob | string): Promise<FoveolaError> {
  const sound = (await input.getTracks()).length > 0;
  const missing = sound ? null : await cutOff(input, source, NaN);
  if (missing)
    return new FoveolaError('decode-failed', `The recording ends before its index: ${missing}`, {
      partial: { frames: 0, mediaTime: NaN },
    });
  return new FoveolaError('source-unsupported', `The recording has no picture${sound ? ', only sound' : ''}.`);
}

const MOST_TRACKS = 256;

/** To choose a track, the demuxer compares every track with every other. */
async function checkTracks(input: Input): Promise<void> {
  const { length } = await input.getTracks();
  if (length > MOST_TRACKS)
    throw damaged(`The recording is damaged: it has ${length} tracks. The maximum is ${MOST_TRACKS}.`);
}

/** The first bytes, as far as they can be read. */
async function headOf(source: Blob | string, connection: Connection): Promise<Uint8Array> {
  if (source instanceof Blob) return readHeader(source, 4096);
  try {
    const response = await connection.fetch(source, { headers: { Range: 'bytes=0-4095' } });
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    void reader?.cancel().catch(() => {});
    return value?.subarray(0, 4096) ?? new Uint8Array(0);
  } catch {
    return new Uint8Array(0);
  }
}

async function open(source: Blob | string, connection = new Connection()): Promise<Input> {
  const name = typeof source === 'string' ? source : 'The file';
  const check = async () => {
    const container = containerOf(await headOf(source, connection));
    if (container && !isBrowsers(container))
      throw new FoveolaError('source-unsupported', `${name} ${notPlayed(container)}`);
  };
  if (source instanceof Blob) await check();
  const input = new Input({
    formats: [MP4, QTFF, WEBM, MATROSKA],
    source:
      typeof source === 'string'
        ? new UrlSource(source, { fetchFn: connection.fetch, getRetryDelay: connection.retryAfter })
        : new BlobSource(source),
  });
  try {
    if (await input.canRead()) return input;
  } catch (error) {
    input.dispose();
    if (isSilence(error)) throw networkFailed(source as string, connection.fault!, { cause: error });
    if (typeof source === 'string')
      throw new FoveolaError('decode-failed', `${source} cannot be loaded. Check the address and its CORS headers.`, {
        cause: error,
      });
    throw new FoveolaError('decode-failed', `The file is not a readable recording: ${reason(error)}. ${again}`, {
      cause: error,
    });
  }
  input.dispose();
  if (typeof source === 'string') await check();
  const looks = describeBytes(await headOf(source, connection));
  throw new FoveolaError(
    'decode-failed',
    `${name} is not a readable recording. It looks like ${looks}. Use MP4, MOV, WebM or Matroska.`,
  );
}
