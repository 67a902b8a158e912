/**
 * Every frame of a recording, once and in order. Demuxing and decoding run in a separate worker (this file is also its
 * script), so that a damaged recording crashes only the worker and not the page. Without a worker they run on the page.
 */
import { FoveolaError } from '../runtime/error.ts';
import { decodeInOrder } from './decode-in-order.ts';
import { cancelled } from './image-files/faults.ts';
import { presented } from './presentation.ts';
import type { RawFrame } from './presented.ts';
import {
  again,
  checkCodec,
  decodedFrames,
  encodedPackets,
  reason,
  soundPieces,
  usesWebCodecs,
  type Packets,
  type SoundPiece,
} from './read-recording.ts';
import type { PartPlace } from '../runtime/engine/assets.ts';
import { startReader, type ReaderWorker, serveReader } from './reader-worker.ts';

const NAME = 'foveola-every-frame';

interface Job {
  source: Blob | string;
  /** Frames, packets for the page to decode, or the stored (encoded) sound. */
  wanted: 'frames' | 'packets' | 'sound';
}

serveReader(NAME, async function* ({ source, wanted }: Job) {
  if (wanted === 'frames') for await (const frame of decodedFrames(source)) yield { value: frame, transfer: [frame] };
  else if (wanted === 'sound')
    for await (const value of soundPieces(source))
      yield { value, transfer: 'data' in value ? [value.data.buffer] : [] };
  else
    for await (const value of encodedPackets(source))
      yield { value, transfer: 'packet' in value ? [(value.packet.data as Uint8Array<ArrayBuffer>).buffer] : [] };
});

const absolute = (source: Blob | string) =>
  typeof source === 'string' ? new URL(source, document.baseURI).href : source;
const reader = (place?: PartPlace) => startReader(new URL('./every-frame.ts', import.meta.url).href, NAME, place);

/** The stored (encoded) sound of a recording, to copy it. Throws like `everyFrameOf`. */
export async function* soundOf(
  source: Blob | string,
  signal?: AbortSignal,
  place?: PartPlace,
): AsyncGenerator<SoundPiece, void> {
  const worker = await reader(place);
  try {
    if (worker) yield* valuesOf<SoundPiece>(worker, { source: absolute(source), wanted: 'sound' }, signal);
    else yield* soundPieces(absolute(source));
  } finally {
    worker?.end();
  }
}

/**
 * @throws {FoveolaError} 'decode-failed' (missing, empty, not a recording, or after the last good frame if the
 * recording is truncated or damaged: `partial` is `{ frames, mediaTime }` of the part that was read), 'network-failed'
 * (the server sends nothing, disconnects or returns an error, `partial` as before), 'source-unsupported' (no WebCodecs,
 * no video track, or a codec that this browser does not decode), 'aborted'
 */
export async function* everyFrameOf(
  given: Blob | string,
  signal?: AbortSignal,
  place?: PartPlace,
): AsyncGenerator<RawFrame, void> {
  const source = absolute(given);
  const worker = await reader(place);
  let frames = 0;
  let last = NaN;
  try {
    for await (const frame of worker ? framesFrom(worker, source, signal) : decodedFrames(source)) {
      if (signal?.aborted) {
        frame.close();
        throw cancelled(signal);
      }
      frames++;
      last = frame.timestamp / 1000;
      yield { frame, media: last, arrival: performance.now(), dropped: 0 };
    }
  } catch (error) {
    // The worker cannot report what it had read when it was ended.
    if (!(error instanceof FoveolaError) || !/^(decode|network)-failed$/.test(error.code) || error.partial) throw error;
    throw new FoveolaError(error.code, error.message, { cause: error, partial: { frames, mediaTime: last } });
  } finally {
    worker?.end();
  }
}

export async function* framesFrom(
  worker: ReaderWorker,
  source: Blob | string,
  signal?: AbortSignal,
): AsyncGenerator<VideoFrame, void> {
  if (worker.decodes) return yield* valuesOf<VideoFrame>(worker, { source, wanted: 'frames' }, signal);
  usesWebCodecs();
  const packets = valuesOf<Packets>(worker, { source, wanted: 'packets' }, signal);
  const { value: first } = await packets.next();
  const { config, codec, presentation } = first as Extract<Packets, { config: unknown }>;
  const supported = VideoDecoder.isConfigSupported(config).then(
    (answer) => answer.supported === true,
    () => false,
  );
  await checkCodec(supported, codec);
  try {
    yield* presented(decodeInOrder(config, codec, chunks(packets)), presentation);
  } catch (error) {
    if (error instanceof FoveolaError) throw error;
    throw new FoveolaError('decode-failed', `The recording cannot be decoded: ${reason(error)}. ${again}`, {
      cause: error,
    });
  }
}

async function* valuesOf<T>(worker: ReaderWorker, job: Job, signal?: AbortSignal): AsyncGenerator<T, void> {
  let piece = await worker.ask({ job }, { signal });
  for (; 'value' in piece; piece = await worker.ask({ next: true }, { signal })) yield piece.value as T;
}

async function* chunks(packets: AsyncGenerator<Packets, void>) {
  for await (const one of packets)
    if ('packet' in one)
      yield { data: one.packet.data as Uint8Array, toEncodedVideoChunk: () => new EncodedVideoChunk(one.packet) };
}
