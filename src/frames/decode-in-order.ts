/**
 * Frames in the order of the file, for codecs without reordering (VP8, VP9, AV1). mediabunny's own sink orders frames by
 * their times, which mixes two parts of a recording where the recorder's clock was set back between them.
 */
import { codedSize } from './coded-size.ts';
import { checkFrame } from './presentation.ts';
import { checkDecoded } from './size.ts';

const mostWaiting = 8;

/** What Chromium assumes where a recording does not say; partly given, it would forget the rest. */
const usualColors = { primaries: 'bt709', matrix: 'bt709', transfer: 'bt709', fullRange: false } as const;

export const keepsOrder = (codec: string | null): boolean => codec === 'vp8' || codec === 'vp9' || codec === 'av1';

export interface CodedFrame {
  readonly data: Uint8Array;
  toEncodedVideoChunk(): EncodedVideoChunk;
}

/** Of a frame that no decoder is to take memory for. */
function tooLarge(codec: string | null, data: Uint8Array): unknown {
  const size = codedSize(codec, data);
  try {
    if (size) checkDecoded(...size);
    return null;
  } catch (error) {
    return error;
  }
}

/** Whoever receives a frame closes it. Throws what the decoder throws, and 'image-too-large'. */
export async function* decodeInOrder(
  config: VideoDecoderConfig,
  codec: string | null,
  packets: AsyncGenerator<CodedFrame, void>,
): AsyncGenerator<VideoFrame, void> {
  const given = Object.entries(config.colorSpace ?? {}).filter(([, value]) => value !== null && value !== undefined);
  const ready: VideoFrame[] = [];
  let failure: unknown = null;
  let wake = () => {};
  let ended = false;
  const changed = () => new Promise<void>((resolve) => (wake = resolve));
  const decoder = new VideoDecoder({
    output: (frame) => {
      try {
        if (ended) frame.close();
        else {
          checkFrame(frame);
          ready.push(frame);
        }
      } catch (error) {
        frame.close();
        failure ??= error;
      }
      wake();
    },
    error: (error) => {
      failure = error;
      wake();
    },
  });
  decoder.addEventListener('dequeue', () => wake());
  decoder.configure({ ...config, colorSpace: { ...usualColors, ...Object.fromEntries(given) } });
  // Reads ahead while frames are used.
  const full = () => ready.length >= mostWaiting || decoder.decodeQueueSize >= mostWaiting;
  let waiting: Promise<unknown> | null = null;
  let flushed = false;
  try {
    for (;;) {
      while (ready.length) yield ready.shift()!;
      if (failure) throw failure as Error;
      if (flushed) return;
      if (waiting || full()) {
        await changed();
        continue;
      }
      const { value: packet, done } = await packets.next();
      if (failure) throw failure as Error;
      const refusal = done ? null : tooLarge(codec, packet.data);
      if (!done && !refusal) decoder.decode(packet.toEncodedVideoChunk());
      else {
        waiting = decoder.flush().then(
          () => ((failure ??= refusal), (flushed = true), wake()),
          (error) => ((failure ??= error), wake()),
        );
      }
    }
  } finally {
    ended = true;
    for (const frame of ready) frame.close();
    await packets.return?.();
    if (decoder.state !== 'closed') decoder.close();
  }
}
