/** Writes a recording: VP8 in WebM by node-av, each frame with its own time. */
import { constants } from 'node:os';
import { FoveolaError } from '../runtime/error.ts';

export interface RecordingFile {
  /**
   * Adds the next frame.
   * @param picture planes Y, U, V one after the other, chroma halved in both directions and rounded up, luma 16..235
   * @param timestamp milliseconds, increasing
   */
  add(picture: Uint8Array, timestamp: number): Promise<void>;
  /** Completes the file. Idempotent. */
  close(): Promise<void>;
}

/** Bits per pixel and frame, enough for sharp marks. */
const BITS = 0.2;
const FRAMES = 30;

/**
 * FFmpeg reports system errors as negative numbers. They are converted to Node's errors, for example for a full disk.
 */
function asSystemError(cause: unknown): Error {
  const number = Number((cause as { code?: unknown }).code);
  const code = Object.entries(constants.errno).find(([, value]) => value === -number)?.[0];
  return code ? Object.assign(new Error((cause as Error).message, { cause }), { code }) : (cause as Error);
}

/**
 * @param path of the file. An existing file is replaced
 * @throws {FoveolaError} (rejects) 'source-unsupported' (node-av is not installed). `add` and `close` reject like
 * Node's file functions: ENOSPC
 */
export async function encodeRecording(
  path: string,
  { width, height }: { width: number; height: number },
): Promise<RecordingFile> {
  const av = await import('node-av').catch((cause: unknown) => {
    throw new FoveolaError('source-unsupported', 'Writing recordings needs node-av: `npm install node-av`.', { cause });
  });
  av.Log.setLevel(av.AV_LOG_ERROR); // the encoder prints its version
  const timeBase = new av.Rational(1, 1000);
  const encoder = await av.Encoder.create(av.FF_ENCODER_LIBVPX_VP8, {
    context: { bitRate: Math.round(width * height * FRAMES * BITS), timeBase, threadCount: 1 },
    options: { deadline: 'realtime', 'cpu-used': 8 },
  });
  const muxer = await av.Muxer.open(path, { format: 'webm' });
  const stream = muxer.addStream(encoder);
  const write = async (frame: InstanceType<typeof av.Frame> | null) => {
    try {
      for await (const packet of encoder.packets(frame)) await muxer.writePacket(packet, stream);
    } catch (cause) {
      throw asSystemError(cause);
    }
  };
  let open = true;
  return {
    async add(picture, timestamp) {
      const frame = av.Frame.fromVideoBuffer(Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength), {
        ...{ width, height, format: av.AV_PIX_FMT_YUV420P, timeBase },
        pts: BigInt(Math.round(timestamp)),
      });
      try {
        await write(frame);
      } finally {
        frame.free();
      }
    },
    async close() {
      if (!open) return;
      open = false;
      await write(null);
      await muxer.close();
      encoder.close();
    },
  };
}
