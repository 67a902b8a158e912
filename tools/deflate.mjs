// What is shipped within scripts, deflated by Zopfli: about a twentieth smaller than by zlib, for seconds of the build.
import zopfli from '@gfx/zopfli';

/** A raw deflate stream. Codes begin again wherever that pays, so streams of different kinds may stand one after the other. */
export const deflate = async (bytes, rounds = 5) =>
  Buffer.from(await zopfli.deflateAsync(bytes, { numiterations: rounds, blocksplittingmax: 0 }));
