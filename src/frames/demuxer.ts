/**
 * The part that takes recordings apart is large and rarely needed, so it is loaded when it is: dist/every-frame.js, a
 * module of its own that all builds share. The CDN build replaces this module by one that loads it from `data-assets`.
 */
import { asOurs } from '../runtime/error.ts';
import type * as EveryFrame from './every-frame.ts';
import type { RawFrame } from './presented.ts';
import { readerParts } from './reader-parts.ts';

export async function* everyFrameOf(source: Blob | string, signal?: AbortSignal): AsyncGenerator<RawFrame, void> {
  const module: typeof EveryFrame = await import('./every-frame.ts');
  try {
    yield* module.everyFrameOf(source, signal, readerParts);
  } catch (error) {
    throw asOurs(error);
  }
}
