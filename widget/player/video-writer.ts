/**
 * Writes a video of painted frames, each with its own time. Uses WebCodecs and mediabunny. Loaded when a video is
 * exported.
 */
import type { SoundPiece } from '../../src/index.ts';
import {
  type AudioCodec,
  BufferTarget,
  canEncodeVideo,
  EncodedAudioPacketSource,
  EncodedPacket,
  Mp4OutputFormat,
  Output,
  QUALITY_HIGH,
  type VideoCodec,
  VideoSample,
  VideoSampleSource,
  WebMOutputFormat,
} from 'mediabunny';

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

export { PictureWriter, stackRecording } from './picture-writer.ts';

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
