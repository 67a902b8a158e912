// What sources do with time, and what becomes of it. The library's `frames` and the sessions of the elements pass the
// same table (test/frames/clock.test.ts, test/widget/clock.test.ts).
import type { Clock } from '../../src/results/export-pupil.ts';

/** A frame as requestVideoFrameCallback tells it, in milliseconds. */
export interface Presented {
  media: number;
  capture?: number;
  arrival?: number;
  /** Frames that were presented before it and that the page missed, because it was busy. */
  unseen?: number;
}

export interface ClockCase {
  name: string;
  live?: boolean;
  presented: readonly Presented[];
  timestamps: readonly number[];
  clocks?: readonly Clock[];
}

const media = (...times: number[]): Presented[] => times.map((time) => ({ media: time }));
const captured = (...times: number[]): Presented[] =>
  times.map((time) => ({ media: time - 900, capture: time, arrival: time + 60 }));

export const clockCases: readonly ClockCase[] = [
  { name: 'a recording', presented: media(0, 40, 80, 120), timestamps: [0, 40, 80, 120] },
  { name: 'a frame twice', presented: media(0, 40, 40, 80), timestamps: [0, 40, 40.001, 80] },
  {
    name: 'a small step back, of less than half a frame: jitter, the recording keeps its time',
    presented: media(0, 40, 80, 75, 120, 160),
    timestamps: [0, 40, 80, 80.001, 120, 160],
  },
  {
    name: 'a seek one frame back: from there on it goes on counting',
    presented: media(0, 40, 80, 40, 80, 120),
    timestamps: [0, 40, 80, 120, 160, 200],
  },
  {
    name: 'a seek of 400 ms back',
    presented: media(0, 40, 400, 440, 40, 80, 120),
    timestamps: [0, 40, 400, 440, 480, 520, 560],
  },
  { name: 'a seek forward', presented: media(0, 40, 1000, 1040), timestamps: [0, 40, 1000, 1040] },
  {
    name: 'a loop, twice',
    presented: media(0, 40, 80, 0, 40, 80, 0, 40),
    timestamps: [0, 40, 80, 120, 160, 200, 240, 280],
  },
  {
    name: 'a camera, by its capture time',
    live: true,
    presented: captured(1000, 1033, 1066, 1100),
    timestamps: [1000, 1033, 1066, 1100],
    clocks: ['capture', 'capture', 'capture', 'capture'],
  },
  {
    name: 'a camera that jitters: nothing is moved, so that markers fit',
    live: true,
    presented: captured(1000, 1033, 1033, 900, 1100),
    timestamps: [1000, 1033, 1033.001, 1033.002, 1100],
  },
  {
    name: 'a camera that leaves out a time',
    live: true,
    presented: [...captured(1000), { media: 133, arrival: 1093 }, ...captured(1066, 1100)],
    timestamps: [1000, 1093, 1093.001, 1100],
    clocks: ['capture', 'arrival', 'capture', 'capture'],
  },
  {
    name: 'a camera without capture times',
    live: true,
    presented: [
      { media: 100, arrival: 1000 },
      { media: 133, arrival: 1034 },
    ],
    timestamps: [1000, 1034],
    clocks: ['arrival', 'arrival'],
  },
  {
    name: 'another camera, whose clock is far behind',
    live: true,
    presented: captured(9000, 9040, 2000, 2040),
    timestamps: [9000, 9040, 9080, 9120],
  },
];

/** A video whose frames are presented by hand: it has a picture, and a `requestVideoFrameCallback` of its own. */
export async function handVideo(
  live: boolean,
  clip: Blob,
): Promise<{ video: HTMLVideoElement; tell(frame: Presented): void; close(): void }> {
  const video = document.createElement('video');
  video.muted = true;
  let stop = () => {};
  if (live) {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 64;
    const context = canvas.getContext('2d')!;
    const timer = setInterval(() => context.fillRect(0, 0, 64, 64), 20);
    const stream = canvas.captureStream();
    stop = () => (clearInterval(timer), stream.getTracks().forEach((track) => track.stop()));
    video.srcObject = stream;
  } else {
    video.src = URL.createObjectURL(clip);
    stop = () => URL.revokeObjectURL(video.src);
  }
  video.loop = true;
  const shown = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
  await video.play();
  await shown; // now it has a picture to give
  video.pause();
  let waiting: VideoFrameRequestCallback | null = null;
  let presentedFrames = 0;
  Object.defineProperties(video, {
    readyState: { value: 4 },
    paused: { value: false },
    getVideoPlaybackQuality: { value: () => ({ droppedVideoFrames: 0 }) },
    requestVideoFrameCallback: { value: (callback: VideoFrameRequestCallback) => ((waiting = callback), 1) },
    cancelVideoFrameCallback: { value: () => (waiting = null) },
  });
  return {
    video,
    tell({ media: mediaTime, capture: captureTime, arrival = mediaTime, unseen = 0 }) {
      presentedFrames += 1 + unseen;
      const metadata = { presentedFrames, mediaTime: mediaTime / 1000, captureTime };
      const callback = waiting;
      waiting = null;
      callback?.(arrival, metadata as VideoFrameCallbackMetadata);
    },
    close() {
      stop();
      video.removeAttribute('src');
      video.srcObject = null;
    },
  };
}

export const rounded = (times: readonly number[]): number[] => times.map((time) => Math.round(time * 1000) / 1000);
