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

let noisy: boolean | null = null;
/** Whether the browser changes what is read from a canvas, against fingerprinting. */
function readingIsNoisy(): boolean {
  if (noisy === null) {
    const context = new OffscreenCanvas(16, 16).getContext('2d', { willReadFrequently: true })!;
    const pattern = context.createImageData(16, 16);
    pattern.data.forEach((_, i, data) => (data[i] = i % 4 === 3 ? 255 : (i * 151) & 255));
    context.putImageData(pattern, 0, 0);
    const { data } = context.getImageData(0, 0, 16, 16);
    noisy = data.some((value, i) => value !== pattern.data[i]);
  }
  return noisy;
}

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

  /**
   * Times in seconds. Resolves when there is room for the next one. The pixels are read here: an encoder that is given a
   * canvas reads it from the GPU, which took 220 ms a picture of 1280x720 on a machine without graphics hardware.
   */
  async add(canvas: OffscreenCanvas, timestamp: number, duration: number): Promise<void> {
    const { width, height } = canvas;
    const times = { timestamp, duration };
    const sample = readingIsNoisy()
      ? new VideoSample(canvas, times)
      : new VideoSample(canvas.getContext('2d')!.getImageData(0, 0, width, height).data, {
          ...{ format: 'RGBX', codedWidth: width, codedHeight: height },
          ...times,
        });
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
