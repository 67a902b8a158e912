/** The part that takes recordings apart is large and rarely needed, so it is loaded when it is: every-frame.js. */
import { loadPart, partPlace, type PartPlace } from '../runtime/engine/assets.ts';
import { asOurs } from '../runtime/error.ts';
import type * as EveryFrame from './every-frame.ts';
import type { RawFrame } from './presented.ts';
import type { SoundPiece } from './read-recording.ts';

type Read<T> = (module: typeof EveryFrame, place: PartPlace) => AsyncGenerator<T, void>;

async function* reading<T>(read: Read<T>): AsyncGenerator<T, void> {
  const file = 'every-frame.js';
  const need = 'Every frame of a recording needs the demuxer';
  const module = await loadPart(file, () => import('./every-frame.ts'), need, 'read the frames as they are played');
  try {
    yield* read(module, partPlace(file));
  } catch (error) {
    throw asOurs(error);
  }
}

export const everyFrameOf = (source: Blob | string, signal?: AbortSignal): AsyncGenerator<RawFrame, void> =>
  reading((module, place) => module.everyFrameOf(source, signal, place));

/** The sound as it is stored: how it is coded, then its pieces; nothing where there is none. */
export const soundOf = (source: Blob | string, signal?: AbortSignal): AsyncGenerator<SoundPiece, void> =>
  reading((module, place) => module.soundOf(source, signal, place));
