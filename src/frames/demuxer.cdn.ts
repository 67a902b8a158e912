/** For the CDN scripts: the demuxer is not inside but loaded when it is needed. */
import type * as EveryFrame from './every-frame.ts';
import type { RawFrame } from './presented.ts';
import type { SoundPiece } from './read-recording.ts';
import type { ReaderParts } from './reader-worker.ts';
import { asOurs } from '../runtime/error.ts';
import { loadChunk, readerParts } from '../runtime/engine/load-chunk.cdn.ts';

type Read<T> = (module: typeof EveryFrame, parts: ReaderParts) => AsyncGenerator<T, void>;

async function* reading<T>(read: Read<T>): AsyncGenerator<T, void> {
  const file = 'every-frame.js';
  const module = await loadChunk<typeof EveryFrame>(
    file,
    'Every frame of a recording needs the demuxer',
    'read the frames as they are played',
  );
  try {
    yield* read(module, readerParts(file));
  } catch (error) {
    throw asOurs(error);
  }
}

export const everyFrameOf = (source: Blob | string, signal?: AbortSignal): AsyncGenerator<RawFrame, void> =>
  reading((module, parts) => module.everyFrameOf(source, signal, parts));

export const soundOf = (source: Blob | string, signal?: AbortSignal): AsyncGenerator<SoundPiece, void> =>
  reading((module, parts) => module.soundOf(source, signal, parts));
