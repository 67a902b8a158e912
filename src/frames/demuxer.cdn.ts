/** For the CDN scripts: the demuxer is not inside but loaded when it is needed. */
import type * as EveryFrame from './every-frame.ts';
import type { RawFrame } from './presented.ts';
import { asOurs } from '../runtime/error.ts';
import { loadChunk, readerParts } from '../runtime/engine/load-chunk.cdn.ts';

export async function* everyFrameOf(source: Blob | string, signal?: AbortSignal): AsyncGenerator<RawFrame, void> {
  const file = 'every-frame.js';
  const module = await loadChunk<typeof EveryFrame>(
    file,
    'Every frame of a recording needs the demuxer',
    'read the frames as they are played',
  );
  try {
    yield* module.everyFrameOf(source, signal, readerParts(file));
  } catch (error) {
    throw asOurs(error);
  }
}
