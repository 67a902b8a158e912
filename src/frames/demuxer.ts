/**
 * The part that takes recordings apart is large and rarely needed, so it is loaded when it is: dist/every-frame.js, a
 * module of its own that all builds share. The CDN build replaces this module by one that loads it from `data-assets`.
 */
import { loadPart } from '../runtime/engine/load-part.ts';
import { asOurs } from '../runtime/error.ts';
import type * as EveryFrame from './every-frame.ts';
import type { RawFrame } from './presented.ts';
import type { SoundPiece } from './read-recording.ts';
import { readerParts } from './reader-parts.ts';
import type { ReaderParts } from './reader-worker.ts';

type Read<T> = (module: typeof EveryFrame, parts: ReaderParts) => AsyncGenerator<T, void>;

async function* reading<T>(read: Read<T>): AsyncGenerator<T, void> {
  try {
    const need = 'Every frame of a recording needs the demuxer';
    const instead = 'read the frames as they are played';
    yield* read(await loadPart(import('./every-frame.ts'), need, instead), readerParts);
  } catch (error) {
    throw asOurs(error);
  }
}

export const everyFrameOf = (source: Blob | string, signal?: AbortSignal): AsyncGenerator<RawFrame, void> =>
  reading((module, parts) => module.everyFrameOf(source, signal, parts));

/** The sound as it is stored: how it is coded, then its pieces; nothing where there is none. */
export const soundOf = (source: Blob | string, signal?: AbortSignal): AsyncGenerator<SoundPiece, void> =>
  reading((module, parts) => module.soundOf(source, signal, parts));
