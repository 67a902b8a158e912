/** Writes a video of what is painted, each picture with its time: WebCodecs and mediabunny, loaded when a video is exported. */
import {
  BufferTarget,
  canEncodeVideo,
  Mp4OutputFormat,
  Output,
  QUALITY_HIGH,
  type VideoCodec,
  VideoSample,
  VideoSampleSource,
  WebMOutputFormat,
} from 'mediabunny';

/** The first that the browser encodes is taken: H.264 is the quickest without hardware, and what most programs read. */
const codecs: readonly VideoCodec[] = ['avc', 'vp9', 'vp8', 'av1'];
/** Seconds from one picture that stands alone to the next, so that players find their way in it. */
const keyFrameInterval = 1;

export class VideoWriter {
  readonly #output: Output<WebMOutputFormat | Mp4OutputFormat, BufferTarget>;
  readonly #source: VideoSampleSource;

  private constructor(codec: VideoCodec) {
    const format = codec === 'avc' ? new Mp4OutputFormat() : new WebMOutputFormat();
    this.#output = new Output({ format, target: new BufferTarget() });
    this.#source = new VideoSampleSource({ codec, bitrate: QUALITY_HIGH, keyFrameInterval });
    this.#output.addVideoTrack(this.#source);
  }

  /** Null where this browser encodes no video. */
  static async open(width: number, height: number): Promise<VideoWriter | null> {
    for (const codec of codecs)
      if (await canEncodeVideo(codec, { width, height, bitrate: QUALITY_HIGH })) {
        const writer = new VideoWriter(codec);
        await writer.#output.start();
        return writer;
      }
    return null;
  }

  /** Times in seconds. Resolves when there is room for the next one. */
  async add(canvas: HTMLCanvasElement, timestamp: number, duration: number): Promise<void> {
    const sample = new VideoSample(canvas, { timestamp, duration });
    try {
      await this.#source.add(sample);
    } finally {
      sample.close();
    }
  }

  async end(): Promise<Blob> {
    await this.#output.finalize();
    return new Blob([this.#output.target.buffer!], { type: this.#output.format.mimeType });
  }

  async cancel(): Promise<void> {
    await this.#output.cancel();
  }
}
