/**
 * Frames in the order of the file, for codecs without reordering (VP8, VP9, AV1). mediabunny's sink sorts frames by
 * time. If the recorder's clock was set back, this would mix two parts of a recording.
 */
import { checkFrame } from './presentation.ts';
import { checkDecoded } from './size.ts';

/**
 * Size of a key frame from its header, for codecs that can change it within a stream. Checked before a decoder
 * allocates memory for it. VP8: RFC 6386, 9.1. VP9: bitstream specification 0.6, 6.2.
 */
type Size = [width: number, height: number];

/** Null for other codecs and other frames, and if the header is invalid. */
function codedSize(codec: string | null, data: Uint8Array): Size | null {
  if (codec === 'vp8') return sizeOfVp8(data);
  return codec === 'vp9' ? sizeOfVp9(data) : null;
}

function sizeOfVp8(data: Uint8Array): Size | null {
  if (data.length < 10 || data[0]! & 1 || data[3] !== 0x9d || data[4] !== 0x01 || data[5] !== 0x2a) return null;
  return [(data[6]! | (data[7]! << 8)) & 0x3fff, (data[8]! | (data[9]! << 8)) & 0x3fff];
}

const RGB = 7;

function sizeOfVp9(data: Uint8Array): Size | null {
  let at = 0;
  const bits = (count: number) => {
    let value = 0;
    for (; count > 0; count--, at++) value = 2 * value + (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  if (bits(2) !== 2) return null;
  const profile = bits(1) + 2 * bits(1);
  if (profile === 3) bits(1);
  // Shown again, or not a key frame.
  if (bits(1) || bits(1)) return null;
  bits(2);
  if (bits(24) !== 0x498342) return null;
  if (profile >= 2) bits(1); // ten or twelve bits
  const odd = profile % 2;
  if (bits(3) === RGB) bits(odd);
  else bits(odd ? 4 : 1); // range and chroma subsampling
  return [bits(16) + 1, bits(16) + 1];
}

const mostWaiting = 8;

/**
 * Chromium's defaults for a recording without color information. If only some are set, Chromium ignores its defaults
 * for the rest.
 */
const usualColors = { primaries: 'bt709', matrix: 'bt709', transfer: 'bt709', fullRange: false } as const;

export const keepsOrder = (codec: string | null): boolean => codec === 'vp8' || codec === 'vp9' || codec === 'av1';

interface CodedFrame {
  readonly data: Uint8Array;
  toEncodedVideoChunk(): EncodedVideoChunk;
}

/** The error for a frame that is too large for a decoder to allocate memory. */
function tooLarge(codec: string | null, data: Uint8Array): unknown {
  const size = codedSize(codec, data);
  try {
    if (size) checkDecoded(...size);
    return null;
  } catch (error) {
    return error;
  }
}

/** The receiver must close each frame. Throws the decoder's errors, and 'image-too-large'. */
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
