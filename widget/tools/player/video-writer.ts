/**
 * Writes a video of painted frames, each with its own time. Uses WebCodecs and mediabunny. Loaded when a video is
 * exported.
 */
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Output,
  WebMOutputFormat,
  type AudioCodec,
  canEncodeVideo,
  EncodedAudioPacketSource,
  Mp4OutputFormat,
  QUALITY_HIGH,
  type VideoCodec,
  VideoSample,
  VideoSampleSource,
} from 'mediabunny';
import type { SoundPiece } from '../../../src/internal.ts';

// Writes images as a recording that preserves gray values. VP9 with quantizer 0 encodes I420 without loss, and gray
// stays unchanged with the full value range. Colors have half the width and height, as in any recording.

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

/**
 * The first codec that the browser can encode is used. H.264 is the fastest without hardware, and most programs can
 * read it.
 */
const codecs: readonly VideoCodec[] = ['avc', 'vp9', 'vp8', 'av1'];
/** Seconds between key frames, so that players can seek. */
const keyFrameInterval = 1;

type Packet = Exclude<SoundPiece, { codec: string }>;

interface Sound {
  readonly from: AsyncGenerator<SoundPiece, void>;
  readonly to: EncodedAudioPacketSource;
  /** Sent with the first packet. */
  meta?: { decoderConfig: AudioDecoderConfig };
}

export interface WriterOptions {
  /** Pixels read from the canvas equal the painted ones. Otherwise the encoder reads the canvas itself. */
  readonly exact: boolean;
  /** Sound to copy, if the file format supports it. */
  readonly sound?: AsyncGenerator<SoundPiece, void> | null;
}

export class VideoWriter {
  readonly #output: Output<WebMOutputFormat | Mp4OutputFormat, BufferTarget>;
  readonly #source: VideoSampleSource;
  readonly #exact: boolean;
  #sound: Sound | null = null;
  /** Next packet of the sound. */
  #next: Packet | null = null;
  /** Media time in seconds of the first frame, where the video begins. */
  #first = NaN;
  /** Media time in seconds at which the last frame ends. */
  #end = NaN;

  private constructor(codec: VideoCodec, exact: boolean) {
    this.#exact = exact;
    const format = codec === 'avc' ? new Mp4OutputFormat() : new WebMOutputFormat();
    this.#output = new Output({ format, target: new BufferTarget() });
    this.#source = new VideoSampleSource({ codec, bitrate: QUALITY_HIGH, keyFrameInterval });
    this.#output.addVideoTrack(this.#source);
  }

  /** Null if this browser cannot encode video. */
  static async open(
    width: number,
    height: number,
    { exact, sound = null }: WriterOptions,
  ): Promise<VideoWriter | null> {
    for (const codec of codecs)
      if (await canEncodeVideo(codec, { width, height, bitrate: QUALITY_HIGH })) {
        const writer = new VideoWriter(codec, exact);
        if (sound) await writer.#take(sound);
        await writer.#output.start();
        return writer;
      }
    return null;
  }

  /**
   * Adds a frame. Times are in seconds of media time. Resolves when there is room for the next one. With `exact`, the
   * pixels are read here. Otherwise the encoder reads the canvas from the GPU, which took 220 ms per 1280x720 frame on a
   * machine without graphics hardware.
   */
  async add(canvas: OffscreenCanvas, timestamp: number, duration: number): Promise<void> {
    const { width, height } = canvas;
    if (Number.isNaN(this.#first)) this.#first = timestamp;
    await this.#copySound(timestamp);
    const times = { timestamp: timestamp - this.#first, duration };
    this.#end = timestamp + duration;
    const sample = this.#exact
      ? new VideoSample(canvas.getContext('2d')!.getImageData(0, 0, width, height).data, {
          ...{ format: 'RGBX', codedWidth: width, codedHeight: height },
          ...times,
        })
      : new VideoSample(canvas, times);
    try {
      await this.#source.add(sample);
    } finally {
      sample.close();
    }
  }

  async end(): Promise<Blob> {
    await this.#copySound(this.#end);
    await this.#sound?.from.return();
    await this.#output.finalize();
    return new Blob([this.#output.target.buffer!], { type: this.#output.format.mimeType });
  }

  async cancel(): Promise<void> {
    await this.#sound?.from.return();
    await this.#output.cancel();
  }

  async #take(from: AsyncGenerator<SoundPiece, void>): Promise<void> {
    const { value: head } = await from.next();
    const kept = head && 'codec' in head ? head : null;
    if (!kept || !(this.#output.format.getSupportedAudioCodecs() as string[]).includes(kept.codec)) {
      await from.return();
      return;
    }
    const to = new EncodedAudioPacketSource(kept.codec as AudioCodec);
    this.#output.addAudioTrack(to);
    this.#sound = { from, to, meta: { decoderConfig: kept.config } };
  }

  /** Copies sound up to this media time, so that both tracks are written in parallel. */
  async #copySound(until: number): Promise<void> {
    const sound = this.#sound;
    if (!sound) return;
    for (;;) {
      this.#next ??= ((await sound.from.next()).value as Packet | undefined) ?? null;
      if (!this.#next || this.#next.timestamp >= until) return;
      const { data, type, timestamp, duration } = this.#next;
      this.#next = null;
      if (timestamp < this.#first) continue;
      await sound.to.add(new EncodedPacket(data, type, timestamp - this.#first, duration), sound.meta);
      delete sound.meta;
    }
  }
}
