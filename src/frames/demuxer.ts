/**
 * The part that takes recordings apart is large and rarely needed, so it is loaded when it is: dist/every-frame.js, a
 * module of its own that all builds share. The CDN build replaces this module by one that loads it from `data-assets`.
 */
import { asOurs } from '../runtime/error.ts';
import type * as EveryFrame from './every-frame.ts';

export async function loadEveryFrame(): Promise<Pick<typeof EveryFrame, 'everyFrameOf'>> {
  const module = await import('./every-frame.ts');
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
