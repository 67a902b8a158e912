/** The decoder for recordings: node-av if it is installed, otherwise the program ffmpeg. */
import { FoveolaError } from '../runtime/error.ts';
import type { OpenOptions, Recording } from './decoded-frame.ts';
import { findFfmpeg, openWithFfmpeg } from './recording-ffmpeg.ts';
import { loadNodeAv, openWithNodeAv, type NodeAv } from './recording-node-av.ts';

let nodeAv: Promise<NodeAv | null> | null = null;

/**
 * @param path of the file
 * @param wanted only this one of the two
 * @throws {FoveolaError} (rejects) 'source-unsupported' (no decoder is installed, or the codec is not supported),
 * 'decode-failed'
 */
export async function openRecording(
  path: string,
  wanted?: Recording['decoder'],
  options: OpenOptions = {},
): Promise<Recording> {
  const library = wanted === 'ffmpeg' ? null : await (nodeAv ??= loadNodeAv());
  if (library) return openWithNodeAv(library, path, options);
  const program = wanted === 'node-av' ? null : await findFfmpeg();
  if (program) return openWithFfmpeg(program, path, options);
  throw new FoveolaError(
    'source-unsupported',
    'Recordings and BMP images need a decoder: `npm install node-av`, or install ffmpeg on the PATH (or set FOVEOLA_FFMPEG to its path).',
  );
}
