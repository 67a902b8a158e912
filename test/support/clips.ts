/** Recordings made on the spot, frame by frame with the times wanted, so that no encoder but the browser's is needed. */
import {
  AudioSample,
  AudioSampleSource,
  BufferTarget,
  Mp4OutputFormat,
  Output,
  VideoSample,
  VideoSampleSource,
  WebMOutputFormat,
} from 'mediabunny';

export interface ClipOptions {
  /** Seconds at which frames begin. */
  times: readonly number[];
  width?: number;
  height?: number;
  /** An MP4 has its index at the end, as recorders write it. Default WebM. */
  format?: 'webm' | 'mp4';
  /** Seconds of sound. */
  sound?: number;
  /** Draws a frame; default: a dark disc that wanders. */
  draw?(context: OffscreenCanvasRenderingContext2D, index: number): void;
}

/** Those with the usual disc, by their other options. */
const made = new Map<string, Promise<File>>();

/** A new file each time. Equal clips are encoded once. */
export async function makeClip(options: ClipOptions): Promise<File> {
  if (options.draw) return encoded(options);
  const key = JSON.stringify(options);
  if (!made.has(key)) {
    const work = encoded(options);
    made.set(key, work);
    work.catch(() => made.delete(key));
  }
  const file = await made.get(key)!;
  return new File([await file.arrayBuffer()], file.name, { type: file.type });
}

async function encoded({
  times,
  width = 160,
  height = 120,
  draw = disc,
  format = 'webm',
  sound = 0,
}: ClipOptions): Promise<File> {
  const mp4 = format === 'mp4';
  const output = new Output({
    format: mp4 ? new Mp4OutputFormat({ fastStart: false }) : new WebMOutputFormat(),
    target: new BufferTarget(),
  });
  const source = new VideoSampleSource({ codec: mp4 ? 'vp9' : 'vp8', bitrate: 400_000, keyFrameInterval: 0.5 });
  output.addVideoTrack(source);
  const audio = sound ? new AudioSampleSource({ codec: 'opus', bitrate: 64_000 }) : null;
  if (audio) output.addAudioTrack(audio);
  await output.start();
  if (audio) {
    const sampleRate = 48_000;
    const data = Float32Array.from({ length: sound * sampleRate }, (_, i) => Math.sin(i / 20) / 4);
    const sample = new AudioSample({ data, format: 'f32', numberOfChannels: 1, sampleRate, timestamp: 0 });
    await audio.add(sample);
    sample.close();
  }
  const canvas = new OffscreenCanvas(width, height);
  // Read here: an encoder that reads a canvas itself waits for the GPU, 0.2 s a frame of 1280x720 without graphics hardware.
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  for (const [index, timestamp] of times.entries()) {
    draw(context, index);
    const sample = new VideoSample(context.getImageData(0, 0, width, height).data, {
      ...{ format: 'RGBX', codedWidth: width, codedHeight: height },
      ...{ timestamp, duration: (times[index + 1] ?? timestamp + 0.02) - timestamp },
    });
    await source.add(sample);
    sample.close();
  }
  await output.finalize();
  return new File([(output.target as BufferTarget).buffer!], `made.${format}`, { type: `video/${format}` });
}

function disc(context: OffscreenCanvasRenderingContext2D, index: number): void {
  const { width, height } = context.canvas;
  context.fillStyle = '#b0b0b0';
  context.fillRect(0, 0, width, height);
  context.fillStyle = '#181818';
  context.beginPath();
  context.arc(width / 2 + (index % 8), height / 2, height / 5, 0, 2 * Math.PI);
  context.fill();
}

/** Times at a steady rate. */
export const steady = (count: number, rate = 50): number[] => Array.from({ length: count }, (_, i) => i / rate);

/** Sets the time of the cluster of a WebM back, as a recorder does whose clock was set back. */
export async function setBack(file: File, cluster: number, milliseconds: number): Promise<File> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const starts: number[] = [];
  for (let i = 0; i + 4 < bytes.length; i++)
    if (bytes[i] === 0x1f && bytes[i + 1] === 0x43 && bytes[i + 2] === 0xb6 && bytes[i + 3] === 0x75) starts.push(i);
  let at = starts[cluster]! + 4;
  at += Math.clz32(bytes[at]!) - 23; // the cluster's size
  if (bytes[at] !== 0xe7)
    throw new Error(`cluster ${cluster} of ${starts.length} begins with ${bytes.slice(at - 8, at + 8)}`);
  const length = bytes[at + 1]! & 0x7f;
  let time = 0;
  for (let i = 0; i < length; i++) time = time * 256 + bytes[at + 2 + i]!;
  time = Math.max(0, time - milliseconds);
  for (let i = length - 1; i >= 0; i--, time = Math.floor(time / 256)) bytes[at + 2 + i] = time & 255;
  return new File([bytes], file.name, { type: file.type });
}
