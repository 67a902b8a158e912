/**
 * Writes images as a recording that preserves gray values. VP9 with quantizer 0 encodes I420 without loss, and gray
 * stays unchanged with the full value range. Colors have half the width and height, as in any recording.
 */
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, WebMOutputFormat } from 'mediabunny';

/** 8 bits per channel: gray, or RGBA. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: ArrayLike<number> & ArrayBufferView;
}

/** Number of images between key frames, so that seeking is fast. */
const keyFrameEvery = 10;
/** Maximum number of images waiting for the encoder. */
const most = 4;
/** Nominal rate in images per second, if each has its own time. */
const nominalRate = 25;
const colorSpace = { matrix: 'bt709', primaries: 'bt709', transfer: 'iec61966-2-1', fullRange: true } as const;

export class PictureWriter {
  readonly #output = new Output({ format: new WebMOutputFormat(), target: new BufferTarget() });
  readonly #track = new EncodedVideoPacketSource('vp9');
  readonly #encoder: VideoEncoder;
  readonly #rate: number;
  #written: Promise<void> = Promise.resolve();
  #failure: unknown = null;
  /** Wakes the caller that waits for the encoder. */
  #wake = () => {};
  #count = 0;

  private constructor(config: VideoEncoderConfig, rate: number) {
    this.#rate = rate;
    this.#output.addVideoTrack(this.#track, { frameRate: rate });
    const fail = (error: unknown) => {
      this.#failure ??= error;
      this.#wake();
    };
    this.#encoder = new VideoEncoder({
      output: (chunk, meta) => {
        this.#written = this.#written.then(() => this.#track.add(EncodedPacket.fromEncodedChunk(chunk), meta));
        this.#written.catch(fail);
      },
      error: fail,
    });
    this.#encoder.addEventListener('dequeue', () => this.#wake());
    this.#encoder.configure(config);
  }

  /** Null if this browser does not support lossless encoding. `rate`: images per second. */
  static async open(width: number, height: number, rate: number): Promise<PictureWriter | null> {
    if (typeof VideoEncoder === 'undefined') return null;
    const level = width * height > 2_228_224 ? '51' : '40';
    const config: VideoEncoderConfig = { codec: `vp09.00.${level}.08`, width, height, bitrateMode: 'quantizer' };
    const answer = await VideoEncoder.isConfigSupported(config).catch(() => null);
    if (!answer?.supported) return null;
    const writer = new PictureWriter(config, rate);
    await writer.#output.start();
    return writer;
  }

  /** Resolves when there is room for the next image. All images must have the size given to `open`. */
  add({ width, height, data }: Picture): Promise<void> {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const duration = 1e6 / this.#rate;
    const times = { timestamp: Math.round(this.#count * duration), duration: Math.round(duration) };
    const size = { codedWidth: width, codedHeight: height };
    const gray = bytes.length === width * height;
    const frame = gray
      ? new VideoFrame(withoutColor(bytes, width, height), { format: 'I420', ...size, ...times, colorSpace })
      : new VideoFrame(bytes, { format: 'RGBX', ...size, ...times });
    return this.addFrame(frame);
  }

  /** Adds a frame with its own time, and closes it. */
  async addFrame(frame: VideoFrame): Promise<void> {
    if (this.#failure) throw this.#failure;
    // Not yet in TypeScript's types.
    const options = { keyFrame: this.#count++ % keyFrameEvery === 0, vp9: { quantizer: 0 } };
    try {
      this.#encoder.encode(frame, options as VideoEncoderEncodeOptions);
    } finally {
      frame.close();
    }
    while (this.#encoder.encodeQueueSize > most && !this.#failure)
      await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  async end(): Promise<Blob> {
    await this.#encoder.flush();
    await this.#written;
    if (this.#failure) throw this.#failure;
    this.#encoder.close();
    await this.#output.finalize();
    return new Blob([this.#output.target.buffer!], { type: 'video/webm' });
  }

  async cancel(): Promise<void> {
    if (this.#encoder.state !== 'closed') this.#encoder.close();
    await this.#output.cancel();
  }
}

/**
 * Writes a stack or an animation as a recording that browsers can play. Null if this browser does not support lossless
 * encoding.
 * @param frames as returned by `frames(file)`
 */
export async function stackRecording(frames: AsyncIterable<{ frame: VideoFrame | ImageBitmap }>): Promise<Blob | null> {
  let writer: PictureWriter | null = null;
  try {
    for await (const { frame } of frames) {
      if (!(typeof VideoFrame === 'function' && frame instanceof VideoFrame)) return null;
      writer ??= await PictureWriter.open(frame.displayWidth, frame.displayHeight, nominalRate);
      if (!writer) return null;
      await writer.addFrame(frame.clone());
    }
    return (await writer?.end()) ?? null;
  } catch (cause) {
    await writer?.cancel().catch(() => {}); // report the first error
    throw cause;
  }
}

function withoutColor(gray: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const planes = new Uint8Array(gray.length + 2 * Math.ceil(width / 2) * Math.ceil(height / 2)).fill(128, gray.length);
  planes.set(gray);
  return planes;
}
