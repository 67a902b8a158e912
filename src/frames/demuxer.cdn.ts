/** For foveola.cdn.js: the demuxer is not inside but loaded from `data-assets`, when it is needed. */
import type * as EveryFrame from './every-frame.ts';
import { asOurs, loadChunk } from '../runtime/load-chunk.cdn.ts';

export async function loadEveryFrame(): Promise<Pick<typeof EveryFrame, 'everyFrameOf'>> {
  const module = await loadChunk<typeof EveryFrame>(
    'every-frame.js',
    'everyFrame needs the parts of the demuxer',
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
