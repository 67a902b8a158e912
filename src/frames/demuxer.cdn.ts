/** For the CDN scripts: the demuxer is not inside but loaded when it is needed. */
import type * as EveryFrame from './every-frame.ts';
import { asOurs } from '../runtime/error.ts';
import { loadChunk } from '../runtime/engine/load-chunk.cdn.ts';

export async function loadEveryFrame(): Promise<Pick<typeof EveryFrame, 'everyFrameOf'>> {
  const module = await loadChunk<typeof EveryFrame>(
    'every-frame.js',
    'Every frame of a recording needs the demuxer',
    'read the frames as they are played',
  );
  return {
    async *everyFrameOf(source, signal) {
      try {
        yield* module.everyFrameOf(source, signal);
      } catch (error) {
        throw asOurs(error);
      }
    },
  };
}
