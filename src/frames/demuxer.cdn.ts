/**
 * For foveola.cdn.js: the demuxer is not inside but loaded from `data-assets` on the script tag, when it is needed. It
 * brings its own copy of FoveolaError, whose errors become ours.
 */
import { assetFolder } from '../runtime/assets.cdn.ts';
import { FoveolaError, type FoveolaErrorCode } from '../runtime/error.ts';
import type * as EveryFrame from './every-frame.ts';

export async function loadEveryFrame(): Promise<Pick<typeof EveryFrame, 'everyFrameOf'>> {
  if (!assetFolder)
    throw new FoveolaError(
      'source-unsupported',
      'everyFrame needs the demuxer, which is not inside foveola.cdn.js. Add data-assets="URL of the dist folder/" to its script tag, or read the frames as they are played.',
    );
  const url = new URL('every-frame.js', assetFolder).href;
  let module: typeof EveryFrame;
  try {
    module = (await import(/* @vite-ignore */ url)) as typeof EveryFrame;
  } catch (cause) {
    throw new FoveolaError(
      'source-unsupported',
      `The demuxer could not be loaded from ${url}. Correct data-assets on the script tag, and allow the address in script-src.`,
      { cause },
    );
  }
  return {
    async *everyFrameOf(source, signal) {
      try {
        yield* module.everyFrameOf(source, signal);
      } catch (error) {
        const { name, code, message, partial } = error as FoveolaError;
        if (name !== 'FoveolaError' || error instanceof FoveolaError) throw error;
        throw new FoveolaError(code as FoveolaErrorCode, message, { cause: error, partial });
      }
    },
  };
}
